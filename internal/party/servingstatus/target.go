package servingstatus

import (
	"fmt"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/podstatus"
)

// Target is the desired state that a wait waits for.
type Target struct {
	// ServingID is the id of the serving.
	ServingID string
	// Parties are all parties of the serving with their desired state.
	Parties []PartyTarget
	// Updated is set for a wait after an update, when Kuscia may still return
	// the status from before it.
	Updated bool
	// Before is the status right before the update request, nil if it could not
	// be queried: every party is then assumed to have run as desired before, so
	// that the start of its rollout must be observed.
	Before *Snapshot
	// Since is when the update was accepted. If it is zero, it is set to the
	// start of the wait.
	Since time.Time
	// ReachableSince is since when Kuscia has been reachable without an outage,
	// as recorded by an earlier wait for the same update. If it is zero, it is
	// set to Since.
	ReachableSince time.Time
	// ProgressDeadline is how long the rollout may make no progress before the
	// wait ends with CauseNoProgress; with zero only the context limits the
	// wait. Progress is a status with replica counts or a reason that no earlier
	// status of this wait had. The time before the rollout starts counts;
	// outages of Kuscia do not.
	ProgressDeadline time.Duration
	// Observer, if set, must confirm, in addition to the status, that every
	// party runs as specified.
	Observer DeploymentObserver
	// Slot is released once the start of the rollout was observed; it may be nil.
	Slot *StartSlot
	// Progress, if set, is called with a line whenever the observed state
	// changes. It must not block, since it holds up other waits.
	Progress func(text string)
}

// Snapshot is the status of a serving before an update. Status is nil if Kuscia
// returned none.
type Snapshot struct{ Status *kuscia.ServingStatusDetail }

// PartyTarget is the desired state of one party.
type PartyTarget struct {
	// DomainID and Role identify the party.
	DomainID, Role string
	// Replicas is the desired number of pods.
	Replicas int32
	// Unchanged is set if the update does not change this party, so that a
	// status from before the update is valid for it too.
	Unchanged bool
	// Replacement is how the update replaces the party's pods. Unless it is
	// NoReplacement, the desired replica counts are accepted only after the
	// start of the rollout has been observed.
	Replacement PodReplacement
}

// PodReplacement is how an update replaces the pods of a party.
type PodReplacement int

// The ways to replace pods.
const (
	// NoReplacement: the update does not replace pods, as far as is known.
	NoReplacement PodReplacement = iota
	// RollingReplacement: old pods run until new ones are available, so that
	// pods of both versions exist at the same time.
	RollingReplacement
	// RecreateAll: all old pods may be deleted before a new one is available.
	RecreateAll
)

// mustObserveStart reports whether the start of a party's rollout must be
// observed before its replica counts are accepted, because they were as desired
// before the update too.
func (t Target) mustObserveStart(party PartyTarget) bool {
	return t.Updated && party.Replacement != NoReplacement && t.ranAsDesired(party)
}

// ranAsDesired reports whether the replica counts of the party were already as
// desired in the snapshot.
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

// rolloutStarted reports whether a status shows that the rollout of a party has
// started.
func (t Target) rolloutStarted(party PartyTarget, statuses map[partyKey]kuscia.PartyStatus) bool {
	status, found := statuses[partyKey{party.DomainID, party.Role}]
	switch {
	case party.Replacement == NoReplacement:
		return !t.ranAsDesired(party) || partyBlocker(statuses, party) != NoBlocker
	case !found, t.isRecreated(status):
		return true
	case !t.ranAsDesired(party):
		// Until the party runs, the status may show the continuation of an
		// earlier rollout.
		return false
	case status.UpdatedReplicas < status.Replicas:
		// There are pods of another version than the Deployment's. A pod that
		// merely crashes still counts as updated, and an evicted one is deleted.
		return true
	}
	return party.Replacement == RecreateAll && status.AvailableReplicas == 0
}

// isRecreated reports whether a party has another Deployment than before the
// update.
func (t Target) isRecreated(status kuscia.PartyStatus) bool {
	if t.Before == nil || t.Before.Status == nil {
		return false
	}
	before, _ := byParty(t.Before.Status)
	old, found := before[partyKey{status.DomainID, status.Role}]
	return found && old.CreateTime != status.CreateTime
}

// isAsBefore reports whether a status equals the snapshot in state, reason, message
// and the partyNumbers of every party.
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

// partyNumbers are the replica counts of a party, and when its Deployment was
// created.
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

// Result is the result of a wait that ended because the serving runs as
// specified or its rollout is paused.
type Result struct {
	// Status is the last status.
	Status *kuscia.ServingStatusDetail
	// StartNotObserved are the parties whose pods the update replaces and whose
	// rollout start was not observed. Their rollout was assumed to be complete
	// after StartTimeout.
	StartNotObserved []string
	// Paused describes what has paused the rollout and how to resume it; "" if the
	// serving runs. Pods is why pods do not run meanwhile.
	Paused string
	Pods   podstatus.Report
}

// StartTimeout is how long Kuscia must return the desired state, without an
// outage, before a rollout counts as complete although its start was not
// observed. The controllers of Kuscia and Kubernetes can lag: after a restart of
// the API server or a change of leader nothing changed for up to 45 s, and
// during all that time the status of the old pods is as desired.
const StartTimeout = 90 * time.Second
