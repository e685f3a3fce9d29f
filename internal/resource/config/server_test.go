package config

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definitiontest"
)

// TestJSONValue: another spelling of a JSON value changes nothing and sends nothing, also after an import;
// a change of its content is told as counts, without values. Any other value is a text.
func TestJSONValue(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	const theirs = `{"endpoint": "db.example:3306", "user": "reader", "port": 1.10}`
	b.Box.PutConfigValue("credentials", theirs)
	spelled := inClear(`{"port":1.1,"endpoint":"db.example:3306","user":"reader"}`)
	state := b.Imported(t, "credentials")
	for _, server := range []*crudtest.Server{b.Server, b.Fast(t)} {
		server.ApplyWithoutWarnings(t, spelled, state)
		server.CheckNoDrift(t, spelled, state)
	}
	if b.stored() != theirs {
		t.Errorf("the value was sent: %s", b.stored())
	}
	plan, planned := b.Plan(t, inClear(`{"endpoint":"db.example:3307","user":"writer","pass":"planted"}`), state)
	said := crudtest.Messages(plan.Diagnostics)
	protocol.Says(t, "a change", said, "2 values change, 1 value is added, 1 value is removed")
	if planned.Equal(state.Value) || strings.Contains(said, "planted") || strings.Contains(said, "writer") {
		t.Errorf("planned %s, diagnostics: %s", planned, said)
	}
	state, _ = b.ApplyAndVerify(t, inClear("1.10"), state)
	if plan, planned = b.Plan(t, inClear("1.1"), state); planned.Equal(state.Value) || len(plan.Diagnostics) > 0 {
		t.Errorf("another text: planned %s, %s", planned, crudtest.Messages(plan.Diagnostics))
	}
}

// TestImportedSecretIsForgotten: the private state says that an import has read a secret until a read
// finds none, also where a shortcut answers it: else a replacement would be refused for a
// secret that nobody has.
func TestImportedSecretIsForgotten(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.Box.PutConfigValue("credentials", "theirs")
	state := b.Imported(t, "credentials")
	state.Value = entry.Definition.With(state.Value, map[string]definition.Value{"value": definition.FieldsOf(configured(nil))["value"], "value_wo_version": definition.NumberValue(2)})
	crudtest.CompareResponses(t, b.Server, b.Fast(t), hidden("theirs", 2), state)
}

// TestObserved: a configuration without a value, as Terraform generates it, is
// valid for an imported entry and its plan is empty, with and without the
// shortcuts. A new key requires a value.
func TestObserved(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.Box.PutConfigValue("credentials", "theirs")
	imported := b.Imported(t, "credentials")
	for _, server := range []*crudtest.Server{b.Server, b.Fast(t)} {
		server.ApplyWithoutWarnings(t, configured(nil), imported)
	}
	b.Box.PutConfigValue("credentials", "changed")
	_, read := b.Read(t, imported)
	b.CheckNoDrift(t, configured(nil), read)
	if plan, _ := b.Plan(t, configured(tree{"key": "other"}), read); len(plan.RequiresReplace) != 1 {
		t.Errorf("another key: replaces %v", plan.RequiresReplace)
	}
	if said := b.PlanErrors(t, configured(tree{"key": "other"})); !strings.Contains(said, "An entry needs a value") {
		t.Errorf("a new entry without a value: %s", said)
	}
	if b.stored() != "changed" {
		t.Errorf("stored %q", b.stored())
	}
}

// TestAdoptsHidden: an entry is adopted with a write-only value if it has that value; the error does
// not show the other one. That of the node itself is not imported.
func TestAdoptsHidden(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.Box.PutConfigValue("credentials", "theirs")
	b.Run.AdoptExisting = true
	if _, said := b.Import(t, kuscia.ReservedConfigKey); !strings.Contains(said, "stores its own public key") {
		t.Errorf("import: got diagnostics %s", said)
	}
	for _, test := range [][2]string{{"ours", "differs from the configuration in value"}, {"theirs", "existed and was adopted"}} {
		state, said := b.Apply(t, hidden(test[0], 1), b.None())
		if state.Value.IsNull() != (test[0] == "ours") || !strings.Contains(said, test[1]) || strings.Contains(said, "theirs") {
			t.Errorf("%s: state %s, diagnostics: %s", test[0], state.Value, said)
		}
	}
}

// TestRealNode: an entry that was emptied does not exist, and a delete that the node has not
// carried out is sent again.
func TestRealNode(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	state := b.ApplyWithoutWarnings(t, inClear("one"), b.None())
	b.Box.PutConfigValue("credentials", "")
	response, gone := b.Read(t, state)
	if !gone.Value.IsNull() || len(response.Diagnostics) > 0 {
		t.Errorf("an empty value is %s", gone.Value)
	}
	b.Box.Inject(sandbox.Fault{Kind: sandbox.FaultStatus, Status: 403, Path: "config/update", Times: sandbox.Always})
	if none, said := b.Apply(t, inClear("one"), gone); !none.Value.IsNull() || !strings.Contains(said, "Unable to create configuration entry") {
		t.Errorf("state %s, diagnostics: %s", none.Value, said)
	}
	b.Box.ClearFaults()
	state = b.ApplyWithoutWarnings(t, inClear("one"), gone)
	b.Box.Inject(sandbox.Fault{Kind: sandbox.FaultBody, Path: "config/delete", Body: `{"status":{"code":0,"message":"success","details":[]}}`})
	before := b.Box.Count("/api/v1/config/delete")
	if _, said := b.Delete(t, state); said != "" || b.stored() != "" || b.Box.Count("/api/v1/config/delete")-before != 2 {
		t.Errorf("after the delete: %q, %s", b.stored(), said)
	}
}

// TestConcurrentCreate: two concurrent creates of a key both succeed in Kuscia. The
// create whose value is not stored afterwards fails, and does not save the
// other client's entry in the state: the next apply must not delete it.
func TestConcurrentCreate(t *testing.T) {
	t.Parallel()
	for name, config := range map[string]definition.Value{"clear": inClear("ours"), "hidden": hidden("ours", 1)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.Box.Inject(sandbox.Fault{Kind: sandbox.FaultBody, Path: "config/create", Body: `{"status":{"code":0,"message":"success","details":[]}}`, Times: 1})
			b.Box.PutConfigValue("credentials", "theirs")
			state, said := b.Apply(t, config, b.None())
			if !state.Value.IsNull() || !strings.Contains(said, `ERROR: AttributeName("value")`) || !strings.Contains(said, "is not in the state") || strings.Contains(said, "theirs") {
				t.Errorf("state %s, diagnostics: %s", state.Value, said)
			}
			if b.stored() != "theirs" {
				t.Errorf("stored %q", b.stored())
			}
		})
	}
}

// TestProperties: any configuration can be applied over any prior state, and shortcuts
// respond as the framework does.
func TestProperties(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	crudtest.Property{
		Bare: b.Server, Fast: b.Fast(t), Issues: entry.Issues, Full: inClear("one"),
		Generator: func(unknowns bool) definitiontest.Generator {
			return definitiontest.Generator{Definition: entry.Definition, Fixed: tree{"key": "credentials"}, Unknowns: unknowns}
		},
		Usual: func(t *rapid.T) definition.Value {
			return hidden(rapid.SampledFrom([]string{"a", "b"}).Draw(t, "text"), 1)
		},
		Remove: func() { _ = b.Run.Kuscia.DeleteConfig(t.Context(), "credentials") },
		Drift:  func(*rapid.T, crudtest.State) { b.Box.PutConfigValue("credentials", "drifted") },
	}.Check(t)
}

// TestLongestValue: a value that fits alone in the entries of a node is not refused.
func TestLongestValue(t *testing.T) {
	t.Parallel()
	for more, refused := range map[int]bool{0: false, 1: true} {
		value := strings.Repeat("x", maxEntries-len("credentials")+more)
		if found := entry.Issues(inClear(value)); len(found) > 0 != refused {
			t.Errorf("%d bytes: %v", len(value), found)
		}
	}
}
