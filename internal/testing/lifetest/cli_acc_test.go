package lifetest_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// TestAccLife: a short life of every type with the CLI, which is the judge of what plans,
// states and imports may be: create, empty plan, update, import with a generated
// configuration, import by identity, bad input, destroy. TestLife has the rest.
func TestAccLife(t *testing.T) {
	t.Parallel()
	acctest.CLI(t)
	for name, l := range lives {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			newObject(t, typeOf(name), l).testWithCLI()
		})
	}
}

func (o *object) testWithCLI() {
	t, address := o.t, o.typeName+".test"
	w := acctest.NewWorkspace(t, o.s.factories())
	v := o.variantsOf(o.name)[o.cli]
	write := func(config attrs) { w.Write("main.tf", acctest.Block(o.typeName, "test", config)) }
	write(o.full(v))
	w.Init()
	t.Cleanup(func() {
		if t.Failed() {
			_, _ = w.Try("destroy", "-auto-approve", "-input=false")
		}
	})
	w.Apply()
	w.Plan(acctest.PlanEmpty)
	write(o.changed(v))
	if output := w.Run(0, "apply", "-auto-approve", "-input=false"); !strings.Contains(output, "0 added, 1 changed, 0 destroyed") && !strings.Contains(output, "1 added, 0 changed, 1 destroyed") {
		t.Errorf("the update says\n%s", output)
	}

	id := o.idInState(w.Read("terraform.tfstate"))
	w.Write("terraform.tfstate", "")
	w.Write("terraform.tfstate.backup", "")
	before := o.s.writes()
	plan := w.Generate(map[string]string{address: id})
	if !strings.Contains(plan, "1 to import, 0 to add, 0 to change, 0 to destroy") {
		t.Errorf("the plan of the generated configuration is\n%s\n%s", plan, w.Read("generated.tf"))
	}
	if acctest.HasImportByIdentity(t) {
		w.Write("main.tf", acctest.RequiredProvider+acctest.ImportIdentity(address, o.identityOf(id)))
	}
	w.Apply()
	w.Plan(acctest.PlanEmpty)
	o.nothingSent("the import", before)

	name := slices.Sorted(maps.Keys(o.bad))[0]
	bad := o.bad[name]
	w.Write("main.tf", acctest.RequiredProvider)
	generated := w.Read("generated.tf")
	w.Write("generated.tf", acctest.Block(o.typeName, "test", with(o.minimal(), bad.with)))
	if output := acctest.Plain(w.Run(1, "plan", "-input=false")); !strings.Contains(output, acctest.Plain(bad.says)) || !strings.Contains(output, "on generated.tf line") {
		t.Errorf("%s: the error is\n%s", name, output)
	}
	o.nothingSent("bad input", before)
	w.Write("generated.tf", generated)
	w.Run(0, "destroy", "-auto-approve", "-input=false")
	if state, said := o.run().Import(t, id); !state.Value.IsNull() {
		t.Errorf("after the destroy there is %s: %s", state.Value, said)
	}
}

// idInState is the import ID of the only resource in a state file.
func (o *object) idInState(text string) string {
	o.t.Helper()
	var state struct {
		Resources []struct {
			Instances []struct{ Attributes json.RawMessage }
		}
	}
	if err := json.Unmarshal([]byte(text), &state); err != nil || len(state.Resources) != 1 {
		o.t.Fatalf("%v in the state\n%s", err, text)
	}
	raw := &tfprotov6.RawState{JSON: state.Resources[0].Instances[0].Attributes}
	value, err := raw.Unmarshal(schemas.ResourceSchemas[o.typeName].ValueType())
	if err != nil {
		o.t.Fatal(err)
	}
	return o.importID(protocol.State{Value: value})
}

// identityOf is the identity of an object with an import ID.
func (o *object) identityOf(id string) attrs {
	o.t.Helper()
	state, said := o.run().Import(o.t, id)
	o.finely("import", said)
	return o.run().Identity(o.t, state.Identity)
}
