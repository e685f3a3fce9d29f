package rules_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/servingstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// TestClockSetBack: after the clock was set back by hours, a rollout is complete after
// servingstatus.StartTimeout and not when the clock has reached the time of the update.
func TestClockSetBack(t *testing.T) {
	t.Parallel()
	sent := time.Date(2026, 1, 8, 12, 0, 0, 0, time.UTC)
	state := StateOf(ConfigOf(PartyOf("alice", Replicas(2))))
	runs := PodsStatus(state, 2, 2)
	target := rules.CreateTarget(state)
	target.Updated, target.Since, target.Before = true, sent, &servingstatus.Snapshot{Status: runs}
	target.Parties[0].Replacement = servingstatus.RollingReplacement
	state.RolloutComplete = types.BoolValue(false)
	private := rules.Private{Rollout: rules.NewPendingRollout(target)}
	for _, step := range []struct {
		at   time.Duration
		want bool
	}{{time.Second, false}, {-3 * time.Hour, false}, {-3*time.Hour + servingstatus.StartTimeout - time.Second, false}, {-3*time.Hour + servingstatus.StartTimeout, true}} {
		var complete types.Bool
		complete, private = rules.RefreshRolloutComplete(state, state, &kuscia.Serving{Status: runs}, private, sent.Add(step.at), nil)
		if complete.ValueBool() != step.want {
			t.Errorf("at %s: complete %s, then %+v", step.at, complete, private.Rollout)
		}
	}
}

// TestRolloutAfterAnOutage: controllers do nothing while their API server is
// unreachable, and lag afterwards. A refresh accepts pods that are as before the
// update only after the longest possible lag, counted from when Kuscia responds
// again, and warns.
func TestRolloutAfterAnOutage(t *testing.T) {
	t.Parallel()
	sent := time.Date(2026, 1, 8, 12, 0, 0, 0, time.UTC)
	state := StateOf(ConfigOf(PartyOf("alice", Replicas(2))))
	runs := PodsStatus(state, 2, 2)
	target := rules.CreateTarget(state)
	target.Updated, target.Since, target.Before = true, sent, &servingstatus.Snapshot{Status: runs}
	target.Parties[0].Replacement = servingstatus.RollingReplacement
	ended := func(steady time.Time) rules.Private {
		return rules.AfterWait(rules.Private{Rollout: rules.NewPendingRollout(target)}, servingstatus.Result{},
			&servingstatus.NotRunningError{Target: target, Started: []bool{false}, ReachableSince: steady, Cause: servingstatus.CauseTimedOut, Err: context.DeadlineExceeded})
	}
	state.RolloutComplete = types.BoolValue(false)
	read := func(private rules.Private, at time.Time) (bool, rules.Private, []string) {
		next := state
		var after rules.Private
		next.RolloutComplete, after = rules.RefreshRolloutComplete(state, next, &kuscia.Serving{Status: runs}, private, at, nil)
		return next.RolloutComplete.ValueBool(), after, rules.AssumedComplete(state, next, private, runs, at, nil)
	}
	later := sent.Add(10 * time.Minute)
	for name, test := range map[string]struct {
		private rules.Private
		at      time.Time
		want    bool
	}{
		"no outage":                       {ended(sent), sent.Add(2 * servingstatus.StartTimeout), true},
		"no outage, before the timeout":   {ended(sent), sent.Add(servingstatus.StartTimeout - time.Second), false},
		"outage over when the wait ended": {ended(sent.Add(time.Minute)), sent.Add(servingstatus.StartTimeout + time.Second), false},
		"outage when the wait ended":      {ended(time.Time{}), later, false},
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
	if complete, _, _ := read(after, later.Add(servingstatus.StartTimeout-time.Second)); complete {
		t.Error("complete before the time since the first response has passed")
	}
	if complete, _, warned := read(after, later.Add(servingstatus.StartTimeout+time.Second)); !complete || len(warned) == 0 {
		t.Error("not complete, or without a warning, after Kuscia has been reachable for long enough")
	}
	if again := rules.ResumedTarget(state, after); !again.ReachableSince.Equal(later) {
		t.Errorf("the next wait counts from %s", again.ReachableSince)
	}
	if seen := rules.AfterWait(ended(sent), servingstatus.Result{}, &servingstatus.NotRunningError{Target: target, Started: []bool{true}, Err: errors.New("any")}); seen.Rollout.NotStarted != nil {
		t.Errorf("not started: %+v", seen.Rollout.NotStarted)
	}
}
