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
		{"old pods beside new ones", RollingReplacement, &Snapshot{runs}, detail(available, pods("alice", 3, 3, 0, 1)), true},
		{"a pod that crashed", RollingReplacement, &Snapshot{runs}, detail(partial, pods("alice", 2, 1, 1, 2)), false},
		{"all pods crashed, as when the nodes do not report", RollingReplacement, &Snapshot{runs}, detail(progress, pods("alice", 2, 0, 2, 2)), false},
		{"an evicted pod", RollingReplacement, &Snapshot{runs}, detail(partial, pods("alice", 1, 1, 1, 1)), false},
		{"the Deployment is deleted", RollingReplacement, &Snapshot{runs}, detail(available), true},
		{"another Deployment", RollingReplacement, &Snapshot{runs}, detail(available, moved), true},
		{"no status", RollingReplacement, &Snapshot{runs}, nil, true},
		{"recreate: a pod that crashed", RecreateAll, &Snapshot{runs}, detail(partial, pods("alice", 2, 1, 1, 2)), false},
		{"recreate: no pod available", RecreateAll, &Snapshot{runs}, detail(progress, pods("alice", 2, 0, 2, 2)), true},
		{"recreate: no pods at all", RecreateAll, &Snapshot{runs}, detail(progress, pods("alice", 0, 0, 2, 0)), true},
		{"no snapshot: as specified", RollingReplacement, nil, runs, false},
		{"no snapshot: no updated pods", RollingReplacement, nil, detail(available, pods("alice", 2, 2, 0, 0)), true},
		{"no replacement: as before", NoReplacement, &Snapshot{runs}, runs, false},
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

// The rollout start of one party does not count for another one.
func TestRolloutStartPerParty(t *testing.T) {
	inTime(t, func(t *testing.T) {
		began := time.Now()
		source := &fakeSource{status: play(began, step{time.Second, runs},
			step{2 * time.Second, detail(available, pods("alice", 3, 3, 0, 1), pods("bob", 1, 1, 0, 1))}, step{20 * time.Second, runs},
			step{21 * time.Second, detail(available, pods("alice", 2, 2, 0, 2), pods("bob", 2, 1, 1, 1))}, step{0, runs})}
		if _, err := NewPoller(source).WaitRunning(t.Context(), since(rolling(RollingReplacement, named("glm")), runs)); err != nil || time.Since(began) < 21*time.Second {
			t.Errorf("after %s: %v", time.Since(began), err)
		}
	})
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

// A rollout whose start is not observed is complete after StartTimeout, and the
// result lists the party. An outage restarts that time.
func TestStartNotObserved(t *testing.T) {
	for name, outage := range map[string]time.Duration{"steady": 0, "a blip": 3 * time.Second, "an outage": 30 * time.Second} {
		t.Run(name, func(t *testing.T) {
			inTime(t, func(t *testing.T) {
				began := time.Now()
				source := &fakeSource{status: always(runs), fail: func([]string) error {
					if since := time.Since(began); since > 20*time.Second && since < 20*time.Second+outage {
						return kuscia.ErrUnavailable
					}
					return nil
				}}
				target := since(rolling(RollingReplacement, named("glm")), runs)
				target.Parties[1].Replacement = NoReplacement
				result, err := NewPoller(source).WaitRunning(t.Context(), target)
				due := StartTimeout
				if outage > 5*time.Second {
					due += 20*time.Second + outage
				}
				if took := time.Since(began); err != nil || took < due || took > due+3*time.Second || !slices.Equal(result.StartNotObserved, []string{"alice"}) {
					t.Errorf("the wait took %s, want %s: %+v, %v", took, due, result, err)
				}
				if source.count() > 1000 {
					t.Errorf("%d polls", source.count())
				}
			})
		})
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

// A party whose replica counts were wrong before the update is complete with the
// desired ones, without an observed rollout start.
func TestUpdateOfBrokenParty(t *testing.T) {
	stuck := detail(partial, pods("alice", 3, 2, 1, 1), pods("bob", 1, 1, 0, 1))
	inTime(t, func(t *testing.T) {
		began := time.Now()
		target := since(rolling(RollingReplacement, named("glm")), stuck)
		target.Parties[1].Unchanged, target.Parties[1].Replacement = true, NoReplacement
		source := &fakeSource{status: play(began, step{200 * time.Millisecond, stuck}, step{0, runs})}
		if _, err := NewPoller(source).WaitRunning(t.Context(), target); err != nil || time.Since(began) < 700*time.Millisecond || time.Since(began) > 1200*time.Millisecond {
			t.Errorf("after %s: %v", time.Since(began), err)
		}
		// The same on a control plane that lags.
		began = time.Now()
		source.status = play(began, step{40 * time.Second, stuck}, step{0, runs})
		if _, err := NewPoller(source).WaitRunning(t.Context(), target); err != nil || time.Since(began) < 40*time.Second || time.Since(began) > 42*time.Second {
			t.Errorf("after %s: %v", time.Since(began), err)
		}
	})
}

// Many updates on a control plane that is restarted: the API server is
// unreachable, and afterwards nothing changes for a while.
func TestRestartInTheMiddle(t *testing.T) {
	inTime(t, func(t *testing.T) {
		began := time.Now()
		const away, back, working = 2 * time.Second, 20 * time.Second, 60 * time.Second
		rolled := detail(partial, pods("alice", 3, 2, 1, 1), pods("bob", 2, 1, 1, 1))
		// begins returns when the rollout of a serving starts: before the
		// outage, or once the controllers work again.
		begins := func(id string) time.Duration {
			var n int
			_, _ = fmt.Sscanf(id, "s%d", &n)
			if n < 20 {
				return time.Duration(n) * 30 * time.Millisecond
			}
			return working + time.Duration(n)*300*time.Millisecond
		}
		source := &fakeSource{takes: 40 * time.Millisecond}
		source.status = func(id string) (*kuscia.ServingStatusDetail, bool) {
			from := begins(id)
			return play(began, step{from, runs}, step{from + time.Second, rolled}, step{0, runs})(id)
		}
		source.fail = func([]string) error {
			if since := time.Since(began); since > away && since < back {
				return fmt.Errorf("connection refused: %w", kuscia.ErrUnavailable)
			}
			return nil
		}
		poller := NewPoller(source)
		var group sync.WaitGroup
		for i := range 60 {
			group.Go(func() {
				id := fmt.Sprintf("s%d", i)
				target := since(rolling(RollingReplacement, named(id)), runs)
				result, err := poller.WaitRunning(t.Context(), target)
				if done := begins(id) + time.Second; err != nil || len(result.StartNotObserved) > 0 || time.Since(began) < done {
					t.Errorf("%s ran after %s, its wait took %s: %+v, %v", id, done, time.Since(began), result.StartNotObserved, err)
				}
			})
		}
		group.Wait()
		t.Logf("%d requests in %s", source.count(), time.Since(began))
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

// TestProgressDeadline: the wait ends once there was no progress for the
// deadline, and not before.
func TestProgressDeadline(t *testing.T) {
	pulling := func(reason string) *kuscia.ServingStatusDetail {
		s := detail(progress, pods("alice", 2, 0, 2, 2), pods("bob", 1, 1, 0, 1))
		s.Reason = "domainID: alice, reason: " + reason
		return s
	}
	deadline := 30 * time.Second
	cases := map[string]struct {
		status func(since time.Duration) *kuscia.ServingStatusDetail
		fail   func(since time.Duration) bool
		// ends is when the wait ends without progress; zero means never.
		ends time.Duration
	}{
		"no rollout start": {status: func(time.Duration) *kuscia.ServingStatusDetail { return runs }, ends: deadline},
		"pods that do not start": {status: func(since time.Duration) *kuscia.ServingStatusDetail {
			if since < 10*time.Second {
				return runs
			}
			return detail(partial, pods("alice", 3, 2, 1, 1), pods("bob", 1, 1, 0, 1))
		}, ends: 10*time.Second + deadline},
		"alternating reasons": {status: func(since time.Duration) *kuscia.ServingStatusDetail {
			if int(since/(5*time.Second))%2 == 0 {
				return pulling("ErrImagePull")
			}
			return pulling("ImagePullBackOff")
		}, ends: 5*time.Second + deadline},
		"an outage during the wait": {
			status: func(time.Duration) *kuscia.ServingStatusDetail { return pulling("ErrImagePull") },
			fail:   func(since time.Duration) bool { return since > 10*time.Second && since < 50*time.Second },
			ends:   40*time.Second + deadline,
		},
		"slow progress": {status: func(since time.Duration) *kuscia.ServingStatusDetail {
			done := min(int32(since/(25*time.Second)), 7)
			if done == 7 {
				return runs
			}
			return detail(progress, pods("alice", 2+done, 0, 2, 1), pods("bob", 1, 1, 0, 1))
		}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			inTime(t, func(t *testing.T) {
				began := time.Now()
				source := &fakeSource{status: func(string) (*kuscia.ServingStatusDetail, bool) { return c.status(time.Since(began)), true }}
				if c.fail != nil {
					source.fail = func([]string) error {
						if c.fail(time.Since(began)) {
							return kuscia.ErrUnavailable
						}
						return nil
					}
				}
				target := since(rolling(RollingReplacement, named("glm")), runs)
				target.ProgressDeadline = deadline
				_, err := NewPoller(source).WaitRunning(t.Context(), target)
				if c.ends == 0 {
					if err != nil {
						t.Error(err)
					}
					return
				}
				var e *NotRunningError
				took := time.Since(began)
				if !errors.As(err, &e) || e.Cause != CauseNoProgress || took < c.ends-time.Second || took > c.ends+4*time.Second {
					t.Fatalf("after %s: %v", took, err)
				}
				if !strings.Contains(err.Error(), "made no progress for 30s (progress_deadline)") {
					t.Error(err)
				}
			})
		})
	}
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

// The error for a rolling update without progress mentions new pods that do not
// start, and the last reason that Kuscia gave during the wait.
func TestStuckRolloutIsExplained(t *testing.T) {
	inTime(t, func(t *testing.T) {
		began := time.Now()
		pulling := detail(progress, pods("alice", 2, 0, 2, 1), pods("bob", 1, 1, 0, 1))
		pulling.Reason, pulling.Message = "domainID: alice, reason: ImagePullBackOff", `Back-off pulling image "example/x:9"`
		source := &fakeSource{status: play(began, step{3 * time.Second, runs}, step{6 * time.Second, pulling},
			step{0, detail(partial, pods("alice", 3, 2, 1, 2), pods("bob", 1, 1, 0, 1))})}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		_, err := NewPoller(source).WaitRunning(ctx, since(rolling(RollingReplacement, named("glm")), runs))
		for _, part := range []string{"most likely the new pods do not start, and the old ones are kept", "after the start of the wait, Kuscia reported: domainID: alice, reason: ImagePullBackOff", `"example/x:9"`, "cannot be pulled"} {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%q is not in\n%v", part, err)
			}
		}
	})
}

// If an earlier run on another machine started a rollout, and by that machine's
// clock it is in the future, the wait is no longer than for one that starts now.
func TestClockOfAnotherMachine(t *testing.T) {
	for _, rollout := range []PodReplacement{NoReplacement, RollingReplacement} {
		inTime(t, func(t *testing.T) {
			began := time.Now()
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute)
			defer cancel()
			target := since(rolling(rollout, named("glm")), runs)
			target.Since = began.Add(time.Hour)
			_, err := NewPoller(&fakeSource{status: play(began, step{0, runs})}).WaitRunning(ctx, target)
			if took := time.Since(began); err != nil || took > StartTimeout+5*time.Second {
				t.Errorf("rollout %d: after %s: %v", rollout, took, err)
			}
		})
	}
}
