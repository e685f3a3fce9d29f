package lifetest_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// TestAccLife: a short life of every type with the CLI, which is the judge of what plans,
// states and imports may be: create, empty plan, update, import with a generated
// configuration, import by identity, bad input, destroy. TestLife has the rest. Types with the
// same servers share a configuration.
func TestAccLife(t *testing.T) {
	t.Parallel()
	acctest.CLI(t)
	together := map[uintptr][]string{}
	for name, l := range lives {
		servers := reflect.ValueOf(l.servers).Pointer()
		together[servers] = append(together[servers], name)
	}
	for _, names := range together {
		slices.Sort(names)
		t.Run(strings.Join(names, ", "), func(t *testing.T) {
			t.Parallel()
			testWithCLI(t, names)
		})
	}
}

func testWithCLI(t *testing.T, names []string) {
	t.Helper()
	s := lives[names[0]].servers(t)
	objects := map[string]*object{} // by the address in the configuration
	for i, name := range names {
		objects[fmt.Sprintf("%s.test%d", typeOf(name), i)] = newObjectOn(t, s, typeOf(name), lives[name])
	}
	w := acctest.NewWorkspace(t, s.factories())
	write := func(file string, objects map[string]*object, config func(o *object) attrs) {
		text := ""
		for address, o := range objects {
			_, label, _ := strings.Cut(address, ".")
			text += acctest.Block(o.typeName, label, config(o))
		}
		w.Write(file, text)
	}
	of := func(o *object) variant { return o.variantsOf(o.name)[o.cli] }
	write("main.tf", objects, func(o *object) attrs { return o.full(of(o)) })
	t.Cleanup(func() {
		if t.Failed() {
			_, _ = w.Try("destroy", "-auto-approve", "-input=false")
		}
	})
	w.Apply()
	w.Plan(acctest.PlanEmpty)
	write("main.tf", objects, func(o *object) attrs { return o.changed(of(o)) })
	output := w.Run(0, "apply", "-auto-approve", "-input=false")
	var added, changed, destroyed int
	if at := strings.Index(output, "Apply complete!"); at >= 0 {
		_, _ = fmt.Sscanf(output[at:], "Apply complete! Resources: %d added, %d changed, %d destroyed", &added, &changed, &destroyed)
	}
	if added != destroyed || added+changed != len(objects) {
		t.Errorf("the update says\n%s", output)
	}

	ids := idsInState(t, w.Read("terraform.tfstate"), objects)
	w.Write("terraform.tfstate", "")
	w.Write("terraform.tfstate.backup", "")
	before := s.writes()
	plan := w.Generate(ids)
	if !strings.Contains(plan, fmt.Sprint(len(objects), " to import, 0 to add, 0 to change, 0 to destroy")) {
		t.Errorf("the plan of the generated configuration is\n%s\n%s", plan, w.Read("generated.tf"))
	}
	if acctest.HasImportByIdentity(t) {
		imports := acctest.RequiredProvider
		for address, o := range objects {
			imports += acctest.ImportIdentity(address, o.identityOf(ids[address]))
		}
		w.Write("main.tf", imports)
	}
	w.Apply()
	w.Plan(acctest.PlanEmpty)

	w.Write("main.tf", acctest.RequiredProvider)
	generated := w.Read("generated.tf")
	badOf := func(o *object) badInput { return o.bad[slices.Min(slices.Collect(maps.Keys(o.bad)))] }
	for left := maps.Clone(objects); len(left) > 0; { // after errors of the validation there is no plan
		write("generated.tf", left, func(o *object) attrs { return with(o.minimal(), badOf(o).with) })
		output, before := acctest.Plain(w.Run(1, "plan", "-input=false")), len(left)
		maps.DeleteFunc(left, func(_ string, o *object) bool { return strings.Contains(output, acctest.Plain(badOf(o).says)) })
		if len(left) == before || !strings.Contains(output, "on generated.tf line") {
			t.Fatalf("the errors are\n%s", output)
		}
	}
	w.Write("generated.tf", generated)
	for _, o := range objects {
		o.nothingSent("the import, and bad input", before)
	}
	w.Run(0, "destroy", "-auto-approve", "-input=false")
	for address, id := range ids {
		if state, said := objects[address].run().Import(t, id); !state.Value.IsNull() {
			t.Errorf("after the destroy there is %s: %s", state.Value, said)
		}
	}
}

// idsInState are the import IDs of the resources in a state file, by their addresses.
func idsInState(t *testing.T, text string, objects map[string]*object) map[string]string {
	t.Helper()
	var state struct {
		Resources []struct {
			Type, Name string
			Instances  []struct{ Attributes json.RawMessage }
		}
	}
	if err := json.Unmarshal([]byte(text), &state); err != nil || len(state.Resources) != len(objects) {
		t.Fatalf("%v in the state\n%s", err, text)
	}
	ids := map[string]string{}
	for _, resource := range state.Resources {
		raw := &tfprotov6.RawState{JSON: resource.Instances[0].Attributes}
		value, err := raw.Unmarshal(schemas.ResourceSchemas[resource.Type].ValueType())
		if err != nil {
			t.Fatal(err)
		}
		address := resource.Type + "." + resource.Name
		ids[address] = objects[address].importID(protocol.State{Value: value})
	}
	return ids
}

// identityOf is the identity of an object with an import ID.
func (o *object) identityOf(id string) attrs {
	o.t.Helper()
	state, said := o.run().Import(o.t, id)
	o.finely("import", said)
	return o.run().Identity(o.t, state.Identity)
}
