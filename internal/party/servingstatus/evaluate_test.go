package servingstatus

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
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

func rolling(rollout PodReplacement, target Target) Target {
	target = updated(target)
	for i := range target.Parties {
		target.Parties[i].Replacement = rollout
	}
	return target
}

// TestEvaluate evaluates single statuses, one for each pitfall of Kuscia.
func TestEvaluate(t *testing.T) {
	seenOnce := History{Consecutive: 1}
	settled := History{Consecutive: 1, PastStatusLagMargin: true}
	older := pods("bob", 1, 1, 0, 1)
	older.CreateTime = "2026-11-21T00:08:26Z"
	odd := pods("bob", 1, 1, 0, 1)
	odd.CreateTime = "yesterday"
	withRole := pods("bob", 1, 1, 0, 1)
	withRole.Role = "server"

	cases := []struct {
		name    string
		status  *kuscia.ServingStatusDetail
		target  Target
		history History
		want    Outcome
	}{
		{"runs, seen twice", detail(available, pods("alice", 2, 2, 0, 2), pods("bob", 1, 1, 0, 1)), desired(2), seenOnce, Outcome{Phase: Running}},
		{"runs, seen once", detail(available, pods("alice", 2, 2, 0, 2), pods("bob", 1, 1, 0, 1)), desired(2), History{}, Outcome{Blocker: NotConfirmed}},
		{"replica counts as desired, state not", detail(partial, pods("alice", 2, 2, 0, 2), pods("bob", 1, 1, 0, 1)), desired(2), seenOnce, Outcome{Blocker: StateDiffers}},
		{"the party has another role", detail(available, pods("alice", 2, 2, 0, 2), withRole), desired(2), seenOnce, Outcome{Blocker: PartyMissing, Party: "bob"}},
		{"a party twice", detail(available, pods("alice", 2, 2, 0, 2), pods("bob", 1, 1, 0, 1), pods("bob", 1, 1, 0, 1)), desired(2), seenOnce, Outcome{Blocker: DuplicateParty, Party: "bob"}},
		{"a party that is not in the target", detail(available, pods("alice", 2, 2, 0, 2), pods("bob", 1, 1, 0, 1), pods("carol", 1, 0, 1, 0)), desired(2), seenOnce, Outcome{Phase: Running}},

		{"adopted long ago, then updated", detail(available, pods("alice", 2, 2, 0, 2), older), updated(desired(2)), settled, Outcome{Phase: Running}},

		{"rollout start observed for one of two parties", detail(available, pods("alice", 2, 2, 0, 2), pods("bob", 1, 1, 0, 1)), updated(desired(2)),
			History{Consecutive: 7, Started: []bool{true, false}}, Outcome{Blocker: MaybeStale}},
		{"rollout start not observed for an unchanged party", detail(available, pods("alice", 2, 2, 0, 2), pods("bob", 1, 1, 0, 1)),
			Target{Updated: true, Parties: []PartyTarget{{DomainID: "alice", Replicas: 2}, {DomainID: "bob", Replicas: 1, Unchanged: true}}},
			History{Consecutive: 1, Started: []bool{true, false}}, Outcome{Phase: Running}},
	}
	for _, c := range cases {
		if got, _ := Evaluate(c.status, c.target, c.history); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// oneRolls is an update of the resources of alice only.
func oneRolls(target Target) Target {
	target = updated(target)
	target.Parties[0].Replacement, target.Parties[1].Unchanged = RollingReplacement, true
	return target
}

// recreatesAlice is an update that replaces the pods of both parties, alice with
// Recreate.
func recreatesAlice() Target {
	target := since(rolling(RollingReplacement, desired(1)), detail(available, pods("alice", 1, 1, 0, 1), pods("bob", 1, 1, 0, 1)))
	target.Parties[0].Replacement = RecreateAll
	return target
}

// recorded are the targets of the series in testdata/series.txt.
var recorded = map[string]Target{
	"create":                             desired(2),
	"configuration":                      since(rolling(RollingReplacement, desired(2)), runs),
	"replicas 2 to 3":                    since(updated(desired(3)), runs),
	"replicas 3 to 1":                    updated(desired(1)),
	"resources of alice":                 since(oneRolls(desired(1)), detail(available, pods("alice", 1, 1, 0, 1), pods("bob", 1, 1, 0, 1))),
	"configuration, alice with Recreate": recreatesAlice(),
	"a repairing update":                 since(oneRolls(desired(1)), detail(failed, pods("bob", 1, 1, 0, 1))),
}

type recording struct {
	ms     int
	status *kuscia.ServingStatusDetail
}

func seriesOf(t *testing.T, name string) (series []recording) {
	t.Helper()
	var err error
	_, rest, _ := strings.Cut(testfile.Read(t, "testdata/series.txt"), "\n"+name+"\n")
	rest, _, _ = strings.Cut(rest, "\n\n")
	for line := range strings.Lines(rest) {
		columns := strings.Fields(line)
		at := recording{}
		if at.ms, err = strconv.Atoi(columns[0]); err != nil {
			t.Fatal(err)
		}
		var parties []kuscia.PartyStatus
		for i, domain := range []string{"alice", "bob"} {
			var all, available, unavailable, updated int32
			if n, _ := fmt.Sscanf(columns[2+i], "%d,%d,%d,%d", &all, &available, &unavailable, &updated); n == 4 {
				parties = append(parties, pods(domain, all, available, unavailable, updated))
			}
		}
		if columns[1] != "-" {
			at.status = detail(columns[1], parties...)
		}
		series = append(series, at)
	}
	return series
}

// TestRecordedSeries evaluates each series at random times, thousands of times:
// the result is never Running before the serving runs, never Failed, and always
// Running in the end.
func TestRecordedSeries(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for name, target := range recorded {
		t.Run(name, func(t *testing.T) {
			series := seriesOf(t, name)
			for range 3000 {
				var history History
				ended := false
				for ms := random.IntN(260); ms < 6000; ms += 50 + random.IntN(450) {
					at := series[0]
					for _, r := range series {
						if r.ms <= ms {
							at = r
						}
					}
					done := at == series[len(series)-1]
					history.PastStatusLag, history.PastStatusLagMargin = ms >= 750, ms >= 1500
					var outcome Outcome
					outcome, history = Evaluate(at.status, target, history)
					if outcome.Phase == Failed {
						t.Fatalf("failed at %d ms", ms)
					}
					if outcome.Phase == Running {
						if !done {
							t.Fatalf("running at %d ms, too early", ms)
						}
						ended = true
						break
					}
				}
				if !ended {
					t.Fatal("never running")
				}
			}
		})
	}
}
