package servingstatus

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// steps returns statuses in sequence, each until its time has passed.
type step struct {
	until  time.Duration
	status *kuscia.ServingStatusDetail
}

func play(began time.Time, steps ...step) func(string) (*kuscia.ServingStatusDetail, bool) {
	return func(string) (*kuscia.ServingStatusDetail, bool) {
		for _, s := range steps[:len(steps)-1] {
			if time.Since(began) < s.until {
				return s.status, true
			}
		}
		return steps[len(steps)-1].status, true
	}
}

// TestRolloutStarted: the statuses which show that the rollout of a party has started.
func TestRolloutStarted(t *testing.T) {
	moved := pods("alice", 2, 2, 0, 2)
	moved.CreateTime = "2026-11-21T00:09:27Z"
	cases := []struct {
		name    string
		rollout PodReplacement
		before  *Snapshot
		now     *kuscia.ServingStatusDetail
		want    bool
	}{
		{"as before", RollingReplacement, &Snapshot{runs}, runs, false},
		{"no updated pods", RollingReplacement, &Snapshot{runs}, detail(available, pods("alice", 2, 2, 0, 0)), true},
		{"a pod that crashed", RollingReplacement, &Snapshot{runs}, detail(partial, pods("alice", 2, 1, 1, 2)), false},
		{"all pods crashed, as when the nodes do not report", RollingReplacement, &Snapshot{runs}, detail(progress, pods("alice", 2, 0, 2, 2)), false},
		{"the Deployment is deleted", RollingReplacement, &Snapshot{runs}, detail(available), true},
		{"another Deployment", RollingReplacement, &Snapshot{runs}, detail(available, moved), true},
		{"no status", RollingReplacement, &Snapshot{runs}, nil, true},
		{"recreate: a pod that crashed", RecreateAll, &Snapshot{runs}, detail(partial, pods("alice", 2, 1, 1, 2)), false},
		{"recreate: no pod available", RecreateAll, &Snapshot{runs}, detail(progress, pods("alice", 2, 0, 2, 2)), true},
		{"no snapshot: no updated pods", RollingReplacement, nil, detail(available, pods("alice", 2, 2, 0, 0)), true},
		{"no replacement: one pod crashed", NoReplacement, &Snapshot{runs}, detail(partial, pods("alice", 2, 1, 1, 2)), true},
		{"an earlier rollout continues", RollingReplacement, &Snapshot{detail(partial, pods("alice", 3, 2, 1, 1))}, detail(available, pods("alice", 3, 3, 0, 2)), false},
	}
	for _, c := range cases {
		target := rolling(c.rollout, desired(2))
		target.Before = c.before
		_, history := Evaluate(c.now, target, History{})
		if history.Started[0] != c.want {
			t.Errorf("%s: started %t", c.name, history.Started[0])
		}
	}
}

// An update on a lagging control plane is awaited for as long as any control
// plane lags.
func TestLaggingUpdate(t *testing.T) {
	rolled := detail(partial, pods("alice", 3, 2, 1, 1), pods("bob", 2, 1, 1, 1))
	for _, lag := range []time.Duration{0, 300 * time.Millisecond, 2 * time.Second, 10 * time.Second, 45 * time.Second, 80 * time.Second} {
		t.Run(lag.String(), func(t *testing.T) {
			inTime(t, func(t *testing.T) {
				began := time.Now()
				source := &fakeSource{takes: 10 * time.Millisecond, status: play(began, step{lag, runs}, step{lag + time.Second, rolled}, step{0, runs})}
				target := since(rolling(RollingReplacement, named("glm")), runs)
				result, err := NewPoller(source).WaitRunning(t.Context(), target)
				took := time.Since(began)
				if err != nil || len(result.StartNotObserved) > 0 || took < lag+time.Second || took > lag+lag/40+1700*time.Millisecond {
					t.Errorf("the serving ran after %s, the wait took %s: %+v, %v", lag+time.Second, took, result.StartNotObserved, err)
				}
				if most := 80 + int(lag/(130*time.Millisecond)); source.count() > most {
					t.Errorf("%d polls, want at most %d", source.count(), most)
				}
			})
		})
	}
}

// The rollout of pods that start immediately is visible only briefly.
func TestShortRollout(t *testing.T) {
	for _, visible := range []time.Duration{100 * time.Millisecond, 200 * time.Millisecond} {
		for offset := 20 * time.Millisecond; offset < 400*time.Millisecond; offset += 30 * time.Millisecond {
			inTime(t, func(t *testing.T) {
				began := time.Now()
				source := &fakeSource{takes: 5 * time.Millisecond, status: play(began, step{offset, runs},
					step{offset + visible, detail(available, pods("alice", 3, 3, 0, 1), pods("bob", 2, 2, 0, 1))}, step{0, runs})}
				result, err := NewPoller(source).WaitRunning(t.Context(), since(rolling(RollingReplacement, named("glm")), runs))
				if took := time.Since(began); err != nil || len(result.StartNotObserved) > 0 || took > offset+visible+time.Second {
					t.Errorf("visible from %s for %s: the wait took %s, %v", offset, visible, took, err)
				}
			})
		}
	}
}

// A wait that times out earlier reports that the rollout start was not observed.
func TestStartNotObservedBeforeTimeout(t *testing.T) {
	inTime(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		_, err := NewPoller(&fakeSource{status: always(runs)}).WaitRunning(ctx, since(rolling(RollingReplacement, named("glm")), runs))
		var e *NotRunningError
		if !errors.As(err, &e) || e.Cause != CauseTimedOut || e.Outcome.Blocker != RolloutStartNotObserved || slices.Contains(e.Started, true) || len(e.Started) != 2 || !strings.Contains(err.Error(), "the start of the rollout of party alice was not observed") {
			t.Errorf("%v", err)
		}
	})
}

// An id for which the batch request fails, with any code, does not affect the
// other ids: neither if the server refuses it nor if the server times out on it.
func TestRefusedID(t *testing.T) {
	for name, failure := range map[string]error{
		"refused":  fmt.Errorf("11102: %w", kuscia.ErrUnauthorized),
		"too slow": fmt.Errorf("wrapped: %w", &kuscia.Error{Code: "11602", Message: "context deadline exceeded"}),
	} {
		t.Run(name, func(t *testing.T) {
			inTime(t, func(t *testing.T) {
				began := time.Now()
				source := &fakeSource{status: play(began, step{40 * time.Second, nil}, step{0, runs}), fail: refuses("bad", failure)}
				poller := NewPoller(source)
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				runAll(ctx, t, poller, 30, func() {
					_, err := poller.WaitRunning(ctx, named("bad"))
					var e *NotRunningError
					if !errors.As(err, &e) || errors.Is(failure, kuscia.ErrUnauthorized) != (e.Cause == CauseRefused) {
						t.Errorf("%v", err)
					}
				})
				if n := source.count(); n > 31+2*60*5 {
					t.Errorf("%d requests", n)
				}
			})
		})
	}
}

// If every id fails, the server is not queried for each of them.
func TestAllIDsFail(t *testing.T) {
	inTime(t, func(t *testing.T) {
		source := &fakeSource{status: always(runs), fail: func([]string) error { return errors.New("11602: odd") }}
		poller := NewPoller(source)
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		var group sync.WaitGroup
		for i := range 100 {
			group.Go(func() { _, _ = poller.WaitRunning(ctx, named(fmt.Sprintf("s%d", i))) })
		}
		group.Wait()
		if n := source.count(); n > (1+wait.MinFailures)*20*5 {
			t.Errorf("%d requests in 20 s", n)
		}
	})
}

// While nothing changes, the log has a line with the missing condition at least
// every 30 s.
func TestHeartbeat(t *testing.T) {
	inTime(t, func(t *testing.T) {
		waiting := detail(progress, pods("alice", 2, 0, 2, 2), pods("bob", 1, 1, 0, 1))
		waiting.Reason = "domainID: alice, reason: Unschedulable"
		var output bytes.Buffer
		ctx, cancel := context.WithTimeout(tflogtest.RootLogger(t.Context(), &output), 5*time.Minute)
		defer cancel()
		_, _ = NewPoller(&fakeSource{status: always(waiting)}).WaitRunning(ctx, named("glm"))
		lines, err := tflogtest.MultilineJSONDecode(&output)
		if err != nil {
			t.Fatal(err)
		}
		if len(lines) < 10 || len(lines) > 12 {
			t.Errorf("%d lines in 5 minutes", len(lines))
		}
		last := fmt.Sprint(lines[len(lines)-1]["@message"])
		for _, part := range []string{"serving glm: waiting until it runs: for ", "party alice has pods that are not available for ", "Unschedulable", "No node of that party"} {
			if !strings.Contains(last, part) {
				t.Errorf("%q is not in %q", part, last)
			}
		}
	})
	// The same while a request hangs.
	inTime(t, func(t *testing.T) {
		var output bytes.Buffer
		ctx, cancel := context.WithTimeout(tflogtest.RootLogger(t.Context(), &output), 2*time.Minute)
		defer cancel()
		_, _ = NewPoller(&fakeSource{status: always(nil), takes: time.Hour}).WaitRunning(ctx, named("glm"))
		if got := strings.Count(output.String(), "no response yet"); got < 3 {
			t.Errorf("%d lines: %s", got, output.String())
		}
	})
}
