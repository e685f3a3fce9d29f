package wait

import (
	"fmt"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// Target is what is waited for.
type Target struct {
	// ServingID is the serving.
	ServingID string
	// Parties are all parties of the serving with what they shall run.
	Parties []PartyTarget
	// Updated is set when an update of a serving that existed precedes the
	// wait: the first answers may then be about the time before it.
	Updated bool
	// Since is when the update was accepted; zero is when the wait begins.
	Since time.Time
	// ProgressDeadline is how long the wait goes on without progress; zero is
	// until the context ends.
	ProgressDeadline time.Duration
	// Progress, if set, gets a line on what the wait sees whenever that
	// changes. It must not block: other waits go on only after it.
	Progress func(text string)
}

// PartyTarget is what one party shall run.
type PartyTarget struct {
	// DomainID and Role identify the party.
	DomainID, Role string
	// Replicas is the wanted number of pods.
	Replicas int32
	// Unchanged is set when the update did not touch this party, so that an
	// answer about the time before it is as good as a later one.
	Unchanged bool
}

// History is what earlier answers of the same wait have shown.
type History struct {
	// InRow counts the answers that showed every party as asked, without
	// another one in between.
	InRow int
	// Moved holds, for each party of the target, whether an answer has shown it
	// other than asked: what comes after that is news.
	Moved []bool
	// Settled is set once so much time has passed since the update that an
	// answer is no longer about the time before it.
	Settled bool
	// LeftoversOver is set once Deployments older than the serving have run as
	// asked for so long that nobody is going to remove them.
	LeftoversOver bool
}

// Standing is how far a serving is.
type Standing int

// The standings of a serving.
const (
	NotYet Standing = iota
	Running
	Failed
)

// Obstacle is what keeps a serving from running as asked.
type Obstacle int

// The obstacles, in the order in which they are looked for.
const (
	NoObstacle      Obstacle = iota
	NoStatus                 // the status is null
	FailedState              // state Failed
	StaleFailed              // state Failed, maybe from before the update
	PartyTwice               // two statuses for one party
	PartyMissing             // no status for a wanted party
	PodsOutdated             // fewer updated pods than wanted
	PodsDiffer               // another number of pods than wanted
	PodsUnavailable          // pods that are not available
	StateDiffers             // all numbers are right and the state is not Available
	Leftover                 // a Deployment older than the serving
	Unsettled                // maybe an answer from before the update
	Unconfirmed              // seen once only
)

// Outcome is a verdict.
type Outcome struct {
	Standing Standing
	Obstacle Obstacle
	// Party is the party that the obstacle is about, "" for none.
	Party string
}

// confirmations is how many answers in a row must say the same: a single one
// can be a flicker in the middle of a rollout.
const confirmations = 2

// Verdict says how far a serving is, from one answer and what earlier answers
// have shown, and returns the history with this answer in it.
func Verdict(status *kuscia.ServingStatusDetail, target Target, history History) (Outcome, History) {
	next := history
	next.Moved = make([]bool, len(target.Parties))
	copy(next.Moved, history.Moved)
	next.InRow = 0

	if status == nil {
		// Nothing is deployed, so whatever comes is new.
		for i := range next.Moved {
			next.Moved[i] = true
		}
		return Outcome{Obstacle: NoStatus}, next
	}
	if status.State == kuscia.StateFailed {
		if target.Updated && !history.Settled {
			return Outcome{Obstacle: StaleFailed}, next
		}
		return Outcome{Standing: Failed, Obstacle: FailedState}, next
	}

	var first Outcome
	note := func(obstacle Obstacle, party string) {
		if first.Obstacle == NoObstacle {
			first = Outcome{Obstacle: obstacle, Party: party}
		}
	}
	statuses, twice := byParty(status)
	if twice != "" {
		note(PartyTwice, twice)
	}
	believed := !target.Updated || history.Settled
	moved := true
	for i, party := range target.Parties {
		name := partyName(party.DomainID, party.Role)
		obstacle := partyObstacle(statuses, party)
		if obstacle != NoObstacle {
			note(obstacle, name)
			next.Moved[i] = true
		}
		moved = moved && (next.Moved[i] || party.Unchanged)
	}
	if status.State != kuscia.StateAvailable {
		note(StateDiffers, "")
	}
	if !target.Updated && !history.LeftoversOver {
		if name, found := leftover(status); found {
			note(Leftover, name)
		}
	}
	if first.Obstacle != NoObstacle {
		return first, next
	}

	next.InRow = history.InRow + 1
	switch {
	case !believed && !moved:
		return Outcome{Obstacle: Unsettled}, next
	case next.InRow < confirmations:
		return Outcome{Obstacle: Unconfirmed}, next
	}
	return Outcome{Standing: Running}, next
}

// partyObstacle compares the numbers of one party. status.replicas counts all
// pods, so old ones that still run make it differ from the wanted number.
func partyObstacle(statuses map[partyKey]kuscia.PartyStatus, party PartyTarget) Obstacle {
	status, found := statuses[partyKey{party.DomainID, party.Role}]
	switch {
	case !found:
		return PartyMissing
	case status.UpdatedReplicas < party.Replicas:
		return PodsOutdated
	case status.UpdatedReplicas != party.Replicas || status.Replicas != party.Replicas:
		return PodsDiffer
	case status.AvailableReplicas != party.Replicas || status.UnavailableReplicas != 0:
		return PodsUnavailable
	case party.Replicas < 1:
		// Kuscia never calls a party without pods available.
		return PodsDiffer
	}
	return NoObstacle
}

type partyKey struct{ domainID, role string }

// byParty indexes the statuses and names a party that appears twice: which of
// the two is meant cannot be told.
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

// leftover finds a Deployment that is older than the serving: it belongs to a
// deleted serving of the same id and may go away at any moment. Times that do
// not parse tell nothing.
func leftover(status *kuscia.ServingStatusDetail) (string, bool) {
	serving, err := time.Parse(time.RFC3339, status.CreateTime)
	if err != nil {
		return "", false
	}
	for _, party := range status.PartyStatuses {
		created, err := time.Parse(time.RFC3339, party.CreateTime)
		if err == nil && created.Before(serving) {
			return partyName(party.DomainID, party.Role), true
		}
	}
	return "", false
}

func partyName(domainID, role string) string {
	if role == "" {
		return domainID
	}
	return fmt.Sprintf("%s (role %s)", domainID, role)
}
