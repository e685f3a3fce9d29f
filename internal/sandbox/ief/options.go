package ief

import "time"

// Options say how a server behaves. The zero value is a server for tests.
type Options struct {
	// Listen is a loopback address; "" picks a free port.
	Listen string
	// ProjectID is the project that exists.
	ProjectID string
	// OtherProjectIDs are further projects that the credentials are good for.
	OtherProjectIDs []string
	// InstanceIDs are the service instances that exist beside the professional
	// edition, which has no id.
	InstanceIDs []string
	// AccessKey and SecretKey sign requests. SecurityToken is wanted as well
	// when it is set.
	AccessKey, SecretKey, SecurityToken string
	// Token is accepted in place of a signature.
	Token string
	// OfflineNodes are edge nodes that never remove anything: a deployment on
	// them is deleted by force only.
	OfflineNodes []string
	Timing       Timing
}

// Timing is how long the steps of a rollout take.
type Timing struct {
	// Lag is how long an update takes to reach the edge node. Until then the
	// instances of before run.
	Lag time.Duration
	// Start is how long an instance takes to run.
	Start time.Duration
	// Heal is how long an instance whose image reference contains "slow" shows
	// CREATE_FAIL, after Start, until it runs.
	Heal time.Duration
	// Remove is how long the instances of a deleted deployment remain.
	Remove time.Duration
}

// QuickTiming is for tests.
func QuickTiming() Timing {
	return Timing{Lag: 20 * time.Millisecond, Start: 40 * time.Millisecond, Heal: 150 * time.Millisecond, Remove: 40 * time.Millisecond}
}

// DemoTiming is for people who watch.
func DemoTiming() Timing {
	return Timing{Lag: 500 * time.Millisecond, Start: 2 * time.Second, Heal: 10 * time.Second, Remove: time.Second}
}

func (o Options) withDefaults() Options {
	for _, field := range []struct {
		value    *string
		fallback string
	}{
		{&o.Listen, "127.0.0.1:0"}, {&o.ProjectID, "0123456789abcdef0123456789abcdef"},
		{&o.AccessKey, "SANDBOXACCESSKEY"}, {&o.SecretKey, "sandbox-secret-key"}, {&o.Token, "sandbox-token"},
	} {
		if *field.value == "" {
			*field.value = field.fallback
		}
	}
	if o.Timing == (Timing{}) {
		o.Timing = QuickTiming()
	}
	return o
}
