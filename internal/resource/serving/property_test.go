package serving

import (
	"fmt"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/short"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// checkProperty checks a property in several runs, each with its own seed that a
// failure prints: go test -run TestName/run_N -rapid.seed=SEED.
func checkProperty(t *testing.T, runs int, property func(*rapid.T, testServer)) {
	t.Helper()
	for i := range short.Count(runs, 3*runs) {
		t.Run(fmt.Sprintf("run %d", i), func(t *testing.T) {
			t.Parallel()
			k := newTestServer(t)
			rapid.Check(t, func(t *rapid.T) { property(t, k) })
		})
	}
}

// TestPropertyEdits: for every edit of a serving that was created or imported, a plan without a
// change leaves nothing to do, an update is minimal and leads to what a new serving would have,
// and a replacement is planned only if an update could not lead there. After an import it is
// unknown which resources Kuscia stores and which are the app image's.
func TestPropertyEdits(t *testing.T) {
	t.Parallel()
	checkProperty(t, 2, func(t *rapid.T, k testServer) {
		config := k.drawn(t)
		state := k.apply(t, config, k.run().None())
		k.quiet(t, Respellings(config).Draw(t, "respelled").Serving, state)
		imported := rapid.Bool().Draw(t, "imported")
		if imported {
			state = k.imported(t, config)
		}
		for i := range 3 {
			edited := drawEdit(t, config, i)
			k.settle(t)
			changes, replaces := k.plan(t, edited, state)
			switch {
			case replaces:
				if !imported && !otherTrigger(edited.ReplaceTriggers(), config.ReplaceTriggers()) {
					k.replaceIsNeeded(t, edited, rules.Of(state.Value))
				}
				if gone, said := k.run().Delete(t, state); !gone.Value.IsNull() {
					t.Fatal(said)
				}
				k.sandbox.Advance(time.Minute)
				state, imported = k.apply(t, edited, k.run().None()), false
			case len(changes) > 0:
				state = k.update(t, edited, state)
			}
			if found := k.otherThanNew(t, edited, k.stored(edited.ServingID()), true); !imported && len(found) > 0 {
				t.Fatalf("after changes of %v a new serving would differ in %v", changes, found)
			}
			state = k.quiet(t, edited, state)
			config = edited
		}
	})
}

// imported is the serving after an import and an apply, which sends nothing.
func (k testServer) imported(t *rapid.T, config rules.Serving) protocol.State {
	t.Helper()
	state := k.run().Imported(t, config.ServingID().ValueString())
	before := k.sandbox.Count(updatePath)
	state = k.apply(t, config, state)
	if k.sandbox.Count(updatePath) != before {
		t.Fatal("the apply after an import sends an update")
	}
	return state
}

// otherTrigger reports whether a key that both maps have has another value.
func otherTrigger(want, have types.Map) bool {
	for key, value := range want.Elements() {
		if before, set := have.Elements()[key]; set && !before.Equal(value) {
			return true
		}
	}
	return false
}

// drawEdit draws the next configuration: usually a few edits, sometimes only
// another spelling, sometimes a different configuration.
func drawEdit(t *rapid.T, config rules.Serving, i int) rules.Serving {
	label := fmt.Sprintf("edit %d", i)
	var edited rules.Serving
	switch rapid.IntRange(0, 9).Draw(t, "kind of edit") {
	case 0:
		edited = Configs().Draw(t, label).Serving
	case 1:
		edited = Respellings(config).Draw(t, label).Serving
	case 2, 3, 4:
		edited = Respellings(Edits(config).Draw(t, label).Serving).Draw(t, label+" respelled").Serving
	default:
		edited = Edits(config).Draw(t, label).Serving
	}
	edited = edited.WithServingAttribute("serving_id", config.ServingID()).WithServingAttribute(definition.AttrWaitForRollout, types.BoolValue(false))
	return edited
}
