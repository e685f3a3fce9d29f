package servingstatus

import (
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// History is the information from earlier statuses of the same wait.
type History struct {
	// Consecutive counts the consecutive statuses in which every party was as
	// desired.
	Consecutive int
	// Started is set for each party of the target once a status has shown that
	// its rollout started, so that later statuses are about the update.
	Started []bool
	// PastStatusLagMargin is set once a control plane that does not lag
	// certainly no longer returns the status from before the update. It is
	// PastStatusLag with a margin.
	PastStatusLagMargin bool
	// PastStatusLag is set once the longest time has passed for which a status
	// from before an update was observed to be returned, 0.3 s.
	PastStatusLag bool
	// PastStartTimeout is set once even a lagging control plane would have
	// started the rollout.
	PastStartTimeout bool
	// Observation is the last one of the observer; nil if there is none yet.
	Observation *Observation
	// PastStaleDeploymentTimeout is set once Deployments older than the serving
	// have run as desired for so long that they will not be garbage collected.
	PastStaleDeploymentTimeout bool
}

// Phase is the progress of a serving.
type Phase int

// The phases of a serving.
const (
	NotYet Phase = iota
	Running
	Failed
)

// Blocker is why a serving does not run as specified yet.
type Blocker int

// The blockers, in the order in which they are checked.
const (
	NoBlocker               Blocker = iota
	NoStatus                        // the status is null
	FailedState                     // state Failed
	StaleFailed                     // state Failed, maybe from before the update
	DuplicateParty                  // two statuses for one party
	PartyMissing                    // no status for a desired party
	PodsOutdated                    // fewer updated pods than desired
	PodCountDiffers                 // another number of pods than desired
	PodsUnavailable                 // pods that are not available
	StateDiffers                    // all replica counts are as desired, but the state is not Available
	StaleDeployment                 // a Deployment older than the serving
	RolloutStartNotObserved         // the running pods may be the old ones
	MaybeStale                      // the status may be from before the update
	NotConfirmed                    // seen only once
	NotObservedDone                 // the observer does not report the party as done
)

// Outcome is the result of Evaluate.
type Outcome struct {
	Phase   Phase
	Blocker Blocker
	// Party is the party that the blocker is about, "" if it is about none.
	Party string
}

// confirmations is the required number of consecutive statuses that are as
// desired: a single one can be a transient state during a rollout.
const confirmations = 2

// Evaluate evaluates one status with the history of earlier ones, and returns
// the updated history.
func Evaluate(status *kuscia.ServingStatusDetail, target Target, history History) (Outcome, History) {
	next := history
	next.Started = make([]bool, len(target.Parties))
	copy(next.Started, history.Started)
	next.Consecutive = 0

	if status == nil {
		// No Deployment exists, so that the next one is new.
		for i := range next.Started {
			next.Started[i] = true
		}
		return Outcome{Blocker: NoStatus}, next
	}
	if !history.Observation.isOf(status) {
		history.Observation = nil
	}
	statuses, twice := byParty(status)
	for i, party := range target.Parties {
		next.Started[i] = next.Started[i] || target.rolloutStarted(party, statuses) || history.Observation.of(party).Done
	}
	if status.State == kuscia.StateFailed {
		if target.Updated && !history.PastStartTimeout && (!history.PastStatusLagMargin || target.isAsBefore(status)) {
			return Outcome{Blocker: StaleFailed}, next
		}
		return Outcome{Phase: Failed, Blocker: FailedState}, next
	}
	if blocked := firstBlocker(status, statuses, twice, target, history); blocked.Blocker != NoBlocker {
		return blocked, next
	}

	next.Consecutive = history.Consecutive + 1
	if party, found := target.firstNotObservedDone(history.Observation); found {
		return Outcome{Blocker: NotObservedDone, Party: partyName(party.DomainID, party.Role)}, next
	}
	if doubtful := firstMaybeStale(target, next); doubtful.Blocker != NoBlocker {
		return doubtful, next
	}
	if next.Consecutive < confirmations {
		return Outcome{Blocker: NotConfirmed}, next
	}
	return Outcome{Phase: Running}, next
}

// firstBlocker returns the first difference between a status and the desired
// state.
func firstBlocker(status *kuscia.ServingStatusDetail, statuses map[partyKey]kuscia.PartyStatus, twice string, target Target, history History) Outcome {
	if twice != "" {
		return Outcome{Blocker: DuplicateParty, Party: twice}
	}
	for _, party := range target.Parties {
		if blocker := partyBlocker(statuses, party); blocker != NoBlocker {
			return Outcome{Blocker: blocker, Party: partyName(party.DomainID, party.Role)}
		}
	}
	if status.State != kuscia.StateAvailable {
		return Outcome{Blocker: StateDiffers}
	}
	if !target.Updated && !history.PastStaleDeploymentTimeout {
		if name, found := findStaleDeployment(status, history.Observation); found {
			return Outcome{Blocker: StaleDeployment, Party: name}
		}
	}
	return Outcome{}
}

// firstMaybeStale returns the first party whose replica counts are as desired
// but may be from before the update.
func firstMaybeStale(target Target, history History) Outcome {
	if !target.Updated {
		return Outcome{}
	}
	var maybeStale Outcome
	for i, party := range target.Parties {
		switch {
		case history.Started[i]:
		case target.mustObserveStart(party):
			if !history.PastStartTimeout {
				return Outcome{Blocker: RolloutStartNotObserved, Party: partyName(party.DomainID, party.Role)}
			}
		case party.Replacement != NoReplacement && history.PastStatusLag, party.Unchanged, history.PastStatusLagMargin:
		default:
			maybeStale = Outcome{Blocker: MaybeStale}
		}
	}
	return maybeStale
}

// StartNotObserved returns the parties whose rollout start must be observed and
// has not been.
func (h History) StartNotObserved(target Target) (names []string) {
	for i, party := range target.Parties {
		if target.mustObserveStart(party) && target.statusOnly(party, h.Observation) && (i >= len(h.Started) || !h.Started[i]) {
			names = append(names, partyName(party.DomainID, party.Role))
		}
	}
	return names
}

// partyBlocker compares the replica counts of one party. status.replicas counts all
// pods, so old ones that still run make it differ from the desired number.
func partyBlocker(statuses map[partyKey]kuscia.PartyStatus, party PartyTarget) Blocker {
	status, found := statuses[partyKey{party.DomainID, party.Role}]
	switch {
	case !found:
		return PartyMissing
	case status.UpdatedReplicas < party.Replicas:
		return PodsOutdated
	case status.UpdatedReplicas != party.Replicas || status.Replicas != party.Replicas:
		return PodCountDiffers
	case status.AvailableReplicas != party.Replicas || status.UnavailableReplicas != 0:
		return PodsUnavailable
	case party.Replicas < 1:
		// Kuscia never reports a party without pods as available.
		return PodCountDiffers
	}
	return NoBlocker
}

type partyKey struct{ domainID, role string }

// byParty indexes the statuses, and returns the name of a party that appears
// twice and is therefore ambiguous.
func byParty(status *kuscia.ServingStatusDetail) (map[partyKey]kuscia.PartyStatus, string) {
	twice := ""
	out := make(map[partyKey]kuscia.PartyStatus, len(status.PartyStatuses))
	for _, party := range status.PartyStatuses {
		key := partyKey{party.DomainID, party.Role}
		if _, found := out[key]; found {
			twice = partyName(party.DomainID, party.Role)
		}
		out[key] = party
	}
	return out, twice
}

// findStaleDeployment returns a party whose Deployment is older than the
// serving: the Deployment belongs to a deleted serving of the same id and may be
// deleted at any moment. Times that cannot be parsed are ignored.
func findStaleDeployment(status *kuscia.ServingStatusDetail, observation *Observation) (string, bool) {
	serving, err := time.Parse(time.RFC3339, status.CreateTime)
	if err != nil {
		return "", false
	}
	for _, party := range status.PartyStatuses {
		created, err := time.Parse(time.RFC3339, party.CreateTime)
		proven := observation.of(PartyTarget{DomainID: party.DomainID, Role: party.Role}).Done
		if err == nil && created.Before(serving) && !proven {
			return partyName(party.DomainID, party.Role), true
		}
	}
	return "", false
}
