package judge

// Target is what is to run.
type Target struct {
	// Workloads are all workloads of the object.
	Workloads []Desired
	// Updated is set after an update, when the state may still be the one from before it.
	Updated bool
	// Before is the state right before the update, nil if it is not known: every workload is
	// then assumed to have run as desired before, so that the start of its rollout must be
	// observed.
	Before *State
	// NeedsProof is set if a workload counts only with a proof, where the second source can read it.
	NeedsProof bool
}

// Desired is what is to run of one workload.
type Desired struct {
	// Name identifies the workload.
	Name string
	// Pods is the desired number of pods.
	Pods int64
	// Unchanged is set if the update does not change this workload, so that a
	// state from before the update is valid for it too.
	Unchanged bool
	// Replacement is how the update replaces its pods. Unless it is
	// NoReplacement, the desired numbers of pods are accepted only after the
	// start of the rollout has been observed.
	Replacement Replacement
}

// Replacement is how an update replaces the pods of a workload.
type Replacement int

// The ways to replace pods.
const (
	// NoReplacement: the update does not replace pods, as far as is known.
	NoReplacement Replacement = iota
	// RollingReplacement: old pods run until new ones are available, so that
	// pods of both versions exist at the same time.
	RollingReplacement
	// RecreateAll: all old pods may be deleted before a new one is available.
	RecreateAll
)

// mustObserveStart reports whether the start of a rollout must be
// observed before its numbers of pods are accepted, because they were as desired
// before the update too.
func (t Target) mustObserveStart(w Desired) bool {
	return t.Updated && w.Replacement != NoReplacement && t.ranAsDesired(w)
}

// ranAsDesired reports whether the numbers of pods were already as
// desired before the update.
func (t Target) ranAsDesired(w Desired) bool {
	switch {
	case t.Before == nil:
		return true
	case !t.Before.Reported:
		return false
	}
	before, _ := t.Before.workloads()
	return w.missing(before, t.Before.Direct, false) == NoReason
}

// Unproven returns the first workload that lacks a proof in a state; found is false if none does.
func (t Target) Unproven(state State) (name string, found bool) {
	for _, w := range t.Workloads {
		if t.NeedsProof && state.proof(w.Name) == NotProven {
			return w.Name, true
		}
	}
	return "", false
}

// started reports whether a state shows that the rollout of a workload has
// started.
func (t Target) started(w Desired, now map[string]Workload) bool {
	found, exists := now[w.Name]
	switch {
	case w.Replacement == NoReplacement:
		return !t.ranAsDesired(w) || w.missing(now, false, false) != NoReason
	case !exists, t.isRecreated(found):
		return true
	case !t.ranAsDesired(w):
		// Until it runs, the state may show the continuation of an
		// earlier rollout.
		return false
	case found.Updated < found.All:
		// There are pods of another version than the Deployment's. A pod that
		// merely crashes still counts as updated, and an evicted one is deleted.
		return true
	}
	return w.Replacement == RecreateAll && found.Pods.Available == 0
}

// isRecreated reports whether there is another Deployment than before the
// update.
func (t Target) isRecreated(w Workload) bool {
	if t.Before == nil {
		return false
	}
	before, _ := t.Before.workloads()
	old, found := before[w.Name]
	return found && old.Created != w.Created
}
