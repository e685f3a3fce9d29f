package serving

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
)

// TestShortcutsAgree: responses with and without shortcuts are equal for every serving, also
// after an import.
func TestShortcutsAgree(t *testing.T) {
	t.Parallel()
	k := newTestServer(t)
	c := clients.New(k.Client)
	bare, fast := crudtest.NewServer(t, serving, c), crudtest.NewFastServer(t, serving, c)
	rapid.Check(t, func(t *rapid.T) {
		config := k.drawn(t)
		config.WaitForRollout = types.BoolValue(false)
		state, said := bare.Apply(t, config.Value(), bare.None())
		if state.Value.IsNull() {
			t.Fatal(said)
		}
		k.settle(t)
		other := drawEdit(t, config, 0)
		imported, _ := bare.Import(t, config.ServingID.ValueString())
		for _, state := range []crudtest.State{state, imported} {
			crudtest.CompareResponses(t, bare, fast, config.Value(), state)
			crudtest.CompareResponses(t, bare, fast, other.Value(), state)
			_, read := bare.Read(t, state)
			crudtest.CompareResponses(t, bare, fast, config.Value(), read)
		}
	})
	if fast.Taken["read"] == 0 {
		t.Error("no shortcut has answered a refresh")
	}
}
