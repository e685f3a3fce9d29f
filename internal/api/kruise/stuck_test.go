package kruise

import (
	"testing"
	"testing/synctest"
	"time"
)

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
