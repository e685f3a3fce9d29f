package servingstatus

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/judge"
)

const born = "2026-11-21T00:08:27Z"

// pods returns a party's status with counts of all, available, unavailable and
// updated pods.
func pods(domainID string, all, available, unavailable, updated int32) kuscia.PartyStatus {
	state := kuscia.StateProgressing
	switch {
	case available > 0 && available >= all:
		state = kuscia.StateAvailable
	case available > 0:
		state = kuscia.StatePartialAvailable
	}
	return kuscia.PartyStatus{
		DomainID: domainID, State: state, Replicas: all, AvailableReplicas: available,
		UnavailableReplicas: unavailable, UpdatedReplicas: updated, CreateTime: born,
	}
}

func detail(state string, parties ...kuscia.PartyStatus) *kuscia.ServingStatusDetail {
	return &kuscia.ServingStatusDetail{State: state, CreateTime: born, TotalParties: int32(len(parties)), PartyStatuses: parties}
}

const (
	available = kuscia.StateAvailable
	partial   = kuscia.StatePartialAvailable
	progress  = kuscia.StateProgressing
	failed    = kuscia.StateFailed
)

// desired is a target with that many pods of alice and one of bob.
func desired(alice int32) Target {
	return Target{ServingID: "glm", Parties: []PartyTarget{{DomainID: "alice", Replicas: alice}, {DomainID: "bob", Replicas: 1}}}
}

func updated(target Target) Target {
	target.Updated = true
	return target
}

func since(target Target, before *kuscia.ServingStatusDetail) Target {
	target.Before = &Snapshot{Status: before}
	return target
}

func rolling(rollout judge.Replacement, target Target) Target {
	target = updated(target)
	for i := range target.Parties {
		target.Parties[i].Replacement = rollout
	}
	return target
}

// TestStateOf: what a status and an observation show to the judge.
func TestStateOf(t *testing.T) {
	t.Parallel()
	older, odd, withRole := pods("alice", 2, 1, 1, 2), pods("bob", 1, 1, 0, 1), pods("bob", 1, 1, 0, 1)
	older.CreateTime, odd.CreateTime, withRole.Role = "2026-11-21T00:08:26Z", "yesterday", "server"
	state := StateOf(detail(available, older, odd, withRole), nil)
	want := []judge.Workload{
		{Name: "alice", Created: older.CreateTime, Leftover: true, Pods: judge.Pods{All: 2, Available: 1, Unavailable: 1, Updated: 2}},
		{Name: "bob", Created: "yesterday", Pods: judge.Pods{All: 1, Available: 1, Updated: 1}},
		{Name: "bob (role server)", Created: born, Pods: judge.Pods{All: 1, Available: 1, Updated: 1}},
	}
	if !state.Reported || state.Phase != judge.Available || state.Direct || !slices.Equal(state.Workloads, want) {
		t.Errorf("%+v", state)
	}
	for name, phase := range map[string]judge.Phase{failed: judge.Failed, partial: judge.OtherPhase, progress: judge.OtherPhase} {
		if got := StateOf(detail(name), nil); got.Phase != phase {
			t.Errorf("%s is %v", name, got.Phase)
		}
	}
	texts := map[string]bool{state.Text: true}
	for _, other := range []kuscia.ServingStatusDetail{{State: progress}, {State: available, Reason: "r"}, {State: available, Message: "r"}} {
		texts[StateOf(&other, nil).Text] = true
	}
	if len(texts) != 4 {
		t.Errorf("different statuses have the same text: %q", slices.Collect(maps.Keys(texts)))
	}

	at, _ := time.Parse(time.RFC3339, born)
	for what, test := range map[string]struct {
		status *kuscia.ServingStatusDetail
		shown  Observation
		other  bool
	}{
		"its own":             {detail(available), Observation{Created: at.Add(time.Second)}, false},
		"of unknown time":     {detail(available), Observation{}, false},
		"of another cluster":  {detail(available), Observation{Created: at.Add(-time.Hour)}, true},
		"missing":             {detail(available), Observation{Missing: true}, true},
		"missing, not listed": {nil, Observation{Missing: true}, false},
	} {
		test.shown.Parties = []PartyObservation{{DomainID: "alice", Done: true}, {DomainID: "bob", Role: "server", Elsewhere: true}, {DomainID: "carol"}}
		got := StateOf(test.status, &test.shown)
		if got.ProofsOfOther != test.other || !maps.Equal(got.Proofs, map[string]judge.Proof{"alice": judge.Proven, "bob (role server)": judge.Elsewhere}) || got.Reported != (test.status != nil) {
			t.Errorf("%s: %+v", what, got)
		}
	}
}
