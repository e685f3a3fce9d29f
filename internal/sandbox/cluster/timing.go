package cluster

import (
	"fmt"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/workload"
)

// Timing has the durations of the steps of a rollout.
type Timing struct {
	// Reconcile is the time until Kuscia's controller reconciles a changed
	// serving.
	Reconcile time.Duration
	// Apply is the time that it then takes to write Services and Deployments.
	// Until it has written them once the status is null; after an update the old
	// Available remains for Reconcile and Apply together.
	Apply time.Duration
	// Observe is the time until a change of a Deployment is in the status.
	Observe time.Duration
	// Step is the time of one step of the Deployment controller, such as
	// scaling a ReplicaSet down; pods are created in three steps.
	Step time.Duration
	// Start is the time until a pod becomes ready.
	Start time.Duration
	// BackOff is the first delay before a container that has ended again is restarted.
	BackOff time.Duration
	// Cleanup is the time until the Deployments of a deleted serving are
	// removed.
	Cleanup time.Duration
	// Lag is the time after a create or an update of a serving in which neither
	// Kuscia's controller nor that of the Deployments reconciles it: the status
	// does not change, as on a control plane that is busy or restarting. Pods
	// that are starting continue. FaultLag does the same for single requests.
	Lag time.Duration
}

// QuickTiming is for tests: a serving runs after about 400 ms, and a rollout is
// observable for that time. On a real node it is longer.
func QuickTiming() Timing {
	return Timing{
		Reconcile: time.Millisecond,
		Apply:     4 * time.Millisecond,
		Observe:   500 * time.Microsecond,
		Step:      time.Millisecond,
		Start:     400 * time.Millisecond,
		BackOff:   500 * time.Millisecond,
		Cleanup:   8 * time.Millisecond,
	}
}

// DemoTiming is for demonstrations: a serving runs after about 3 s.
func DemoTiming() Timing {
	return Timing{
		Reconcile: 50 * time.Millisecond,
		Apply:     400 * time.Millisecond,
		Observe:   25 * time.Millisecond,
		Step:      50 * time.Millisecond,
		Start:     2 * time.Second,
		BackOff:   10 * time.Second,
		Cleanup:   500 * time.Millisecond,
	}
}

// RealTiming has the durations that were measured on a real Kuscia, with pods
// that start within one second.
func RealTiming() Timing {
	return Timing{
		Reconcile: 10 * time.Millisecond,
		Apply:     150 * time.Millisecond,
		Observe:   5 * time.Millisecond,
		Step:      10 * time.Millisecond,
		Start:     time.Second,
		BackOff:   10 * time.Second,
		Cleanup:   250 * time.Millisecond,
	}
}

// TimingByName returns the timing named quick, demo or real.
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

// createSteps is the number of steps to create pods; removing them takes one.
const createSteps = 3

// workload is the timing of the controllers of Kubernetes.
func (t Timing) workload() workload.Timing {
	return workload.Timing{Step: t.Step, Create: createSteps * t.Step, Remove: t.Step, Start: t.Start, BackOff: t.BackOff, Second: time.Second}
}
