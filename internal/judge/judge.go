package judge

// Verdict is what Judge decides.
type Verdict struct {
	Is     Standing
	Reason Reason
	// Of is the workload that the reason is about, "" if it is about none.
	Of string
}

// Runs reports whether the object runs as specified, as far as that can be known.
func (v Verdict) Runs() bool { return v.Is == Runs || v.Is == RunsUnseen }

// Standing is how an object stands.
type Standing int

// The values of Standing.
const (
	// UnderWay: it does not run as specified yet.
	UnderWay Standing = iota
	// Runs: it runs as specified.
	Runs
	// RunsUnseen: it runs, and that these are not the pods from before the update was assumed
	// after a time.
	RunsUnseen
	// Stands: it will not run as specified without a change.
	Stands
)

// Reason is why an object does not run as specified.
type Reason int

// The reasons, in the order in which they are checked.
const (
	NoReason         Reason = iota
	NoStatus                // there is nothing
	FailedPhase             // the phase is Failed
	StaleFailed             // the phase is Failed, maybe from before the update
	Twice                   // two states of one workload
	Missing                 // no state of a desired workload
	Foreign                 // the workload is one of another object
	SpecDiffers             // its specification is not as desired
	PodsPaused              // only a manual change continues its rollout
	NotObserved             // its controller has not seen the specification yet
	DeadlineExceeded        // its rollout has made no progress within its deadline
	PodsOutdated            // fewer updated pods than desired
	PodCountDiffers         // another number of pods than desired
	PodsUnavailable         // pods that are not available
	Unended                 // its release step by step has not ended
	PhaseDiffers            // all numbers of pods are as desired, but the phase is not Available
	OldWorkload             // a workload older than the object
	NotConfirmed            // seen only once
	Unproven                // the second source does not show it
	StartNotObserved        // the running pods may be the old ones
	MaybeStale              // the state may be from before the update
)

// confirmations is the required number of consecutive states that are as
// desired: a single one can be a transient state during a rollout.
const confirmations = 2

// Judge decides from one state and the history of earlier ones whether what the target describes
// runs, and returns the updated history.
func Judge(state State, target Target, history History) (Verdict, History) {
	verdict, next := decide(state, target, history)
	return verdict, next.after(verdict, state)
}

func decide(state State, target Target, history History) (Verdict, History) {
	now, twice := state.workloads()
	next := history.with(state, target, now)
	switch {
	case !state.Reported:
		return Verdict{Reason: NoStatus}, next
	case state.Phase == Failed && target.Updated && !history.PastStartTimeout && (!history.PastLagMargin || state.IsAsBefore(target)):
		return Verdict{Reason: StaleFailed}, next
	case state.Phase == Failed:
		return Verdict{Is: Stands, Reason: FailedPhase}, next
	case twice != "":
		return Verdict{Reason: Twice, Of: twice}, next
	}
	unclear := false
	for _, w := range target.Workloads {
		if why := w.missing(now, state.Direct, history.PastStartTimeout); why != NoReason {
			return w.verdict(why, now[w.Name], history), next
		}
		unclear = unclear || now[w.Name].Unclear > 0
	}
	if blocked := state.blocked(target, history); blocked.Reason != NoReason {
		return blocked, next
	}

	next.Consecutive = history.Consecutive + 1
	if name, found := target.Unproven(state); found {
		return Verdict{Reason: Unproven, Of: name}, next
	}
	if doubtful := target.maybeStale(next); doubtful.Reason != NoReason {
		return doubtful, next
	}
	switch {
	case !state.Direct && next.Consecutive < confirmations:
		return Verdict{Reason: NotConfirmed}, next
	case unclear || len(next.Unseen(target)) > 0:
		return Verdict{Is: RunsUnseen}, next
	}
	return Verdict{Is: Runs}, next
}

// missing compares the specification and the numbers of pods of one workload. All counts all
// pods, so old ones that still run make it differ from the desired number.
func (w Desired) missing(now map[string]Workload, direct, pastStartTimeout bool) Reason {
	found, exists := now[w.Name]
	updated := found.Updated
	if pastStartTimeout {
		updated += found.Unclear
	}
	switch {
	case !exists:
		return Missing
	case found.Spec == OfOther:
		return Foreign
	case found.Spec == Differs:
		return SpecDiffers
	case found.Spec == NotTakenUp:
		return NotObserved
	case !pastStartTimeout && updated < w.Pods && updated+found.Unclear == w.Pods:
		return StartNotObserved
	case updated < w.Pods:
		return PodsOutdated
	case updated != w.Pods || found.All != w.Pods:
		return PodCountDiffers
	case found.Pods.Available != w.Pods || found.Unavailable != 0:
		return PodsUnavailable
	case w.Pods < 1 && !direct:
		// Kuscia never reports a party without pods as available.
		return PodCountDiffers
	case found.Releasing:
		return Unended
	}
	return NoReason
}

// verdict is that of a workload that does not run as specified.
func (w Desired) verdict(why Reason, found Workload, history History) Verdict {
	switch {
	case found.Paused && history.PastPause:
		return Verdict{Is: Stands, Reason: PodsPaused, Of: w.Name}
	case found.DeadlineExceeded && (why == PodsOutdated || why == PodCountDiffers || why == PodsUnavailable):
		return Verdict{Is: Stands, Reason: DeadlineExceeded, Of: w.Name}
	}
	return Verdict{Reason: why, Of: w.Name}
}

// blocked is why the whole object does not run, whose workloads all have the desired pods.
func (s State) blocked(target Target, history History) Verdict {
	if s.Phase == OtherPhase {
		return Verdict{Reason: PhaseDiffers}
	}
	if target.Updated || history.PastLeftovers {
		return Verdict{}
	}
	for _, w := range s.Workloads {
		// It may be deleted at any moment.
		if w.Leftover && s.proof(w.Name) != Proven {
			return Verdict{Reason: OldWorkload, Of: w.Name}
		}
	}
	return Verdict{}
}

// maybeStale returns the first workload whose numbers of pods are as desired
// but may be from before the update.
func (t Target) maybeStale(history History) (doubtful Verdict) {
	if !t.Updated {
		return doubtful
	}
	for i, w := range t.Workloads {
		switch {
		case history.Started[i]:
		case t.mustObserveStart(w):
			if !history.PastStartTimeout {
				return Verdict{Reason: StartNotObserved, Of: w.Name}
			}
		case w.Replacement != NoReplacement && history.PastLag, w.Unchanged, history.PastLagMargin:
		default:
			doubtful = Verdict{Reason: MaybeStale}
		}
	}
	return doubtful
}
