package serving

import (
	"maps"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// TestShortcutsAgree: responses with and without shortcuts are equal for every serving, also
// after an import, after an update of another client, and when it is gone.
func TestShortcutsAgree(t *testing.T) {
	t.Parallel()
	k := newTestServer(t)
	c := run.New(clients.Clients{Kuscia: k.Client})
	bare, fast := crudtest.NewServer(t, serving, c), crudtest.NewFastServer(t, serving, c)
	rapid.Check(t, func(t *rapid.T) {
		drawn := k.drawn(t)
		edit := drawEdit(t, drawn, 0)
		config, other, id := Configuration(drawn), Configuration(edit), drawn.ServingID().ValueString()
		state, said := bare.Apply(t, config, bare.None())
		if state.Value.IsNull() {
			t.Fatal(said)
		}
		k.settle(t)
		imported, _ := bare.Import(t, id)
		for _, state := range []crudtest.State{state, imported} {
			crudtest.CompareResponses(t, bare, fast, config, state)
			crudtest.CompareResponses(t, bare, fast, other, state)
			crudtest.CompareEdited(t, bare, fast, rules.Definition, config, other, state)
			_, read := bare.Read(t, state)
			crudtest.CompareResponses(t, bare, fast, config, read)
		}
		switch rapid.SampledFrom([]string{"nothing", "updated", "deleted"}).Draw(t, "another client") {
		case "nothing":
			return
		case "updated":
			if _, replaces := bare.Changes(t, other, state); !replaces {
				bare.Apply(t, other, state)
				k.settle(t)
			}
		case "deleted":
			_ = k.sandbox.RemoveServing(id)
		}
		crudtest.CompareResponses(t, bare, fast, config, state)
	})
	if fast.Taken["read"] == 0 {
		t.Error("no shortcut has answered a refresh")
	}
}

// TestShortcutsAreTaken: the shortcuts answer the requests of a plan without changes with one
// query. A text that others change does not matter for a write-only one.
func TestShortcutsAreTaken(t *testing.T) {
	t.Parallel()
	drawn := WithPlainConfig(Configs().Example(1).Serving, types.StringValue("{}"))
	for name, config := range map[string]rules.Serving{"in clear": drawn, "write-only": WriteOnly(drawn, "{}", 1)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newTestServer(t)
			fast := crudtest.NewFastServer(t, serving, run.New(clients.Clients{Kuscia: k.Client}))
			config = config.WithServingAttribute("serving_id", types.StringValue("glm")).WithServingAttribute(definition.AttrWaitForRollout, types.BoolValue(false))
			written := Configuration(config)
			state, _ := fast.ApplyAndVerify(t, written, fast.None())
			k.sandbox.Advance(time.Minute)
			_, state = fast.Read(t, state)
			if name == "write-only" {
				protocol.NoError(t, k.sandbox.MutateServing("glm", func(spec *sandbox.ServingSpec) { spec.InputConfig = `{"changed":true}` }))
			}
			clear(fast.Taken)
			before := k.sandbox.Count("/api/v1/serving/query")
			fast.Validate(t, written)
			fast.CheckNoDrift(t, written, state)
			// The framework says whether a CLI has write-only attributes.
			want := map[string]int{"validate": 1, "read": 1, "plan": 1}
			if name == "write-only" {
				delete(want, "validate")
			}
			if queries := k.sandbox.Count("/api/v1/serving/query") - before; queries != 1 || !maps.Equal(fast.Taken, want) {
				t.Errorf("%d queries, shortcuts %v", queries, fast.Taken)
			}
		})
	}
}
