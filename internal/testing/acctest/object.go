package acctest

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// Object is an object of a resource type, with its configuration.
type Object struct {
	// Address is that of the resource in Config.
	Address, Config string
	// ID is the import id.
	ID string
	// Identity is the identity, by attribute.
	Identity map[string]string
	// Unread are attributes that an import cannot read.
	Unread []string
	// Create, Delete and Query access the object outside of Terraform. The
	// created object may have other values than Config.
	Create, Delete func(ctx context.Context, api *kuscia.Client) error
	Query          func(ctx context.Context, api *kuscia.Client) (any, error)
	// Unchanged checks that the object is as Create made it; may be nil.
	Unchanged func(ctx context.Context, api *kuscia.Client) error
}

func (o Object) exists(ctx context.Context, api *kuscia.Client) error {
	_, err := o.Query(ctx, api)
	return err
}

// TestCase is a test case at whose end the object must not exist.
func (e *Env) TestCase(o Object, steps ...resource.TestStep) resource.TestCase {
	return resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		CheckDestroy:             CheckDestroyed(o.Address+" "+o.ID, func(ctx context.Context) error { return o.exists(ctx, e.API) }),
		Steps:                    steps,
	}
}

// TestObject tests what every resource has. Each subtest has a Kuscia and an
// object of its own.
func TestObject(t *testing.T, newEnv func(testing.TB) *Env, newObject func(*Env) Object) {
	t.Helper()
	for name, test := range map[string]func(t *testing.T, e *Env, o Object){
		"import": testImport, "identity": testIdentity, "disappears": testDisappears, "generated configuration": testGenerated,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEnv(t)
			test(t, e, newObject(e))
		})
	}
}

// testImport: an import by a command and by a block leads to the state of the
// create, and the plan is empty.
func testImport(t *testing.T, e *Env, o Object) {
	t.Helper()
	resource.Test(t, e.TestCase(o,
		resource.TestStep{Config: o.Config},
		resource.TestStep{
			Config: o.Config, ResourceName: o.Address, ImportState: true, ImportStateId: o.ID,
			ImportStateVerify: true, ImportStateVerifyIdentifierAttribute: "id", ImportStateVerifyIgnore: o.Unread,
		},
		resource.TestStep{
			Config: o.Config, ResourceName: o.Address, ImportState: true, ImportStateId: o.ID, ImportStateKind: resource.ImportBlockWithID,
		},
	))
}

// testIdentity: the resource has its identity, and an import block can use it.
func testIdentity(t *testing.T, e *Env, o Object) {
	t.Helper()
	identity := map[string]knownvalue.Check{}
	for name, value := range o.Identity {
		identity[name] = knownvalue.StringExact(value)
	}
	test := e.TestCase(o,
		resource.TestStep{Config: o.Config, ConfigStateChecks: []statecheck.StateCheck{statecheck.ExpectIdentity(o.Address, identity)}},
		resource.TestStep{ResourceName: o.Address, ImportState: true, ImportStateKind: resource.ImportBlockWithResourceIdentity},
	)
	test.TerraformVersionChecks = IdentityVersions
	resource.Test(t, test)
}

// testDisappears: an object that is deleted outside of Terraform is created
// again.
func testDisappears(t *testing.T, e *Env, o Object) {
	t.Helper()
	resource.Test(t, e.TestCase(o,
		resource.TestStep{Config: o.Config},
		resource.TestStep{
			PreConfig: e.Do(o.Delete), Config: o.Config,
			ConfigPlanChecks: Planned(plancheck.ExpectResourceAction(o.Address, plancheck.ResourceActionCreate)),
		},
	))
}

// testGenerated: see ImportGenerated.
func testGenerated(t *testing.T, e *Env, o Object) {
	t.Helper()
	e.Do(o.Create)()
	_, _ = e.ImportGenerated(t, map[string]string{o.Address: o.ID})
	e.Do(o.exists)()
	if o.Unchanged != nil {
		e.Do(o.Unchanged)()
	}
}

// ImportGenerated imports objects, by the addresses of their resources, with
// the configuration that the CLI generates. That is valid and changes nothing,
// and the plan after the import is empty. It returns the plan of the import. At
// the end of the test everything is destroyed.
func (e *Env) ImportGenerated(t *testing.T, ids map[string]string) (w *Workspace, plan string) {
	t.Helper()
	w = e.NewWorkspace(t)
	return w, w.ImportGenerated(ids)
}

// Generate writes import blocks for objects, by the addresses of their resources, and lets
// the CLI generate their configuration in generated.tf. It returns the plan. Previews of
// Terraform 1.17 need the provider in the blocks; with the generated resources it is an
// error.
func (w *Workspace) Generate(ids map[string]string) (plan string) {
	w.t.Helper()
	imports, generating := RequiredProvider, RequiredProvider
	for address, id := range ids {
		imports += ImportInto(address, id)
		generating += block("import", map[string]any{"to": Reference(address), "id": id, "provider": Reference("kuscia")})
	}
	w.Write("main.tf", generating)
	w.Init()
	plan = w.Run(0, "plan", "-input=false", "-generate-config-out=generated.tf")
	w.Write("main.tf", imports)
	return plan
}

// ImportGenerated is Env.ImportGenerated in a new workspace.
func (w *Workspace) ImportGenerated(ids map[string]string) (plan string) {
	w.t.Helper()
	plan = w.Generate(ids)
	if want := fmt.Sprintf("%d to import, 0 to add, 0 to change, 0 to destroy", len(ids)); !strings.Contains(plan, want) {
		w.t.Errorf("the plan of the generated configuration changes something:\n%s\n%s", plan, w.Read("generated.tf"))
	}
	w.Run(0, "validate")
	w.DestroyAtEnd()
	w.Apply()
	w.Plan(PlanEmpty)
	return plan
}
