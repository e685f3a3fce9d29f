package servingstatus

import (
	"fmt"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/judge"
)

// StateOf is what a status shows of a serving, nil if Kuscia reports none, and what an observer has
// shown of its Deployments, nil for nothing.
func StateOf(status *kuscia.ServingStatusDetail, observation *Observation) judge.State {
	state := judge.State{ProofsOfOther: !observation.isOf(status), Proofs: observation.proofs()}
	if status == nil {
		return state
	}
	state.Reported, state.Phase = true, phaseOf(status.State)
	state.Text = fmt.Sprintf("%q %q %q", status.State, status.Reason, status.Message)
	state.Workloads = make([]judge.Workload, len(status.PartyStatuses))
	for i, party := range status.PartyStatuses {
		state.Workloads[i] = judge.Workload{
			Name: PartyName(party.DomainID, party.Role), Created: party.CreateTime, Leftover: isBefore(party.CreateTime, status.CreateTime),
			Pods: judge.Pods{
				All: int64(party.Replicas), Updated: int64(party.UpdatedReplicas),
				Available: int64(party.AvailableReplicas), Unavailable: int64(party.UnavailableReplicas),
			},
		}
	}
	return state
}

func phaseOf(state string) judge.Phase {
	switch state {
	case kuscia.StateAvailable:
		return judge.Available
	case kuscia.StateFailed:
		return judge.Failed
	}
	return judge.OtherPhase
}

// isBefore compares two times. Those that cannot be parsed are ignored.
func isBefore(a, b string) bool {
	first, err := time.Parse(time.RFC3339, a)
	second, otherErr := time.Parse(time.RFC3339, b)
	return err == nil && otherErr == nil && first.Before(second)
}

// Judged is the target for the judge.
func (t Target) Judged() judge.Target {
	target := judge.Target{Updated: t.Updated, NeedsProof: t.Observer != nil}
	if t.Before != nil {
		before := StateOf(t.Before.Status, nil)
		target.Before = &before
	}
	for _, p := range t.Parties {
		target.Workloads = append(target.Workloads, judge.Desired{Name: p.name(), Pods: int64(p.Replicas), Unchanged: p.Unchanged, Replacement: p.Replacement})
	}
	return target
}

// Look is what one status shows that no other follows.
type Look struct {
	judge.Verdict
	// Started is set for each party of the target whose rollout has started.
	Started []bool
	// Unseen are the parties whose rollout start must be observed and has not been.
	Unseen []string
}

// refreshTimes are those of a refresh, which is usually long after an update.
var refreshTimes = judge.Times{Lag: 2 * time.Second, LagMargin: 2 * time.Second, Start: StartTimeout}

// LookAt judges the status that a refresh sees at a time, with its observer; nil for none.
func LookAt(status *kuscia.ServingStatusDetail, target Target, observer *CachedObserver, now time.Time) Look {
	target, observation := observer.applyTo(target)
	judged := target.Judged()
	verdict, history := judge.Judge(StateOf(status, observation), judged, judge.History{}.At(now, target.Since, target.ReachableSince, refreshTimes).ForOneState())
	return Look{verdict, history.Started, history.Unseen(judged)}
}
