package kruise

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Feature gates of the manager that change how releases go.
const (
	// GateAdvancedDeployment lets the manager scale the pods of a Deployment during a
	// release in place, which otherwise never gets past its first step.
	GateAdvancedDeployment = "AdvancedDeployment"
	// GateKeepPaused keeps the Deployment of a release in place paused if its Rollout is
	// deleted or disabled, or the release is rolled back.
	GateKeepPaused = "KeepWorkloadPausedOnRolloutDeletion"
)

// Gates are the feature gates of a manager.
type Gates map[string]bool

// NewGates returns the gates of Kruise's manifests, with changes.
func NewGates(changes map[string]bool) (Gates, error) {
	gates := Gates{GateAdvancedDeployment: true, GateKeepPaused: false}
	for name, on := range changes {
		if _, is := gates[name]; !is {
			return nil, fmt.Errorf("unknown feature gate %q: those that are simulated are %s", name, strings.Join(slices.Sorted(maps.Keys(gates)), " and "))
		}
		gates[name] = on
	}
	return gates, nil
}
