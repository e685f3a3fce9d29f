package judge

// State is what a server shows of an object at one time.
type State struct {
	// Reported is set unless the server reports that there is nothing: no workload exists then.
	Reported bool
	// Phase is the state of the whole object, as the server reports it.
	Phase Phase
	// Text is what else the server reports of the object, to compare it with that of another time.
	Text string
	// Workloads are those that the server reports, in its order.
	Workloads []Workload
	// Direct is set if the state was read from the workloads themselves: one such state is
	// enough, and a workload may have no pods.
	Direct bool
	// Proofs are what a second source shows of workloads, by name. ProofsOfOther is set if that
	// source cannot be about this object.
	Proofs        map[string]Proof
	ProofsOfOther bool
}

// Phase is the state of an object, as its server reports it.
type Phase int

// The phases.
const (
	NoPhase    Phase = iota // the server reports none
	Available               // everything runs
	Failed                  // the server has given up
	OtherPhase              // any other
)

// Workload is a Deployment, or an edge deployment.
type Workload struct {
	// Name identifies the workload in its object.
	Name string
	Pods
	// Created identifies one of several workloads of this name, which exist one after another.
	Created string
	// Leftover is set if the workload is older than the object, so that it is that of a deleted
	// one.
	Leftover bool
	// Spec is what the workload shows of its specification.
	Spec Spec
	// Paused is set if only a manual change continues its rollout.
	Paused bool
	// DeadlineExceeded is set if the rollout has made no progress within its deadline.
	DeadlineExceeded bool
	// Releasing is set if its release step by step has not ended.
	Releasing bool
}

// Pods are numbers of pods.
type Pods struct {
	All, Available, Unavailable int64
	// Updated have the specification of the workload.
	Updated int64
	// Unclear do not show whether they have it, and may be those from before the update.
	Unclear int64
}

// Spec is what a workload shows of its specification.
type Spec int

// The values of Spec.
const (
	// NotShown: the numbers of pods are all that is known.
	NotShown Spec = iota
	// AsDesired: it is as desired.
	AsDesired
	// Differs: it is not as desired, or not yet.
	Differs
	// NotTakenUp: it is as desired, and the controller has not seen that yet.
	NotTakenUp
	// OfOther: the workload is one of another object.
	OfOther
)

// Proof is what a second source shows of a workload.
type Proof int

// The values of Proof.
const (
	// NotProven: the workload does not run as specified, or that is not known.
	NotProven Proof = iota
	// Proven: it runs as specified.
	Proven
	// Elsewhere: the source cannot read it, so that only the state shows it.
	Elsewhere
)

// proof returns the proof of a workload.
func (s State) proof(name string) Proof {
	if s.ProofsOfOther {
		return NotProven
	}
	return s.Proofs[name]
}

// workloads indexes the workloads. twice is the name of one that appears twice and is therefore
// ambiguous.
func (s State) workloads() (byName map[string]Workload, twice string) {
	byName = make(map[string]Workload, len(s.Workloads))
	for _, w := range s.Workloads {
		if _, found := byName[w.Name]; found {
			twice = w.Name
		}
		byName[w.Name] = w
	}
	return byName, twice
}

// isAsBefore reports whether a state equals the one before the update.
func (s State) isAsBefore(before *State) bool {
	switch {
	case before == nil:
		return true
	case before.Phase != s.Phase, before.Text != s.Text, len(before.Workloads) != len(s.Workloads):
		return false
	}
	old, _ := before.workloads()
	for _, w := range s.Workloads {
		if old := old[w.Name]; old.Pods != w.Pods || old.Created != w.Created {
			return false
		}
	}
	return true
}

// IsAsBefore reports whether a state may be from before the update of a target: it equals the state
// then, or that is not known.
func (s State) IsAsBefore(target Target) bool { return s.isAsBefore(target.Before) }
