package servingstatus

import (
	"fmt"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/judge"
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
	// Unchanged and Replacement are those of judge.Desired.
	Unchanged   bool
	Replacement judge.Replacement
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

// name is the name of the party for the judge, and in messages.
func (p PartyTarget) name() string { return PartyName(p.DomainID, p.Role) }

type partyKey struct{ domainID, role string }

// PartyName is how messages and results name a party.
func PartyName(domainID, role string) string {
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
