package judge

import (
	"slices"
	"time"
)

// History is what is known from earlier states, and from the time. Judge adds a state to it, and At
// the time. The zero value is that before the first state.
type History struct {
	// Since is when the reason of the last verdict was first given.
	Since time.Time
	// Consecutive counts the consecutive states in which every workload was as
	// desired.
	Consecutive int
	// Started is set for each workload of the target once a state has shown that
	// its rollout started, so that later states are about the update.
	Started []bool
	// PastLag is set once the longest time has passed for which a state
	// from before an update was observed to be returned.
	PastLag bool
	// PastLagMargin is PastLag with a margin, for cases in which there is no other sign.
	PastLagMargin bool
	// PastStartTimeout is set once even a lagging control plane would have
	// started the rollout.
	PastStartTimeout bool
	// PastLeftovers is set once workloads older than the object
	// have run as desired for so long that they will not be garbage collected.
	PastLeftovers bool
	// PastPause is set once a workload has been paused for so long that whoever has paused it does
	// not resume it.
	PastPause bool

	now time.Time
	// last is the reason of the last verdict, and paused since when a workload has been paused.
	last   Reason
	paused time.Time
	proofs map[string]Proof
}

// Times are how long something takes at most: until PastLag, PastLagMargin and PastStartTimeout
// after an update, and PastLeftovers and PastPause.
type Times struct{ Lag, LagMargin, Start, Leftovers, Pause time.Duration }

// At returns the history at a time. since is when the update was accepted, and reachable since when
// the server has been reachable without an outage: while it is not, its controllers do not work.
func (h History) At(now, since, reachable time.Time, times Times) History {
	h.PastLag, h.PastLagMargin = now.Sub(since) >= times.Lag, now.Sub(since) >= times.LagMargin
	h.PastStartTimeout = now.Sub(reachable) >= times.Start
	h.PastLeftovers = h.PastLeftovers || h.last == OldWorkload && now.Sub(h.Since) >= times.Leftovers
	h.PastPause = !h.paused.IsZero() && now.Sub(h.paused) >= times.Pause
	h.now = now
	return h
}

// Interrupted returns the history after a time without a state.
func (h History) Interrupted() History {
	h.Consecutive = 0
	return h
}

// after returns the history after a verdict.
func (h History) after(verdict Verdict, state State) History {
	if verdict.Reason != h.last {
		h.last, h.Since = verdict.Reason, h.now
	}
	isPaused := slices.ContainsFunc(state.Workloads, func(w Workload) bool { return w.Paused })
	switch {
	case verdict.Runs() || !isPaused:
		h.paused = time.Time{}
	case h.paused.IsZero():
		h.paused = h.now
	}
	return h
}

// ForOneState returns the history for a state that no other follows, as in a refresh: it needs no
// confirmation. Leftovers of a deleted object with the same name are not considered: they are deleted
// long before the first refresh.
func (h History) ForOneState() History {
	h.Consecutive, h.PastLeftovers = confirmations-1, true
	return h
}

// with returns the history after a state.
func (h History) with(state State, target Target, now map[string]Workload) History {
	started := make([]bool, len(target.Workloads))
	copy(started, h.Started)
	for i, w := range target.Workloads {
		// Without a workload, the next one is new.
		started[i] = started[i] || !state.Reported || target.started(w, now) || state.proof(w.Name) == Proven
	}
	h.Started, h.Consecutive, h.proofs = started, 0, state.Proofs
	return h
}

// Unseen returns the workloads whose rollout start must be observed and
// has not been.
func (h History) Unseen(target Target) (names []string) {
	for i, w := range target.Workloads {
		inferred := !target.NeedsProof || h.proofs[w.Name] == Elsewhere
		if inferred && target.mustObserveStart(w) && (i >= len(h.Started) || !h.Started[i]) {
			names = append(names, w.Name)
		}
	}
	return names
}
