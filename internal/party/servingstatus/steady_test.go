package servingstatus

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/judge"
)

// A wait that ends before it has observed the start of its rollout returns since
// when the server has been reachable, and the next wait continues from there.
func TestSteadySince(t *testing.T) {
	for name, test := range map[string]struct {
		// The server is unreachable between from and until, counted from the
		// start of the first wait, which ends after a minute.
		from, until time.Duration
		// next is how long the next wait takes, which starts 20 s later.
		next time.Duration
	}{
		"no outage":                     {0, 0, StartTimeout - 80*time.Second},
		"an outage":                     {20 * time.Second, 40 * time.Second, StartTimeout - 40*time.Second},
		"an outage at the end":          {50 * time.Second, 65 * time.Second, StartTimeout},
		"an outage that is not noticed": {59 * time.Second, 75 * time.Second, StartTimeout - 80*time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			inTime(t, func(t *testing.T) {
				began := time.Now()
				source := &fakeSource{status: always(runs), fail: func([]string) error {
					if since := time.Since(began); since >= test.from && since < test.until {
						return kuscia.ErrUnavailable
					}
					return nil
				}}
				target := since(rolling(judge.RollingReplacement, named("glm")), runs)
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				_, err := NewPoller(source).WaitRunning(ctx, target)
				var failed *NotRunningError
				if !errors.As(err, &failed) || failed.Verdict.Reason != judge.StartNotObserved && failed.StatusErr == nil {
					t.Fatal(err)
				}
				time.Sleep(20 * time.Second)
				if failed.ReachableSince.IsZero() {
					failed.ReachableSince = time.Now() // as the refresh of the next apply does
				}
				target.ReachableSince = failed.ReachableSince
				again := time.Now()
				result, err := NewPoller(source).WaitRunning(t.Context(), target)
				if took := time.Since(again); err != nil || took < test.next || took > test.next+4*time.Second || !slices.Contains(result.StartNotObserved, "alice") {
					t.Errorf("the wait took %s, want %s: %+v, %v", took, test.next, result, err)
				}
			})
		})
	}
}

// TestOutage: while no request has failed, the client may only have retried one for as long.
func TestOutage(t *testing.T) {
	slow := &Wait{options: options{outage: 10 * second}}
	failed := &Wait{options: slow.options, lastPollErr: kuscia.ErrUnavailable}
	if failed.isOutage(9*second) || !failed.isOutage(11*second) || slow.isOutage(19*second) || !slow.isOutage(21*second) {
		t.Error("an outage begins at another time")
	}
}

// The time between two waits does not count as time without progress.
func TestProgressOfALaterWait(t *testing.T) {
	inTime(t, func(t *testing.T) {
		began := time.Now()
		target := since(rolling(judge.RollingReplacement, named("glm")), runs)
		target.ReachableSince, target.ProgressDeadline = began.Add(-10*time.Second), 20*time.Second
		target.Since = began.Add(-time.Hour)
		_, err := NewPoller(&fakeSource{status: always(runs)}).WaitRunning(t.Context(), target)
		var failed *NotRunningError
		if took := time.Since(began); !errors.As(err, &failed) || failed.Cause != CauseNoProgress || took < 20*time.Second {
			t.Errorf("after %s: %v", took, err)
		}
	})
}

// TestClockOfAnotherMachine: a rollout that an earlier run started in the future, by the clock of
// its machine, is awaited no longer than one that starts now.
func TestClockOfAnotherMachine(t *testing.T) {
	inTime(t, func(t *testing.T) {
		target := update(runs)
		target.Since = time.Now().Add(time.Hour)
		waitCase{status: still(runs), target: target, limit: 20 * minute, after: StartTimeout, notSeen: []string{"alice", "bob"}}.test(t)
	})
}
