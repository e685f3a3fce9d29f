package wait

import (
	"fmt"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// Target is what a wait waits for.
type Target struct {
	// ServingID is the serving.
	ServingID string
	// Parties are all parties of the serving with their desired state.
	Parties []PartyTarget
	// Updated is set for a wait after an update: a status may then still be the one of
	// before it.
	Updated bool
	// Before is the status right before the request of the update; nil when it
	// could not be queried. Then every party is assumed to have run as desired before,
	// so that its rollout has to be seen to begin.
	Before *Snapshot
	// Since is when the update was accepted; zero is when the wait begins.
	Since time.Time
	// ReachableSince is the time since which Kuscia has answered without an outage, as far
	// as an earlier wait for the same update knows; zero: since the update.
	ReachableSince time.Time
	// ProgressDeadline is how long the rollout may make no progress before the
	// wait ends with CauseNoProgress; zero is for as long as the context lets
	// it. Progress is an answer with numbers or a reason that no answer of this
	// wait had before. The time before anything begins counts; that in which
	// Kuscia could not be asked does not.
	ProgressDeadline time.Duration
	// Observer, if set, has to show, in addition to the status, that every party runs
	// as specified.
	Observer DeploymentObserver
	// Progress, if set, gets a line on what the wait sees whenever that
	// changes. It must not block: other waits go on only after it.
	Progress func(text string)
}

// Snapshot is the status of a serving before an update. Status is nil where
// Kuscia had none.
type Snapshot struct{ Status *kuscia.ServingStatusDetail }

// PartyTarget is the desired state of one party.
type PartyTarget struct {
	// DomainID and Role identify the party.
	DomainID, Role string
	// Replicas is the desired number of pods.
	Replicas int32
	// Unchanged is set when the update did not touch this party, so that an
	// answer about the time before it is as good as a later one.
	Unchanged bool
	// Replacement is how the update replaces the party's pods. Unless it is
	// NoReplacement, right numbers count only once the rollout was seen to begin.
	Replacement PodReplacement
}

// PodReplacement is how an update replaces the pods of a party.
type PodReplacement int

// The ways to replace pods.
const (
	// NoReplacement: the update does not change the pods, as far as is known.
	NoReplacement PodReplacement = iota
	// RollingReplacement: old pods run until new ones are available, so that pods of both
	// versions are seen side by side.
	RollingReplacement
	// RecreateAll: all old pods may go before a new one is available.
	RecreateAll
)

// mustObserveStart reports whether the rollout of a party has to be seen to begin before
// its replica counts are enough: they were as desired before the update, too.
func (t Target) mustObserveStart(party PartyTarget) bool {
	return t.Updated && party.Replacement != NoReplacement && t.ranAsDesired(party)
}

// ranAsDesired reports whether the replica counts of the party were already as
// desired when the snapshot was taken.
func (t Target) ranAsDesired(party PartyTarget) bool {
	if t.Before == nil {
		return true
	}
	if t.Before.Status == nil {
		return false
	}
	statuses, _ := byParty(t.Before.Status)
	return partyBlocker(statuses, party) == NoBlocker
}

// rolloutStarted reports whether a status shows that the rollout of a party has begun.
func (t Target) rolloutStarted(party PartyTarget, statuses map[partyKey]kuscia.PartyStatus) bool {
	status, found := statuses[partyKey{party.DomainID, party.Role}]
	switch {
	case party.Replacement == NoReplacement:
		return !t.ranAsDesired(party) || partyBlocker(statuses, party) != NoBlocker
	case !found, t.isRecreated(status):
		return true
	case !t.ranAsDesired(party):
		// Whatever it shows until it runs may be how an earlier rollout goes on.
		return false
	case status.UpdatedReplicas < status.Replicas:
		// Pods of another version than the Deployment's. A pod that merely
		// crashes still counts as updated, and one that is evicted is gone.
		return true
	}
	return party.Replacement == RecreateAll && status.AvailableReplicas == 0
}

// isRecreated reports whether a party has another Deployment than before.
func (t Target) isRecreated(status kuscia.PartyStatus) bool {
	if t.Before == nil || t.Before.Status == nil {
		return false
	}
	before, _ := byParty(t.Before.Status)
	old, found := before[partyKey{status.DomainID, status.Role}]
	return found && old.CreateTime != status.CreateTime
}

// isAsBefore reports whether a status equals the snapshot in state, reason, message
// and the replica counts of every party.
func (t Target) isAsBefore(status *kuscia.ServingStatusDetail) bool {
	if t.Before == nil {
		return true
	}
	before := t.Before.Status
	if before == nil || before.State != status.State || before.Reason != status.Reason || before.Message != status.Message ||
		len(before.PartyStatuses) != len(status.PartyStatuses) {
		return false
	}
	old, _ := byParty(before)
	for _, party := range status.PartyStatuses {
		if numbersOf(old[partyKey{party.DomainID, party.Role}]) != numbersOf(party) {
			return false
		}
	}
	return true
}

// partyNumbers are the replica counts of a party.
type partyNumbers struct {
	replicas, available, unavailable, updated int32
	created                                   string
}

func numbersOf(status kuscia.PartyStatus) partyNumbers {
	return partyNumbers{
		replicas: status.Replicas, available: status.AvailableReplicas, unavailable: status.UnavailableReplicas,
		updated: status.UpdatedReplicas, created: status.CreateTime,
	}
}

func partyName(domainID, role string) string {
	if role == "" {
		return domainID
	}
	return fmt.Sprintf("%s (role %s)", domainID, role)
}

// Result is the result of a wait that ended because the serving runs as specified, or
// because its rollout is paused.
type Result struct {
	// Status is the last status.
	Status *kuscia.ServingStatusDetail
	// StartNotObserved are the parties whose pods the update replaces and whose rollout
	// was not seen to begin; it was assumed to be complete after StartTimeout.
	StartNotObserved []string
	// Held says what has paused the rollout, and how to continue it; "" when the
	// serving runs.
	Held string
}

// StartTimeout is for how long Kuscia has to answer, without an outage, that everything is
// as desired before the rollout counts as complete although it was not seen to begin.
// The controllers of Kuscia and Kubernetes can lag: after a restart of the API
// server or a change of their leader nothing moved for up to 45 s, and all that
// time the old pods look as asked.
const StartTimeout = 90 * time.Second
