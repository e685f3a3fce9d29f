package kruise

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// TestPauseTimer: what has passed of a pause counts, unless the pause lasts longer than
// that: the clock of the cluster is another one then.
func TestPauseTimer(t *testing.T) {
	t.Parallel()
	const limit = 20 * time.Minute
	for name, test := range map[string]struct {
		// passed is the time since the pause began, by the clock of the cluster.
		pause, passed time.Duration
		unknown       bool
		// first is the result of the first look, later that of a look some time after.
		first bool
		after time.Duration
		later bool
	}{
		"a short pause":             {pause: time.Minute},
		"a long pause, begins":      {pause: time.Hour, first: true, after: time.Minute, later: true},
		"a long pause, nearly over": {pause: time.Hour, passed: 50 * time.Minute, after: 10 * time.Minute},
		"a long pause, overdue":     {pause: time.Hour, passed: 2 * time.Hour, after: clockSkewThreshold - time.Second},
		"a clock that is behind":    {pause: time.Hour, passed: time.Hour, after: clockSkewThreshold, later: true},
		"a clock that is ahead":     {pause: 15 * time.Minute, passed: -10 * time.Minute, after: time.Minute},
		"an unknown time":           {pause: time.Hour, unknown: true, first: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), limit)
				defer cancel()
				release := Release{State: TimedPause, Step: 1, PauseSeconds: int32(test.pause.Seconds())}
				if !test.unknown {
					release.StepStateSince = time.Now().Add(-test.passed)
				}
				timer := &PauseTimer{}
				if got := timer.OutlastsWait(ctx, release); got != test.first {
					t.Errorf("at first %t", got)
				}
				time.Sleep(test.after)
				if got := timer.OutlastsWait(ctx, release); test.after > 0 && got != test.later {
					t.Errorf("after %s %t", test.after, got)
				}
				if (&PauseTimer{}).OutlastsWait(t.Context(), Release{State: TimedPause, PauseSeconds: 1 << 20}) {
					t.Error("a pause exceeds the deadline of a wait without one")
				}
				if timer.OutlastsWait(ctx, Release{State: AwaitingApproval, PauseSeconds: 1 << 20}) {
					t.Error("a pause until an approval exceeds the deadline")
				}
			})
		})
	}
}

// TestStuckTimer: a release that looks stuck counts as such only if it does so at the
// same step for some time.
func TestStuckTimer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		stuck := func(step int32, revision string) Release {
			return Release{State: Stuck, Step: step, Revision: revision, StepStateSince: began}
		}
		timer := &StuckTimer{}
		for i, test := range []struct {
			after   time.Duration
			release Release
			want    ReleaseState
		}{
			{0, stuck(1, "a"), StepInProgress},
			{stuckDelay - time.Second, stuck(1, "a"), StepInProgress},
			{0, stuck(2, "a"), StepInProgress},
			{stuckDelay - time.Second, stuck(2, "b"), StepInProgress},
			{time.Second, Release{State: AwaitingApproval, Step: 2}, AwaitingApproval},
			{stuckDelay, stuck(2, "b"), StepInProgress},
			{stuckDelay, stuck(2, "b"), Stuck},
			{time.Minute, stuck(2, "b"), Stuck},
			{0, stuck(3, "b"), StepInProgress},
		} {
			time.Sleep(test.after)
			if got := timer.Confirm(test.release).State; got != test.want {
				t.Errorf("%d: %s, want %s", i, got, test.want)
			}
		}
	})
}
