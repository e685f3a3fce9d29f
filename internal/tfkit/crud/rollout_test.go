package crud_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// machine is what runs widgets.
type machine struct {
	progress crud.Progress
	// refused is why nothing may be sent.
	refused string
	// remembered is how often something was remembered, recalled the last memory of a wait.
	remembered, recalled int
	last                 crud.Watched[widget]
}

func (m *machine) run(s *crud.Spec[widget]) {
	s.Rollout = &crud.Rollout[widget]{
		WaitText: "Wait.", CompleteText: "Complete.", Pace: wait.Interval{First: time.Second, Longest: time.Second}, MayEndOtherwise: func(*clients.Clients, crud.Planned) bool { return true },
		Timeouts: definition.Timeouts{Create: 5 * time.Second, Update: 5 * time.Second},
		Before: func(context.Context, *clients.Clients, crud.Change[widget]) (memory crud.Memory, diags diag.Diagnostics) {
			if m.refused != "" {
				diags.AddError("Refused", m.refused)
			}
			m.remembered++
			return crud.Remember(m.remembered), diags
		},
		Watch: func(_ context.Context, _ *clients.Clients, w crud.Watched[widget]) crud.Watch {
			m.last, m.recalled = w, crud.Recall[int](w.Memory)
			return crud.Watch{
				Probe: func(context.Context) (crud.Progress, error) { return m.progress, nil },
				End: func(_ context.Context, last crud.Progress, _ error) crud.Progress {
					last.Text = "it stands still"
					return last
				},
			}
		},
		Runs: func(context.Context, *clients.Clients, crud.Watched[widget], *widget) (bool, error) {
			return m.progress.Done, nil
		},
	}
}

// isComplete is rollout_complete of a state.
func isComplete(state crudtest.State) string {
	switch complete := definition.FieldsOf(state.Value)["rollout_complete"]; {
	case complete.IsNull():
		return "null"
	case definition.BoolOf(complete):
		return "true"
	}
	return "false"
}

// rolloutStep is an apply of a widget that is expected to end with a text and a state.
type rolloutStep struct {
	with           tree
	progress       crud.Progress
	says, complete string
	// updates is how many updates were sent by then.
	updates int
}

// TestRollout: a create and an update are saved before the wait. A rollout that was not seen
// to end is waited for by the next apply, which sends nothing again, or ends with a refresh.
func TestRollout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := &machine{}
		b := newBench(t, false, m.run)
		done, failed := crud.Progress{Done: true}, crud.Progress{Failed: errors.New("it is broken")}
		paused := crud.Progress{Paused: true}
		paused.Warnings.AddWarning("Held", "by another client")
		state := b.None()
		for i, step := range []rolloutStep{
			{tree{}, done, "", "true", 0},
			{tree{"size": 4}, crud.Progress{}, "To wait longer, increase timeouts.update, which is 5s; to skip the wait, set wait_for_rollout = false", "false", 1},
			{tree{"size": 4}, failed, "It is broken", "false", 1},
			{tree{"size": 4}, done, "", "true", 1},
			{tree{"size": 5}, paused, "Held", "false", 2},
			{tree{"size": 5, "wait_for_rollout": false}, crud.Progress{}, "", "null", 2},
			{tree{"size": 6, "wait_for_rollout": false}, crud.Progress{}, "", "null", 3},
			{tree{"size": 6}, done, "", "true", 3},
		} {
			var said string
			m.progress = step.progress
			state, said = b.Apply(t, b.configured(step.with), state)
			if isComplete(state) != step.complete || !strings.Contains(said, step.says) || (said == "") != (step.says == "") || b.server.updates != step.updates {
				t.Fatalf("step %d: rollout_complete is %s after %d updates; says %s", i, isComplete(state), b.server.updates, said)
			}
			if sent := step.updates + 1; m.remembered != sent || step.complete != "null" && m.recalled != sent {
				t.Errorf("step %d: remembered %d times, recalled %d", i, m.remembered, m.recalled)
			}
			if step.complete == "true" && !m.last.Resumed {
				b.CheckNoDrift(t, b.configured(step.with), state)
			}
		}
		if !m.last.Resumed || m.last.Created {
			t.Errorf("the last wait was %+v", m.last)
		}
	})
}

// TestRolloutUncertain: after a lost response to an update, and after a change that no apply
// has made, the rollout is not complete until a refresh sees the object run.
func TestRolloutUncertain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := &machine{progress: crud.Progress{Done: true}}
		b := newBench(t, false, m.run)
		lost := lostResponse(t)
		state := b.ApplyWithoutWarnings(t, b.configured(nil), b.None())
		m.refused = "not now"
		if kept, said := b.Apply(t, b.configured(tree{"size": 4}), state); isComplete(kept) != "true" || !strings.Contains(said, m.refused) || b.server.updates > 0 {
			t.Errorf("refused: rollout_complete is %s after %d updates; says %s", isComplete(kept), b.server.updates, said)
		}
		m.refused = ""
		b.server.onUpdate = func(effect func()) error { effect(); return lost }
		state, said := b.Apply(t, b.configured(tree{"size": 4}), state)
		if isComplete(state) != "false" || !strings.Contains(said, "Unable to update widget") {
			t.Errorf("rollout_complete is %s; says %s", isComplete(state), said)
		}
		b.server.onUpdate = nil
		for _, runs := range []bool{false, true} {
			m.progress.Done = runs
			if _, state = b.Read(t, state); (isComplete(state) == "true") != runs {
				t.Errorf("it runs: %t, and rollout_complete is %s", runs, isComplete(state))
			}
		}
		m.progress.Done = false
		if _, state = b.Read(t, state); isComplete(state) != "true" {
			t.Errorf("an object that fails later has rollout_complete = %s", isComplete(state))
		}
		other := b.server.has["alice/made-alice"]
		other.size = 9
		b.server.put(other)
		if _, state = b.Read(t, state); isComplete(state) != "false" {
			t.Errorf("after a change by another client rollout_complete is %s", isComplete(state))
		}
	})
}
