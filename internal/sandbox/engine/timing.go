package engine

import (
	"fmt"
	"time"
)

// Timing is how long the steps of a rollout take.
type Timing struct {
	// Reconcile is how long Kuscia's controller takes to look at a changed
	// serving.
	Reconcile time.Duration
	// Apply is how long it then takes to write Services and Deployments. Until
	// the first time the status is null; after an update the old Available
	// stays for Reconcile and Apply together.
	Apply time.Duration
	// Observe is how long a change of a Deployment takes to reach the status.
	Observe time.Duration
	// Step is one step of the Deployment controller, such as scaling a
	// ReplicaSet down; pods are made in three.
	Step time.Duration
	// Start is how long a pod takes to become ready.
	Start time.Duration
	// Cleanup is how long the Deployments of a deleted serving remain.
	Cleanup time.Duration
	// Lag is how long after a request that creates or changes a serving neither
	// Kuscia's controller nor that of the Deployments looks at it: the status
	// stays what it was, as on a control plane that is busy or was restarted.
	// Pods that are starting go on. FaultLag does the same for single requests.
	Lag time.Duration
}

// QuickTiming is for tests: a serving runs after some 400 ms, which is how long
// a rollout can be seen. On a real node it is longer.
func QuickTiming() Timing {
	return Timing{
		Reconcile: time.Millisecond,
		Apply:     4 * time.Millisecond,
		Observe:   500 * time.Microsecond,
		Step:      time.Millisecond,
		Start:     400 * time.Millisecond,
		Cleanup:   8 * time.Millisecond,
	}
}

// DemoTiming is for people who watch: a serving runs after some 3 s.
func DemoTiming() Timing {
	return Timing{
		Reconcile: 50 * time.Millisecond,
		Apply:     400 * time.Millisecond,
		Observe:   25 * time.Millisecond,
		Step:      50 * time.Millisecond,
		Start:     2 * time.Second,
		Cleanup:   500 * time.Millisecond,
	}
}

// RealTiming has the times that were measured on a real Kuscia, with pods that
// start within one second.
func RealTiming() Timing {
	return Timing{
		Reconcile: 10 * time.Millisecond,
		Apply:     150 * time.Millisecond,
		Observe:   5 * time.Millisecond,
		Step:      10 * time.Millisecond,
		Start:     time.Second,
		Cleanup:   250 * time.Millisecond,
	}
}

// TimingByName gives the timing called quick, demo or real.
func TimingByName(name string) (Timing, error) {
	switch name {
	case "quick":
		return QuickTiming(), nil
	case "demo":
		return DemoTiming(), nil
	case "real":
		return RealTiming(), nil
	default:
		return Timing{}, fmt.Errorf("timing %q is not one of quick, demo, real", name)
	}
}
