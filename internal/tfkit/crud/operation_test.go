package crud_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// workshop makes widgets by operations of its own.
type workshop struct {
	server *widgets
	// failed is why a wait fails; refused is why nothing may be made.
	failed  error
	refused string
	// ended counts the operations that have ended.
	ended int
	// memory is that of the last refresh, and warning what a refresh says.
	memory, warning string
}

// note is what a workshop remembers.
type note struct{ Did string }

func newWorkshop(t *testing.T, adopt bool) (*bench, *workshop) {
	t.Helper()
	w := &workshop{}
	b := newBench(t, adopt, func(s *crud.Spec[widget]) {
		s.Rollout = &crud.Rollout[widget]{WaitText: "Wait.", CompleteText: "Complete.", Timeouts: definition.Timeouts{Create: 5e9, Update: 5e9}, CheckMemory: crud.Decodes[note]}
		s.Steps = func(declared crud.Steps[widget]) crud.Steps[widget] { return ownSteps{declared, w} }
	})
	w.server = b.server
	return b, w
}

// ownSteps are those of a workshop.
type ownSteps struct {
	crud.Steps[widget]

	*workshop
}

func (ownSteps) Differences(desired definition.Value, _ crud.ID, found *widget, _ crud.Memory) []path.Path {
	if n, _ := definition.NumberOf(definition.FieldsOf(desired)["size"]); n != found.size {
		return []path.Path{path.Root("size")}
	}
	return nil
}

func (ownSteps) UnmanagedDifferences(_ context.Context, _ *run.Run, _ definition.Value, found *widget) []path.Path {
	if len(found.labels) > 0 {
		return []path.Path{path.Root("labels")}
	}
	return nil
}

func (w ownSteps) Prepare(_ context.Context, _ *run.Run, change crud.Change[widget], diags *diag.Diagnostics) crud.Operation[widget] {
	if w.refused != "" {
		diags.AddError("Refused", w.refused)
	}
	api := w.server.api()
	op := crud.Operation[widget]{
		Planned: change.Value, Desired: change.Value, Create: change.Desired,
		Before: crud.Remember(note{"sent"}), After: crud.Remember(note{"made"}), Adopted: crud.Remember(note{"adopted"}),
		End: func() { w.ended++ },
	}
	if change.Before != nil && change.Before.size != change.Desired.size {
		op.IfUnknown = definition.WithRollout(change.Prior, definition.BoolValue(false))
		op.Update = func(ctx context.Context) (crud.Sent, error) {
			return crud.Sent{Desired: change.Value}, api.Update(ctx, change.Desired, change.Before)
		}
	}
	if definition.WaitsForRollout(change.Value) && (op.Update != nil || !definition.IsRolloutComplete(change.Prior)) {
		op.Watch = w.watch
	}
	return op
}

// watch begins a wait that is over at once.
func (w *workshop) watch(_ context.Context, _ crud.Watched[widget]) crud.Watch[widget] {
	return crud.Watch[widget]{
		Probe: func(context.Context) (crud.Progress, error) { return crud.Progress{Done: true}, nil },
		End: func(context.Context, crud.Progress, error) crud.Progress {
			return crud.Progress{Done: true, Failed: w.failed, Memory: crud.Remember(note{"awaited"})}
		},
		Query: func(ctx context.Context, id crud.ID) (*widget, error) {
			found, err := w.server.api().Query(ctx, id)
			if err == nil {
				found.seen = true
			}
			return found, err
		},
	}
}

// Refresh remembers what it was told of an apply, and sets rollout_complete.
func (w ownSteps) Refresh(_ context.Context, _ *run.Run, watched crud.Watched[widget], found *widget, diags *diag.Diagnostics) (definition.Value, crud.Memory) {
	known := crud.Recall[note](watched.Memory)
	if found.seen {
		known.Did += ", seen"
	}
	w.memory = known.Did
	if w.warning != "" {
		diags.AddWarning("Doubtful", w.warning)
	}
	state := definition.WithFields(watched.Planned, map[string]definition.Value{"size": definition.NumberValue(found.size)})
	return state, crud.Remember(known)
}

// TestOperation: what an operation remembers is saved before its wait, after it, and when it is
// unknown whether it was carried out. Nothing is sent without a request of its own.
func TestOperation(t *testing.T) {
	t.Parallel()
	b, w := newWorkshop(t, false)
	lost := lostResponse(t)
	state := b.None()
	for i, step := range []struct {
		size           int64
		failed         error
		lost           bool
		says, complete string
		// remembered is known by the next refresh.
		remembered string
		updates    int
	}{
		{1, nil, false, "", "true", "awaited, seen", 0},
		{2, errors.New("it is broken"), false, "was updated but does not run", "false", "awaited", 1},
		{2, errors.New("it is broken"), false, "Widget still does not run", "false", "awaited", 1},
		{2, nil, false, "", "true", "awaited, seen", 1},
		{3, nil, true, "Unable to update widget", "false", "sent", 2},
	} {
		w.failed, b.server.onUpdate = step.failed, nil
		if step.lost {
			b.server.onUpdate = func(effect func()) error { effect(); return lost }
		}
		var said string
		state, said = b.Apply(t, b.configured(tree{"size": step.size}), state)
		if isComplete(state) != step.complete || !strings.Contains(said, step.says) || (said == "") != (step.says == "") || b.server.updates != step.updates {
			t.Fatalf("step %d: rollout_complete is %s after %d updates; says %s", i, isComplete(state), b.server.updates, said)
		}
		if w.ended != i+1 {
			t.Errorf("step %d: %d operations have ended", i, w.ended)
		}
		if _, state = b.Read(t, state); w.memory != step.remembered {
			t.Errorf("step %d: %q is remembered, want %q", i, w.memory, step.remembered)
		}
	}
	w.refused = "not now"
	if kept, said := b.Apply(t, b.configured(tree{"size": 9}), state); !strings.Contains(said, w.refused) || b.server.updates != 2 || kept.Value.IsNull() {
		t.Errorf("after %d updates it says %s", b.server.updates, said)
	}
}

// TestRefreshShortcut: a refresh that changes nothing is a shortcut, unless it warns.
func TestRefreshShortcut(t *testing.T) {
	t.Parallel()
	b, w := newWorkshop(t, false)
	fast := crudtest.NewFastServer(t, b.object, &run.Run{})
	state, _ := b.Apply(t, b.configured(nil), b.None())
	_, state = b.Read(t, state)
	for _, w.warning = range []string{"", "it is old"} {
		if read, _ := fast.Read(t, state); len(read.Diagnostics) > 0 != (w.warning != "") || fast.Taken["read"] != 1 {
			t.Errorf("%d shortcuts: %s", fast.Taken["read"], crudtest.Messages(read.Diagnostics))
		}
	}
}

// TestUncertainRollout: after a lost response to an update nobody knows what runs, until a refresh
// sees it, which is told what is desired.
func TestUncertainRollout(t *testing.T) {
	t.Parallel()
	w, lost := &workshop{}, lostResponse(t)
	runs := func(_ context.Context, _ *run.Run, watched crud.Watched[widget], found *widget) (bool, error) {
		desired, _ := definition.NumberOf(definition.FieldsOf(watched.Desired)["size"])
		return desired == found.size, nil
	}
	watch := func(ctx context.Context, _ *run.Run, watched crud.Watched[widget]) crud.Watch[widget] {
		return w.watch(ctx, watched)
	}
	b := newBench(t, false, func(s *crud.Spec[widget]) {
		s.Rollout = &crud.Rollout[widget]{Timeouts: definition.Timeouts{Create: 5e9, Update: 5e9}, Watch: watch, Runs: runs, CheckMemory: crud.Decodes[note]}
	})
	w.server = b.server
	state, _ := b.Apply(t, b.configured(tree{"size": int64(1)}), b.None())
	b.server.onUpdate = func(effect func()) error { effect(); return lost }
	after, said := b.Apply(t, b.configured(tree{"size": int64(2)}), state)
	if isComplete(state) != "true" || isComplete(after) != "false" {
		t.Errorf("rollout_complete was %s and is %s: %s", isComplete(state), isComplete(after), said)
	}
	if read, after := b.Read(t, after); isComplete(after) != "true" {
		t.Errorf("rollout_complete is %s after a refresh: %s", isComplete(after), crudtest.Messages(read.Diagnostics))
	}
}

// TestOperationAdopts: an object that was adopted is remembered as such, and one with what nobody
// configured is not adopted.
func TestOperationAdopts(t *testing.T) {
	t.Parallel()
	b, w := newWorkshop(t, true)
	b.server.put(widget{domain: "alice", id: "made-alice", size: 3, labels: map[string]string{"a": "b"}})
	if state, said := b.Apply(t, b.configured(nil), b.None()); !state.Value.IsNull() || !strings.Contains(said, "differs from the configuration in labels") {
		t.Errorf("state %s, diagnostics %s", state.Value, said)
	}
	b.server.put(widget{domain: "alice", id: "made-alice", size: 3})
	state, said := b.Apply(t, b.configured(tree{"wait_for_rollout": false}), b.None())
	if _, _ = b.Read(t, state); !strings.Contains(said, "existed and was adopted") || w.memory != "adopted" {
		t.Errorf("%q is remembered, diagnostics %s", w.memory, said)
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
