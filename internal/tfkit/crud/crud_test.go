package crud_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

type tree = definition.Tree

// TestWidget covers the life cycle of an object with every kind of attribute:
// the plan after each apply is empty, and each change is planned as its
// attribute declares.
func TestWidget(t *testing.T) {
	t.Parallel()
	b := newBench(t, false)
	config := b.configured(nil)
	_, planned := b.Plan(t, config, b.None())
	for name, known := range map[string]bool{"id": false, "widget_id": false, "title": false, "token": false, "size": true, "note": true, "labels": true, "limit": true} {
		if definition.FieldsOf(planned)[name].IsKnown() != known {
			t.Errorf("%s is known in the plan of a create: %t", name, !known)
		}
	}
	state := b.ApplyWithoutWarnings(t, config, b.None())
	if state.Text("widget_id") != "made-alice" || state.Text("id") != "alice/made-alice" || state.Text("title") != "title of alice" || state.Text("token") != "token" {
		t.Errorf("the state is %s", state.Value)
	}

	// An update in place: volatile attributes are unknown, the others are kept.
	config = b.configured(tree{"size": 5, "limit": "0.1", "labels": map[string]string{"a": "b"}})
	plan, planned := b.Plan(t, config, state)
	fields := definition.FieldsOf(planned)
	if len(plan.RequiresReplace) > 0 || fields["revision"].IsKnown() || definition.StringOf(fields["title"]) != "title of alice" || definition.StringOf(fields["token"]) != "token" {
		t.Errorf("the plan of an update is %s", planned)
	}
	state = b.ApplyWithoutWarnings(t, config, state)
	if w := b.server.has["alice/made-alice"]; w.size != 5 || w.title != "title of alice" || b.server.updates != 1 {
		t.Errorf("the server has %+v after %d updates", w, b.server.updates)
	}
	// An equivalent value is no change.
	b.CheckNoDrift(t, b.configured(tree{"size": 5, "limit": "100m", "labels": map[string]string{"a": "b"}}), state)

	// A change that cannot be made in place plans a replacement with a warning.
	plan, _ = b.Plan(t, b.configured(tree{"size": 5, "limit": "0.1"}), state)
	if len(plan.RequiresReplace) != 1 || len(plan.Diagnostics) != 1 || !strings.Contains(plan.Diagnostics[0].Detail, "keeps labels that are left out") {
		t.Errorf("without labels: replaces %v, diagnostics %v", plan.RequiresReplace, plan.Diagnostics)
	}
	plan, _ = b.Plan(t, b.configured(tree{"domain_id": "bob"}), state)
	if len(plan.RequiresReplace) == 0 {
		t.Error("a change of the domain is not planned as a replacement")
	}

	gone, said := b.Delete(t, state)
	if said != "" || !gone.Value.IsNull() || len(b.server.has) > 0 {
		t.Errorf("after the delete: %s %v", said, b.server.has)
	}
}

// TestDrift: drift is shown in the plan and reverted by the apply.
func TestDrift(t *testing.T) {
	t.Parallel()
	b := newBench(t, false)
	config := b.configured(tree{"size": 5, "note": "kept"})
	state := b.ApplyWithoutWarnings(t, config, b.None())
	w := b.server.has["alice/made-alice"]
	w.size = 6
	b.server.has["alice/made-alice"] = w
	_, read := b.Read(t, state)
	if size, _ := definition.NumberOf(definition.FieldsOf(read.Value)["size"]); size != 6 || read.Text("note") != "kept" {
		t.Errorf("the state is %s", read.Value)
	}
	if state = b.ApplyWithoutWarnings(t, config, read); b.server.has["alice/made-alice"].size != 5 {
		t.Error("the apply did not revert the drift")
	}
	delete(b.server.has, "alice/made-alice")
	if _, read := b.Read(t, state); !read.Value.IsNull() {
		t.Error("the deleted object is still in the state")
	}
}

// TestImport: an import reads every attribute except those that the server
// never returns.
func TestImport(t *testing.T) {
	t.Parallel()
	b := newBench(t, false)
	config := b.configured(tree{"size": 5, "labels": map[string]string{"a": "b"}, "access": tree{"secret": "s"}})
	state := b.ApplyWithoutWarnings(t, config, b.None())
	imported, said := b.Import(t, "alice/made-alice")
	if said != "" || !imported.Value.Equal(state.Value) {
		t.Errorf("imported\n%s\nwant\n%s\n%s", imported.Value, state.Value, said)
	}
	b.CheckNoDrift(t, config, imported)
	for id, want := range map[string]string{"alice": "2 parts", "/x": "domain_id is empty", "": "is empty"} {
		if _, said := b.Import(t, id); !strings.Contains(said, want) {
			t.Errorf("%q: %s", id, said)
		}
	}
	// An attribute that the server does not return is updated in place.
	withNote := b.configured(tree{"size": 5, "labels": map[string]string{"a": "b"}, "access": tree{"secret": "s"}, "note": "n"})
	if plan, planned := b.Plan(t, withNote, imported); len(plan.RequiresReplace) > 0 || planned.Equal(imported.Value) {
		t.Error("setting an attribute that an import cannot read is not an update in place")
	}
	b.ApplyWithoutWarnings(t, withNote, imported)
}

// TestObservedNothing: an imported object without a text can be replaced.
func TestObservedNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t, false)
	without := b.configured(tree{"access": tree{}})
	b.ApplyWithoutWarnings(t, without, b.None())
	imported := b.Imported(t, "alice/made-alice")
	for _, server := range []*crudtest.Server{b.Server, crudtest.NewFastServer(t, b.object, &clients.Clients{})} {
		if said := server.ReplacementDiagnostics(t, without, imported); said != "" {
			t.Errorf("a replacement says %s", said)
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
	fast := crudtest.NewFastServer(t, b.object, &clients.Clients{})
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
		"Version is missing": {"secret_wo": "x"},
		"Text is missing":    {"secret_wo_version": 1},
		"Two texts":          {"secret": "x", "secret_wo": "y", "secret_wo_version": 1},
		"Empty text":         {"secret_wo": "", "secret_wo_version": 1},
		"Invalid version":    {"secret_wo": "x", "secret_wo_version": 0},
	} {
		if response := b.Validate(t, b.configured(tree{"access": access})); len(response.Diagnostics) != 1 || response.Diagnostics[0].Summary != name {
			t.Errorf("%v: %v", access, response.Diagnostics)
		}
	}
}

// TestAlreadyExists: creating an object that exists fails with an import block, or
// adopts it if the provider allows that and the object is exactly as
// configured, including write-only values.
func TestAlreadyExists(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		adopt   bool
		secret  string
		adopted bool
		says    string
	}{
		"no adoption":    {false, "s", false, `id = "alice/made-alice"`},
		"adopted":        {true, "s", true, "existed and was adopted"},
		"another secret": {true, "other", false, "access.secret"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, test.adopt)
			theirs := widget{domain: "alice", id: "made-alice", title: "t", size: 3, access: true, secret: test.secret}
			b.server.put(theirs)
			config := b.configured(tree{"title": "t", "access": tree{"secret_wo": "s", "secret_wo_version": 1}})
			state, said := b.Apply(t, config, b.None())
			if state.Value.IsNull() == test.adopted || !strings.Contains(said, test.says) {
				t.Errorf("state %s, diagnostics %s", state.Value, said)
			}
			if test.adopted {
				b.CheckNoDrift(t, config, state)
				if !strings.Contains(said, "does not return note") {
					t.Errorf("the warning does not list what was not compared: %s", said)
				}
			}
			if got := b.server.has["alice/made-alice"]; got.secret != test.secret || got.revision != 1 {
				t.Errorf("the object was changed: %+v", got)
			}
		})
	}
}

// TestAdoptedIsNotDeleted: a create that adopts an object which the same run
// plans to delete, as a replacement with create_before_destroy does, prevents
// that delete. A later run may delete it.
func TestAdoptedIsNotDeleted(t *testing.T) {
	t.Parallel()
	b := newBench(t, true)
	config := b.configured(nil)
	before := b.ApplyWithoutWarnings(t, config, b.None())
	after, said := b.Apply(t, config, b.None())
	if !strings.Contains(said, "existed and was adopted") {
		t.Fatalf("create: %s", said)
	}
	gone, said := b.Delete(t, before)
	if !gone.Value.IsNull() || strings.Contains(said, "ERROR") || !strings.Contains(said, "was not deleted") {
		t.Errorf("delete: state %s, diagnostics %s", gone.Value, said)
	}
	b.CheckNoDrift(t, config, after)

	other := crudtest.NewServer(t, b.object, &clients.Clients{})
	if _, said := other.Delete(t, after); said != "" || len(b.server.has) > 0 {
		t.Errorf("a later run: objects %v, diagnostics %s", b.server.has, said)
	}
}

// TestSetByOthers: an attribute that the configuration leaves out and another
// client sets between the refresh and the update is neither sent nor reported
// as a failed update.
func TestSetByOthers(t *testing.T) {
	t.Parallel()
	b := newBench(t, false, func(s *crud.Spec[widget]) {
		for i := range s.Schema.Attributes {
			if a := &s.Schema.Attributes[i]; a.Name == "title" {
				a.SetByOthers = true
			}
		}
		api := s.API
		s.API = func(c *clients.Clients) crud.API[widget] {
			calls := api(c)
			update := calls.Update
			calls.Update = func(ctx context.Context, w, before *widget) error {
				if w.title == "" {
					w.title = "theirs" // the server keeps the value of the other client
				}
				return update(ctx, w, before)
			}
			return calls
		}
	})
	state := b.ApplyWithoutWarnings(t, b.configured(nil), b.None())
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

// TestLookupFirst: no create is sent if the object exists, on a server whose
// create would change it.
func TestLookupFirst(t *testing.T) {
	t.Parallel()
	b := newBench(t, false, func(s *crud.Spec[widget]) { s.LookupFirst = true })
	b.server.put(widget{domain: "alice", id: "made-alice"})
	if state, said := b.Apply(t, b.configured(nil), b.None()); !state.Value.IsNull() || !strings.Contains(said, "already exists") || b.server.creates > 0 {
		t.Errorf("%d creates, state %s, diagnostics %s", b.server.creates, state.Value, said)
	}
}

// TestLostCreate: after a lost response the object is looked up. If that fails,
// the object stays in the state until a read succeeds, which removes it if
// another client has created it.
func TestLostCreate(t *testing.T) {
	t.Parallel()
	b := newBench(t, false)
	lost := lostResponse(t)
	b.server.onCreate = func(effect func()) error { effect(); return lost }
	state := b.ApplyWithoutWarnings(t, b.configured(nil), b.None())
	if state.Text("title") != "title of alice" {
		t.Errorf("the state is %s", state.Value)
	}

	for name, ours := range map[string]bool{"ours": true, "somebody else's": false} {
		b := newBench(t, false)
		b.server.onCreate = func(effect func()) error { effect(); return lost }
		b.server.onQuery = failing(errors.New("forbidden"))
		config := b.configured(tree{"widget_id": "made-alice"})
		state, said := b.Apply(t, config, b.None())
		if state.Value.IsNull() || !strings.Contains(said, "It is unknown whether") {
			t.Errorf("%s: state %s, diagnostics %s", name, state.Value, said)
		}
		b.server.onQuery = nil
		if !ours {
			w := b.server.has["alice/made-alice"]
			w.size = 99
			b.server.has["alice/made-alice"] = w
		}
		response, read := b.Read(t, state)
		if read.Value.IsNull() == ours {
			t.Errorf("%s: state after the next read: %s", name, read.Value)
		}
		if ours {
			b.CheckNoDrift(t, config, read)
		} else if said := protocol.Messages(response.Diagnostics); !strings.Contains(said, "was removed from the state") || !strings.Contains(said, `id = "alice/made-alice"`) {
			t.Errorf("%s: the read says %s", name, said)
		}
		// Without a refresh the delete decides.
		_, said = b.Delete(t, state)
		if _, left := b.server.has["alice/made-alice"]; left == ours || strings.Contains(said, "was not deleted") == ours {
			t.Errorf("%s: left by the delete: %t, diagnostics %s", name, left, said)
		}
	}
}

// TestLostCreateReplaced: the delete of a tainted object that Terraform replaces gets no
// private state.
func TestLostCreateReplaced(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		config      tree
		size        int64
		lost, stays bool
	}{
		"ours":                            {config: tree{"widget_id": "made-alice"}, lost: true},
		"somebody else's":                 {config: tree{"widget_id": "made-alice"}, lost: true, size: 99, stays: true},
		"changed, with a generated ID":    {lost: true, size: 99},
		"changed, and certainly created":  {config: tree{"widget_id": "made-alice"}, size: 99},
		"unchanged and certainly created": {config: tree{"widget_id": "made-alice"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, false)
			if test.lost {
				lost := lostResponse(t)
				b.server.onCreate = func(effect func()) error { effect(); return lost }
				b.server.onQuery = failing(errors.New("forbidden"))
			}
			state, _ := b.Apply(t, b.configured(test.config), b.None())
			b.server.onQuery = nil
			if test.size > 0 {
				w := b.server.has["alice/made-alice"]
				w.size = test.size
				b.server.has["alice/made-alice"] = w
			}
			state.Private = nil
			_, said := b.Delete(t, state)
			if _, left := b.server.has["alice/made-alice"]; left != test.stays || strings.Contains(said, "was not deleted") != test.stays {
				t.Errorf("left by the delete: %t, diagnostics %s", left, said)
			}
		})
	}
}

// TestLostCreateOfGeneratedID: nobody else has an object with a generated ID, so that it
// stays in the state whatever it has.
func TestLostCreateOfGeneratedID(t *testing.T) {
	t.Parallel()
	b := newBench(t, false)
	lost := lostResponse(t)
	b.server.onCreate = func(effect func()) error { effect(); return lost }
	b.server.onQuery = failing(errors.New("forbidden"))
	state, _ := b.Apply(t, b.configured(nil), b.None())
	b.server.onQuery = nil
	w := b.server.has["alice/made-alice"]
	w.size = 99
	b.server.has["alice/made-alice"] = w
	if _, read := b.Read(t, state); read.Value.IsNull() {
		t.Error("the object left the state")
	}
}

// TestChecks: a violated check is reported by the validation, before anything
// is sent.
func TestChecks(t *testing.T) {
	t.Parallel()
	b := newBench(t, false)
	for size, problems := range map[any]int{100: 0, 101: 1, 1.5: 1, definition.Unknown: 0} {
		if response := b.Validate(t, b.configured(tree{"size": size})); len(response.Diagnostics) != problems {
			t.Errorf("%v: %v", size, response.Diagnostics)
		}
	}
}

// TestStaleResponses: stale responses are polled until they are current, and a lost
// delete is sent again.
func TestStaleResponses(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, false, func(s *crud.Spec[widget]) { s.ConsistencyDelay = 2 * time.Second })
		b.server.stale = 3
		state, said := b.Apply(t, b.configured(nil), b.None())
		if said != "" {
			t.Fatal(said)
		}
		state, said = b.Apply(t, b.configured(tree{"size": 7}), state)
		if size, _ := definition.NumberOf(definition.FieldsOf(state.Value)["size"]); said != "" || size != 7 {
			t.Errorf("after an update: %s %s", state.Value, said)
		}
		if gone, said := b.Delete(t, state); !gone.Value.IsNull() || said != "" {
			t.Errorf("after the delete: %s", said)
		}
	})
}

// TestStaleResponseOfAnyServer: a single stale response is no difference from the plan,
// whatever the server.
func TestStaleResponseOfAnyServer(t *testing.T) {
	t.Parallel()
	b := newBench(t, false)
	b.server.stale = 1
	state := b.ApplyWithoutWarnings(t, b.configured(nil), b.None())
	b.ApplyWithoutWarnings(t, b.configured(tree{"size": 7}), state)
}

// TestConcurrentCreate: what a create does not find as it sent it leaves the state only if
// it is the same in a later read, when it is no answer of a server that lags.
func TestConcurrentCreate(t *testing.T) {
	t.Parallel()
	theirs, old := &widget{domain: "alice", id: "made-alice", title: "theirs"}, &widget{domain: "alice", id: "made-alice", title: "old"}
	for name, test := range map[string]struct {
		// first is read for three seconds, then last; nil is the object that was created.
		first, last *widget
		lastErr     error
		inState     string
		says        string
	}{
		"theirs":             {first: theirs, last: theirs, says: `id = "alice/made-alice"`},
		"a server that lags": {first: old, inState: "ours"},
		"changed again":      {first: old, last: theirs, inState: "theirs", says: "The returned values were saved"},
		"not read again":     {first: theirs, lastErr: errors.New("forbidden"), inState: "theirs", says: "The returned values were saved"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				b := newBench(t, false, func(s *crud.Spec[widget]) {
					s.ConsistencyDelay = 2 * time.Second
					api := s.API
					s.API = func(c *clients.Clients) crud.API[widget] {
						calls := api(c)
						query := calls.Query
						calls.Query = func(ctx context.Context, id crud.ID) (*widget, error) {
							played, err := test.last, test.lastErr
							if time.Since(began) < 3*time.Second {
								played, err = test.first, nil
							}
							if played == nil && err == nil {
								return query(ctx, id)
							}
							return played, err
						}
						return calls
					}
				})
				state, said := b.Apply(t, b.configured(tree{"title": "ours"}), b.None())
				if state.Value.IsNull() != (test.inState == "") || test.inState != "" && state.Text("title") != test.inState {
					t.Errorf("the state is %s", state.Value)
				}
				if !strings.Contains(said, test.says) || strings.Contains(said, "ERROR") != (test.says != "") {
					t.Errorf("it says %s", said)
				}
				if test.inState == "" && (!strings.Contains(said, "may have created") || strings.Contains(said, "does not store")) {
					t.Errorf("it says %s", said)
				}
			})
		})
	}
}

// waitForToken enables a wait after the create.
func waitForToken(s *crud.Spec[widget]) {
	s.Wait = &crud.Wait[widget]{
		Attribute: "wait_for_token", Default: true, Description: "Wait.", Timeouts: definition.Timeouts{Create: time.Minute},
		Done: func(w *widget) (bool, string) { return w.token != "", "no token" },
	}
}

// TestWait: the state is saved before the wait, attributes that the server sets
// later are read after it, and a timeout reports the last response.
func TestWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, false, waitForToken)
		b.server.tokenAfter = 10
		state := b.ApplyWithoutWarnings(t, b.configured(nil), b.None())
		if state.Text("token") != "token" {
			t.Errorf("the state is %s", state.Value)
		}
		// A change of attributes that exist in the state only sends no request.
		b.ApplyWithoutWarnings(t, b.configured(tree{"wait_for_token": false, "timeouts": tree{"create": "2m"}}), state)
		if b.server.updates > 0 {
			t.Errorf("%d updates", b.server.updates)
		}
		imported, _ := b.Import(t, "alice/made-alice")
		b.CheckNoDrift(t, b.configured(tree{"wait_for_token": false}), imported)
		b.CheckNoDrift(t, b.configured(tree{"timeouts": tree{"create": "5m"}}), imported)
		state = b.ApplyWithoutWarnings(t, b.configured(tree{"size": 5, "timeouts": tree{"create": "5m"}}), imported)
		b.CheckNoDrift(t, b.configured(tree{"size": 5, "timeouts": tree{"create": "5m"}}), state)
	})
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, false, waitForToken)
		b.server.tokenAfter = 1000
		state, said := b.Apply(t, b.configured(tree{"timeouts": tree{"create": "5s"}}), b.None())
		if state.Value.IsNull() || !strings.Contains(said, "within 5s. Last seen: no token") {
			t.Errorf("state %s, diagnostics %s", state.Value, said)
		}
		state, said = b.Apply(t, b.configured(tree{"domain_id": "bob", "wait_for_token": false}), b.None())
		if state.Value.IsNull() || said != "" {
			t.Errorf("state %s, diagnostics %s", state.Value, said)
		}
		if response := b.Validate(t, b.configured(tree{"timeouts": tree{"create": "20"}})); len(response.Diagnostics) != 1 || !strings.Contains(response.Diagnostics[0].Detail, `timeouts.create: "20" has no unit`) {
			t.Errorf("%v", response.Diagnostics)
		}
	})
}

// TestReplacedWithParent: a replacement of the parent that is requested (-replace)
// replaces the object, also without a refresh.
func TestReplacedWithParent(t *testing.T) {
	t.Parallel()
	b := newBench(t, false, func(o *crud.Spec[widget]) {
		o.DeletedWith = &crud.DeletedWith{TypeName: "kuscia_widget", Why: "Because.", ID: func(map[string]definition.Value) crud.ID { return crud.ID{"alice", "parent"} }}
	})
	parent, child := b.configured(tree{"widget_id": "parent"}), b.configured(tree{"domain_id": "bob"})
	parentState, childState := b.ApplyWithoutWarnings(t, parent, b.None()), b.ApplyWithoutWarnings(t, child, b.None())
	for name, server := range map[string]func(testing.TB, crudtest.Object, *clients.Clients) *crudtest.Server{"framework": crudtest.NewServer, "shortcuts": crudtest.NewFastServer} {
		run := server(t, b.object, &clients.Clients{})
		if plan, _ := run.Plan(t, child, childState); len(plan.RequiresReplace) > 0 {
			t.Errorf("%s: replaces %v although the parent stays", name, plan.RequiresReplace)
		}
		run.ReplacementDiagnostics(t, parent, parentState)
		if plan, _ := run.Plan(t, child, childState); len(plan.RequiresReplace) != 1 {
			t.Errorf("%s: replaces %v", name, plan.RequiresReplace)
		}
	}
}

// TestWaitAfterUpdate: a failed wait after an update is shown by each refresh until the
// object is ready.
func TestWaitAfterUpdate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, false, waitForToken, func(s *crud.Spec[widget]) { s.Wait.Timeouts.Update = 5 * time.Second })
		state := b.ApplyWithoutWarnings(t, b.configured(nil), b.None())
		b.server.tokenAfter = 1000
		state, said := b.Apply(t, b.configured(tree{"size": 5}), state)
		if !strings.Contains(said, "was updated but is not ready") {
			t.Fatal(said)
		}
		for range 2 {
			response, read := b.Read(t, state)
			if said := protocol.Messages(response.Diagnostics); !strings.Contains(said, "is not ready") || !strings.Contains(said, "no token") {
				t.Errorf("the refresh says %q", said)
			}
			state = read
		}
		// A change of the time limit alone waits again.
		state, said = b.Apply(t, b.configured(tree{"size": 5, "timeouts": tree{"update": "6s"}}), state)
		if !strings.Contains(said, "within 6s") {
			t.Errorf("another time limit: %s", said)
		}
		if response, read := b.Read(t, state); len(response.Diagnostics) != 1 {
			t.Errorf("after another time limit: %s", protocol.Messages(response.Diagnostics))
		} else {
			state = read
		}
		b.server.tokenAfter = 0
		response, ready := b.Read(t, state)
		if len(response.Diagnostics) > 0 {
			t.Error(protocol.Messages(response.Diagnostics))
		}
		b.CheckNoDrift(t, b.configured(tree{"size": 5, "timeouts": tree{"update": "6s"}}), ready)
	})
}

// TestUnreadyInList: whether an object is ready is not decided by a list, which does not
// contain all that the wait asks for.
func TestUnreadyInList(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var b *bench
		b = newBench(t, false, waitForToken, func(s *crud.Spec[widget]) {
			s.Wait.Timeouts.Update = 5 * time.Second
			s.Wait.Done = func(w *widget) (bool, string) { return w.token != "" && w.note == "", "no token" }
			s.BulkRead = &crud.BulkRead[widget]{
				Group: func(id crud.ID) string { return id[0] },
				Find: func(context.Context, *clients.Clients, string) (all []widget, err error) {
					for _, w := range b.server.has {
						w.token, w.note = "token", "incomplete"
						all = append(all, w)
					}
					return all, nil
				},
				ID: func(_ string, w *widget) crud.ID { return crud.ID{w.domain, w.id} },
			}
		})
		var states []crudtest.State
		for i := range 5 {
			states = append(states, b.ApplyWithoutWarnings(t, b.configured(tree{"widget_id": fmt.Sprint("w", i)}), b.None()))
		}
		b.server.tokenAfter = 1000
		last, said := b.Apply(t, b.configured(tree{"widget_id": "w4", "size": 5}), states[4])
		if !strings.Contains(said, "is not ready") {
			t.Fatal(said)
		}
		b.server.tokenAfter = 0
		for range 2 { // the second time, the list is read before the last object
			for _, state := range states[:4] {
				b.Read(t, state)
			}
		}
		if response, _ := b.Read(t, last); len(response.Diagnostics) > 0 {
			t.Errorf("the refresh of a widget that is ready says %s", protocol.Messages(response.Diagnostics))
		}
	})
}

// TestUnreadyAfterLostUpdate: an update whose response was lost may have been carried out,
// and nobody has seen the object ready.
func TestUnreadyAfterLostUpdate(t *testing.T) {
	t.Parallel()
	lost := lostResponse(t)
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, false, waitForToken, func(s *crud.Spec[widget]) { s.Wait.Timeouts.Update = 5 * time.Second })
		state := b.ApplyWithoutWarnings(t, b.configured(nil), b.None())
		b.server.tokenAfter = 1000
		b.server.onUpdate = func(effect func()) error { effect(); return lost }
		state, said := b.Apply(t, b.configured(tree{"size": 5}), state)
		if !strings.Contains(said, "ERROR") {
			t.Fatal(said)
		}
		if response, _ := b.Read(t, state); !strings.Contains(protocol.Messages(response.Diagnostics), "is not ready") {
			t.Errorf("the refresh says %q", protocol.Messages(response.Diagnostics))
		}
	})
}

// TestUnreadyWithoutReadBack: an update that is not as planned afterwards is not waited
// for, so that each refresh shows an object that is not ready.
func TestUnreadyWithoutReadBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, false, waitForToken, func(s *crud.Spec[widget]) { s.Wait.Timeouts.Update = 5 * time.Second })
		state := b.ApplyWithoutWarnings(t, b.configured(nil), b.None())
		b.server.tokenAfter = 1000
		b.server.onUpdate = func(effect func()) error {
			effect()
			b.server.onQuery = failing(fmt.Errorf("query: %w", kuscia.ErrNotFound))
			return nil
		}
		state, said := b.Apply(t, b.configured(tree{"size": 5}), state)
		if !strings.Contains(said, "cannot return the widget afterwards") {
			t.Fatal(said)
		}
		b.server.onQuery = nil
		if response, _ := b.Read(t, state); !strings.Contains(protocol.Messages(response.Diagnostics), "is not ready") {
			t.Errorf("the refresh says %q", protocol.Messages(response.Diagnostics))
		}
	})
}

// TestNotFoundAfterWrite: an object that does not exist after its create or
// update is an error, one that cannot be queried is a warning.
func TestNotFoundAfterWrite(t *testing.T) {
	t.Parallel()
	b := newBench(t, false)
	missing := fmt.Errorf("query: %w", kuscia.ErrNotFound)
	b.server.onQuery = failing(missing)
	state, said := b.Apply(t, b.configured(nil), b.None())
	if state.Value.IsNull() || !strings.Contains(said, "ERROR") || !strings.Contains(said, "cannot return the widget afterwards") {
		t.Errorf("create: state %s, diagnostics %s", state.Value, said)
	}
	b.server.onQuery = nil
	_, state = b.Read(t, state)
	b.server.onQuery = failing(missing)
	after, said := b.Apply(t, b.configured(tree{"size": 5}), state)
	if after.Value.IsNull() || !strings.Contains(said, "ERROR") {
		t.Errorf("update: state %s, diagnostics %s", after.Value, said)
	}
	b.server.onQuery = failing(errors.New("no answer"))
	if _, said = b.Apply(t, b.configured(tree{"size": 5}), state); strings.Contains(said, "ERROR") || !strings.Contains(said, "could not be read back") {
		t.Errorf("update with failed queries: diagnostics %s", said)
	}
}

// TestRefusedWait: a wait survives a few seconds of refused requests, or of an
// object that is not visible yet. A longer refusal ends it, and so does Ctrl-C,
// which is not reported as a timeout.
func TestRefusedWait(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		err         error
		until       time.Duration
		interrupted bool
		says        string
		notSaid     string
	}{
		"refused for a while": {err: kuscia.ErrUnauthorized, until: 20 * time.Second},
		"not served, as long": {err: kuscia.ErrUnsupported, until: 20 * time.Second},
		"not there for long":  {err: kuscia.ErrNotFound, until: 50 * time.Second},
		"away for long":       {err: kuscia.ErrUnavailable, until: 50 * time.Second},
		"refused":             {err: kuscia.ErrUnauthorized, until: time.Hour, says: "was created, but the wait for it failed", notSaid: "within"},
		"away":                {err: kuscia.ErrUnavailable, until: time.Hour, says: "within 1m0s. Last seen: unavailable"},
		"interrupted":         {err: kuscia.ErrUnavailable, until: time.Hour, interrupted: true, says: "The wait was interrupted. Last seen: unavailable", notSaid: "1m0s"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t, false, waitForToken)
				b.server.tokenAfter = 3
				var cancel context.CancelFunc
				b.Context, cancel = context.WithCancel(b.Context)
				defer cancel()
				b.server.onCreate = func(effect func()) error {
					effect()
					from, until := time.Now().Add(10*time.Millisecond), time.Now().Add(test.until)
					b.server.onQuery = func() error {
						if now := time.Now(); now.Before(from) || now.After(until) {
							return nil
						}
						return test.err
					}
					if test.interrupted {
						time.AfterFunc(5*time.Second, cancel)
					}
					return nil
				}
				state, said := b.Apply(t, b.configured(nil), b.None())
				if state.Value.IsNull() || test.says == "" && said != "" || !strings.Contains(said, test.says) ||
					test.notSaid != "" && strings.Contains(said, test.notSaid) {
					t.Errorf("diagnostics %q, object in the state: %t", said, !state.Value.IsNull())
				}
			})
		})
	}
}

// TestReplaceAll: for an API without updates every change is a replacement, and
// a change of local attributes sends no request.
func TestReplaceAll(t *testing.T) {
	t.Parallel()
	b := newBench(t, false, func(s *crud.Spec[widget]) { s.ReplaceAll = true })
	state := b.ApplyWithoutWarnings(t, b.configured(nil), b.None())
	plan, _ := b.Plan(t, b.configured(tree{"size": 4}), state)
	if len(plan.RequiresReplace) != 1 {
		t.Errorf("replaces %v", plan.RequiresReplace)
	}
	b.ApplyWithoutWarnings(t, b.configured(tree{"size": 4}), state)
	if b.server.updates > 0 || b.server.creates != 2 {
		t.Errorf("%d updates, %d creates", b.server.updates, b.server.creates)
	}
}

// TestServerIgnores: if the server ignores a value, the apply fails and the
// state has the value of the server.
func TestServerIgnores(t *testing.T) {
	t.Parallel()
	b := newBench(t, false)
	state := b.ApplyWithoutWarnings(t, b.configured(nil), b.None())
	b.server.onUpdate = func(func()) error { return nil }
	state, said := b.Apply(t, b.configured(tree{"size": 9}), state)
	if size, _ := definition.NumberOf(definition.FieldsOf(state.Value)["size"]); size != 3 || !strings.Contains(said, "differs from the plan") {
		t.Errorf("state %s, diagnostics %s", state.Value, said)
	}
	b.server.onUpdate = func(func()) error { return errors.New("no room") }
	if after, said := b.Apply(t, b.configured(tree{"size": 9}), state); !after.Value.Equal(state.Value) || !strings.Contains(said, "No room") {
		t.Errorf("state %s, diagnostics %s", after.Value, said)
	}
}

type explained struct{}

func (explained) Error() string        { return "another one has the id" }
func (explained) Is(target error) bool { return target == kuscia.ErrNotFound }
func (explained) Explanation() string  { return "Another one has the id." }

// TestExplanation: the explanation of a not-found error is shown when an object
// is removed from the state.
func TestExplanation(t *testing.T) {
	t.Parallel()
	b := newBench(t, false)
	state := b.ApplyWithoutWarnings(t, b.configured(nil), b.None())
	b.server.onQuery = failing(explained{})
	response, read := b.Read(t, state)
	if !read.Value.IsNull() || len(response.Diagnostics) != 1 || response.Diagnostics[0].Detail != "Another one has the id." {
		t.Errorf("state %s, diagnostics %s", read.Value, crudtest.Messages(response.Diagnostics))
	}
}

// TestForeign: an unmanageable object is neither imported, refreshed nor
// adopted, with and without the shortcuts.
func TestForeign(t *testing.T) {
	t.Parallel()
	unmanageable := func(s *crud.Spec[widget]) {
		s.Unmanageable = func(_ crud.ID, w *widget) string {
			if w.title == "copy" {
				return "It is a copy."
			}
			return ""
		}
	}
	b := newBench(t, true, unmanageable)
	config := b.configured(tree{"widget_id": "x", "title": "copy"})
	b.server.has["alice/x"] = widget{domain: "alice", id: "x", title: "copy", size: 3, revision: 1}
	if _, said := b.Apply(t, config, b.None()); !strings.Contains(said, "It is a copy") || b.server.updates > 0 {
		t.Errorf("adoption: %s", said)
	}
	if state, said := b.Import(t, "alice/x"); !strings.Contains(said, "cannot be managed here") || !strings.Contains(said, "It is a copy") {
		t.Errorf("import: state %s, diagnostics %s", state.Value, said)
	}
	config = b.configured(tree{"widget_id": "y"})
	state := b.ApplyWithoutWarnings(t, config, b.None())
	turned := b.server.has["alice/y"]
	turned.title = "copy"
	b.server.has["alice/y"] = turned
	response, kept := b.Read(t, state)
	if !strings.Contains(crudtest.Messages(response.Diagnostics), "It is a copy") || !kept.Value.Equal(state.Value) {
		t.Errorf("refresh: state %s, diagnostics %s", kept.Value, crudtest.Messages(response.Diagnostics))
	}
	fast := crudtest.NewFastServer(t, b.object, &clients.Clients{})
	crudtest.CompareResponses(t, b.Server, fast, config, state)
}
