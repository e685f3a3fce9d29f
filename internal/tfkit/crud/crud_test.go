package crud_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

type tree = definition.Tree

// TestImportID: an ID needs all its parts.
func TestImportID(t *testing.T) {
	t.Parallel()
	b := newBench(t, false)
	for id, want := range map[string]string{"alice": "2 parts", "/x": "domain_id is empty", "": "2 parts"} {
		if _, said := b.Import(t, id); !strings.Contains(said, want) {
			t.Errorf("%q: %s", id, said)
		}
	}
}

// TestObserved: after an import, a string that the configuration sets in
// neither form is kept by updates of other attributes, until the configuration
// sets it; a replacement that would lose it is refused.
func TestObserved(t *testing.T) {
	t.Parallel()
	b := newBench(t, false)
	without := func(size int) definition.Value { return b.configured(tree{"size": size, "access": tree{}}) }
	secret := func() string { return b.server.has["alice/made-alice"].secret }
	state := b.ApplyWithoutWarnings(t, b.configured(tree{"access": tree{"secret": "theirs"}}), b.None())
	if state = b.ApplyWithoutWarnings(t, without(3), state); secret() != "" {
		t.Errorf("a removed string is still stored: %q", secret())
	}
	b.ApplyWithoutWarnings(t, b.configured(tree{"access": tree{"secret": "theirs"}}), state)
	imported := b.Imported(t, "alice/made-alice")
	b.CheckNoDrift(t, without(3), imported)
	fast := crudtest.NewFastServer(t, b.object, &run.Run{})
	crudtest.CompareResponses(t, b.Server, fast, without(3), imported)
	if fast.Taken["plan"] == 0 || fast.Taken["read"] == 0 {
		t.Errorf("the shortcuts answered %v", fast.Taken)
	}
	for size := range 2 {
		if imported = b.ApplyWithoutWarnings(t, without(size), imported); secret() != "theirs" || definition.StringOf(definition.FieldsOf(definition.FieldsOf(imported.Value)["access"])["secret"]) != "theirs" {
			t.Errorf("after an update of another attribute the server has %q, the state %s", secret(), imported.Value)
		}
	}
	for name, test := range map[string]struct {
		with    tree
		refused bool
	}{
		"by the provider":           {tree{"domain_id": "bob", "access": tree{}}, true},
		"by -replace":               {tree{"size": 1, "access": tree{}}, true},
		"with a text":               {tree{"size": 1, "access": tree{"secret": "ours"}}, false},
		"with none":                 {tree{"size": 1, "access": tree{"secret": ""}}, false},
		"with the write-only value": {tree{"size": 1, "access": tree{"secret_wo": "ours", "secret_wo_version": 1}}, false},
	} {
		for _, server := range []*crudtest.Server{b.Server, fast} {
			said := server.ReplacementDiagnostics(t, b.configured(test.with), imported)
			if strings.Contains(said, "ERROR") != test.refused || test.refused && !strings.Contains(said, "access.secret of the imported widget is not in the configuration") {
				t.Errorf("a replacement %s says %s", name, said)
			}
		}
	}
	b.server.onUpdate = func(func()) error { return errors.New("not now") } // sets nothing
	imported, _ = b.Apply(t, b.configured(tree{"size": 2, "access": tree{"secret_wo": "ours", "secret_wo_version": 1}}), imported)
	b.server.onUpdate = nil
	if imported = b.ApplyWithoutWarnings(t, without(3), imported); secret() != "theirs" {
		t.Errorf("after an update that failed the server has %q", secret())
	}
	for name, access := range map[string]tree{"another": {"secret": "ours"}, "hidden": {"secret_wo": "ours", "secret_wo_version": 1}, "empty": {"secret": ""}} {
		state := b.ApplyWithoutWarnings(t, b.configured(tree{"size": 1, "access": access}), imported)
		want := "ours"
		if name == "empty" {
			want = ""
		}
		if secret() != want {
			t.Errorf("%s: the server has %q", name, secret())
		}
		if b.ApplyWithoutWarnings(t, without(1), state); secret() != "" {
			t.Errorf("%s: a text that is taken away stays: %q", name, secret())
		}
		b.ApplyWithoutWarnings(t, b.configured(tree{"size": 1, "access": tree{"secret": "theirs"}}), state)
	}
}

// TestWriteOnlyCompared: an update that compares first keeps a write-only value whose version has
// not changed, and what it reads back is compared with it.
func TestWriteOnlyCompared(t *testing.T) {
	t.Parallel()
	b := newBench(t, false, func(s *crud.Spec[widget]) {
		s.Writes.CompareFirst = true
		made := s.API
		s.API = func(c *run.Run) crud.API[widget] {
			api := made(c)
			api.UpdateObject = func(ctx context.Context, update crud.Update[widget]) error {
				found, err := api.Query(ctx, update.ID)
				if err != nil {
					return err
				}
				desired, done, err := update.Compare(found, false)
				if done || err != nil {
					return err
				}
				return api.Update(ctx, desired, found)
			}
			return api
		}
	})
	with := func(size int, text string) definition.Value {
		return b.configured(tree{"size": size, "access": tree{"secret_wo": text, "secret_wo_version": 1}})
	}
	state := b.ApplyWithoutWarnings(t, with(1, "first"), b.None())
	b.ApplyWithoutWarnings(t, with(2, "another"), state)
	if has := b.server.has["alice/made-alice"]; has.size != 2 || has.secret != "first" {
		t.Errorf("the server has %+v", has)
	}
}

// TestWriteOnly: a write-only value is neither in the state nor in the plan. It
// is sent when its version changes, and kept otherwise.
func TestWriteOnly(t *testing.T) {
	t.Parallel()
	b := newBench(t, false)
	hidden := func(text string, version, size int) definition.Value {
		return b.configured(tree{"size": size, "access": tree{"secret_wo": text, "secret_wo_version": version}})
	}
	state := b.ApplyWithoutWarnings(t, hidden("hidden-1", 1, 3), b.None())
	secret := func() string { return b.server.has["alice/made-alice"].secret }
	inState := func() bool { return strings.Contains(state.Value.String(), "hidden-") }
	if secret() != "hidden-1" || inState() {
		t.Errorf("the server has %q, the state %s", secret(), state.Value)
	}
	// An update of another attribute sends the whole object, with the value
	// from the server.
	state = b.ApplyWithoutWarnings(t, hidden("hidden-2", 1, 4), state)
	if secret() != "hidden-1" || b.server.has["alice/made-alice"].size != 4 || inState() {
		t.Errorf("the server has %q under the same version", secret())
	}
	state = b.ApplyWithoutWarnings(t, hidden("hidden-2", 2, 4), state)
	if secret() != "hidden-2" || inState() {
		t.Errorf("the server has %q under a new version", secret())
	}
	// From the write-only attribute to the plain one and back.
	state = b.ApplyWithoutWarnings(t, b.configured(tree{"size": 4, "access": tree{"secret": "plain"}}), state)
	if secret() != "plain" {
		t.Errorf("the server has %q", secret())
	}
	state = b.ApplyWithoutWarnings(t, hidden("hidden-3", 1, 4), state)
	if secret() != "hidden-3" || inState() {
		t.Errorf("the server has %q", secret())
	}
	// After an update whose response is lost, the stored value is unknown.
	lost := lostResponse(t)
	b.server.onUpdate = func(effect func()) error { effect(); return lost }
	state, _ = b.Apply(t, hidden("hidden-4", 2, 4), state)
	b.server.onUpdate = nil
	if _, planned := b.Plan(t, hidden("hidden-3", 1, 4), state); planned.Equal(state.Value) {
		t.Error("the next plan with the old version assumes that the old value is stored")
	}
	b.ApplyWithoutWarnings(t, hidden("hidden-4", 2, 4), state)
	if secret() != "hidden-4" {
		t.Errorf("the server has %q", secret())
	}
	for name, access := range map[string]tree{
		"Missing version":        {"secret_wo": "x"},
		"Conflicting attributes": {"secret": "x", "secret_wo": "y", "secret_wo_version": 1},
		"Empty text":             {"secret_wo": "", "secret_wo_version": 1},
		"Invalid version":        {"secret_wo": "x", "secret_wo_version": 0},
	} {
		if response := b.Validate(t, b.configured(tree{"access": access})); len(response.Diagnostics) != 1 || response.Diagnostics[0].Summary != name {
			t.Errorf("%v: %v", access, response.Diagnostics)
		}
	}
}

// TestWriteOnlyNotReturned: an update that sends the whole object is refused, in the plan and before
// anything is sent, if it needs a write-only value that neither the configuration nor the server
// has.
func TestWriteOnlyNotReturned(t *testing.T) {
	t.Parallel()
	returns := false
	b := newBench(t, false, func(s *crud.Spec[widget]) {
		for i, a := range s.Schema.Attributes {
			if a.Name == "access" {
				s.Schema.Attributes[i].Attributes[0].NotReturned = true
			}
		}
		all := s.FromWire
		s.FromWire = func(w *widget) tree {
			out := all(w)
			if w.access && !returns {
				out["access"] = tree{}
			}
			return out
		}
	})
	with := func(size int, access tree) definition.Value {
		return b.configured(tree{"size": size, "access": access})
	}
	state := b.ApplyWithoutWarnings(t, with(1, tree{"secret_wo": "ours", "secret_wo_version": 1}), b.None())
	null := tree{"secret_wo_version": 1}
	b.CheckNoDrift(t, with(1, null), state)
	const want = `access.secret_wo is null, and Kuscia does not return the value that the widget has`
	if plan, _ := b.Plan(t, with(2, null), state); !strings.Contains(crudtest.Messages(plan.Diagnostics), want) {
		t.Errorf("the plan says %s", crudtest.Messages(plan.Diagnostics))
	}
	returns = true
	plan, _ := b.Plan(t, with(2, null), state)
	returns = false
	if said := crudtest.Messages(b.Change(t, with(2, null), state, plan).Diagnostics); !strings.Contains(said, want) || b.server.updates > 0 {
		t.Errorf("after %d updates the apply says %s", b.server.updates, said)
	}
	state = b.ApplyWithoutWarnings(t, with(2, tree{"secret_wo": "ours", "secret_wo_version": 1}), state)
	returns = true
	b.ApplyWithoutWarnings(t, with(3, null), state)
	if has := b.server.has["alice/made-alice"]; has.size != 3 || has.secret != "ours" {
		t.Errorf("the server has %+v", has)
	}
}

// TestSetByOthers: an attribute that the configuration leaves out and another
// client sets between the refresh and the update is neither sent nor reported
// as a failed update.
func TestSetByOthers(t *testing.T) {
	t.Parallel()
	b := newBench(t, false, func(s *crud.Spec[widget]) {
		for i := range s.Schema.Attributes {
			s.Schema.Attributes[i].SetByOthers = s.Schema.Attributes[i].Name == "title"
		}
	})
	state := b.ApplyWithoutWarnings(t, b.configured(nil), b.None())
	b.server.onUpdate = func(effect func()) error {
		effect()
		w := b.server.has["alice/made-alice"]
		if w.title == "" {
			w.title = "theirs" // the server keeps the value of the other client
		}
		b.server.put(w)
		return nil
	}
	state, said := b.Apply(t, b.configured(tree{"size": 5}), state)
	if said != "" || b.server.has[state.Text("id")].title != "theirs" {
		t.Errorf("the server has %+v, update: %s", b.server.has, said)
	}
	_, state = b.Read(t, state)
	b.CheckNoDrift(t, b.configured(tree{"size": 5}), state)
	if state.Text("title") != "theirs" {
		t.Errorf("the state is %s", state.Value)
	}
	b.ApplyWithoutWarnings(t, b.configured(tree{"size": 5, "title": "ours"}), state)
}

// TestReplacedWithParent: a replacement of the parent that is requested (-replace)
// replaces the object, also without a refresh.
func TestReplacedWithParent(t *testing.T) {
	t.Parallel()
	b := newBench(t, false, func(o *crud.Spec[widget]) {
		o.Deletion.With = &crud.DeletedWith{TypeName: "kuscia_widget", Why: "Because.", ID: func(map[string]definition.Value) crud.ID { return crud.ID{"alice", "parent"} }}
	})
	parent, child := b.configured(tree{"widget_id": "parent"}), b.configured(tree{"domain_id": "bob"})
	parentState, childState := b.ApplyWithoutWarnings(t, parent, b.None()), b.ApplyWithoutWarnings(t, child, b.None())
	for name, server := range map[string]func(testing.TB, crudtest.Object, *run.Run) *crudtest.Server{"framework": crudtest.NewServer, "shortcuts": crudtest.NewFastServer} {
		run := server(t, b.object, &run.Run{})
		if plan, _ := run.Plan(t, child, childState); len(plan.RequiresReplace) > 0 {
			t.Errorf("%s: replaces %v although the parent stays", name, plan.RequiresReplace)
		}
		run.ReplacementDiagnostics(t, parent, parentState)
		if plan, _ := run.Plan(t, child, childState); len(plan.RequiresReplace) != 1 {
			t.Errorf("%s: replaces %v", name, plan.RequiresReplace)
		}
	}
}

// TestForeign: an object that becomes unmanageable is kept in the state with an error, with and
// without the shortcuts.
func TestForeign(t *testing.T) {
	t.Parallel()
	b := newBench(t, false, func(s *crud.Spec[widget]) {
		s.Responses.Unmanageable = func(_ crud.ID, w *widget) string {
			if w.title == "copy" {
				return "It is a copy."
			}
			return ""
		}
	})
	config := b.configured(tree{"widget_id": "y"})
	state := b.ApplyWithoutWarnings(t, config, b.None())
	turned := b.server.has["alice/y"]
	turned.title = "copy"
	b.server.has["alice/y"] = turned
	response, kept := b.Read(t, state)
	if !strings.Contains(crudtest.Messages(response.Diagnostics), "It is a copy") || !kept.Value.Equal(state.Value) {
		t.Errorf("refresh: state %s, diagnostics %s", kept.Value, crudtest.Messages(response.Diagnostics))
	}
	fast := crudtest.NewFastServer(t, b.object, &run.Run{})
	crudtest.CompareResponses(t, b.Server, fast, config, state)
}
