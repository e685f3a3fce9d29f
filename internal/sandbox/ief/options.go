package ief

import "time"

// Options configure a server. The zero value is a server for tests.
type Options struct {
	// Listen is a loopback address; "" means a free port.
	Listen string
	// ProjectID is the existing project.
	ProjectID string
	// OtherProjectIDs are further projects for the same credentials.
	OtherProjectIDs []string
	// InstanceIDs are the service instances in addition to the professional
	// edition, which has no id.
	InstanceIDs []string
	// AccessKey and SecretKey sign requests. SecurityToken is required too if
	// it is set.
	AccessKey, SecretKey, SecurityToken string
	// Token is accepted instead of a signature.
	Token string
	// OfflineNodes are edge nodes that never remove anything: a deployment on
	// them is only removed by a forced delete.
	OfflineNodes []string
	// Started is called with the environment of each container when the instances of a new
	// or updated template run; nil for nothing.
	Started func(environment map[string]string)
	Timing  Timing
}

// Timing has the durations of the steps of a rollout.
type Timing struct {
	// Lag is the time until an update reaches the edge node. Until then the old
	// instances run.
	Lag time.Duration
	// Start is the time until an instance runs.
	Start time.Duration
	// ClearFaults is the time in which an instance whose image reference contains
	// "slow" shows CREATE_FAIL, after Start, until it runs.
	ClearFaults time.Duration
	// Remove is the time until the instances of a deleted deployment are
	// removed.
	Remove time.Duration
}

// QuickTiming is for tests.
func QuickTiming() Timing {
	return Timing{Lag: 20 * time.Millisecond, Start: 40 * time.Millisecond, ClearFaults: 150 * time.Millisecond, Remove: 40 * time.Millisecond}
}

// DemoTiming is for demonstrations.
func DemoTiming() Timing {
	return Timing{Lag: 500 * time.Millisecond, Start: 2 * time.Second, ClearFaults: 10 * time.Second, Remove: time.Second}
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
