package rollout

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/model"
	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// TestRolloutAfterAnOutage: controllers do nothing while their API server is
// away, and lag once it is back. A refresh believes pods that look as before the
// update only after the time that a lag can take, counted from when Kuscia
// answers again, and says so.
func TestRolloutAfterAnOutage(t *testing.T) {
	t.Parallel()
	sent := time.Date(2026, 1, 8, 12, 0, 0, 0, time.UTC)
	state := StateOf(ConfigOf(PartyOf("alice", Replicas(2))))
	runs := PodsStatus(state, 2, 2)
	target := CreateTarget(state)
	target.Updated, target.Since, target.Before = true, sent, &wait.Snapshot{Status: runs}
	target.Parties[0].Replacement = wait.RollingReplacement
	ended := func(steady time.Time) model.Private {
		return AfterWait(model.Private{Rollout: NewPendingRollout(target)}, wait.Result{},
			&wait.NotRunningError{Target: target, Started: []bool{false}, ReachableSince: steady, Cause: wait.CauseTimedOut, Err: context.DeadlineExceeded})
	}
	state.RolloutComplete = types.BoolValue(false)
	read := func(private model.Private, at time.Time) (bool, model.Private, []string) {
		next := state
		var after model.Private
		next.RolloutComplete, after = RefreshRolloutComplete(state, next, &kuscia.Serving{Status: runs}, private, at, nil)
		return next.RolloutComplete.ValueBool(), after, AssumedComplete(state, next, private, runs, at, nil)
	}
	later := sent.Add(10 * time.Minute)
	for name, test := range map[string]struct {
		private model.Private
		at      time.Time
		want    bool
	}{
		"Kuscia answered all the time":                  {ended(sent), sent.Add(2 * wait.StartTimeout), true},
		"and not for long yet":                          {ended(sent), sent.Add(wait.StartTimeout - time.Second), false},
		"it was away, and answered when the wait ended": {ended(sent.Add(time.Minute)), sent.Add(wait.StartTimeout + time.Second), false},
		"it was away when the wait ended":               {ended(time.Time{}), later, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			complete, after, warned := read(test.private, test.at)
			if complete != test.want || (after.Rollout == nil) != test.want {
				t.Errorf("complete %t, then %+v", complete, after.Rollout)
			}
			if test.want != slices.Equal(warned, []string{"alice"}) || !test.want && warned != nil {
				t.Errorf("warned of %q", warned)
			}
		})
	}

	_, after, _ := read(ended(time.Time{}), later)
	if complete, _, _ := read(after, later.Add(wait.StartTimeout-time.Second)); complete {
		t.Error("complete before the time is over that began with the first answer")
	}
	if complete, _, warned := read(after, later.Add(wait.StartTimeout+time.Second)); !complete || len(warned) == 0 {
		t.Error("not complete, or not warned of, after Kuscia has answered for long enough")
	}
	if again := ResumedTarget(state, after); !again.ReachableSince.Equal(later) {
		t.Errorf("the next wait counts from %s", again.ReachableSince)
	}
	if seen := AfterWait(ended(sent), wait.Result{}, &wait.NotRunningError{Target: target, Started: []bool{true}, Err: errors.New("any")}); seen.Rollout.NotStarted != nil {
		t.Errorf("still to be seen: %+v", seen.Rollout.NotStarted)
	}
}
