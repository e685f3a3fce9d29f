package domaindata_test

import (
	"context"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

const address = "kuscia_domain_data.test"

func hcl(id, more string) string {
	return acctest.Block("kuscia_domain_data", "test", map[string]any{
		"domain_id": "alice", "domaindata_id": id, "type": "table", "relative_uri": "dir/table.csv", "more": acctest.Lines(more),
	})
}

func object(id string) acctest.Object {
	key := kuscia.DomainDataKey{DomainID: "alice", DomainDataID: id}
	return acctest.Object{
		Address: address, Config: hcl(id, ""), ID: "alice/" + id, Identity: map[string]string{"domain_id": "alice", "domaindata_id": id},
		Create: func(ctx context.Context, api *kuscia.Client) error {
			_, err := api.CreateDomainData(ctx, &kuscia.DomainDataRequest{DomainID: "alice", DomainDataID: id, Type: "table", RelativeURI: "dir/"})
			return err
		},
		Query:  func(ctx context.Context, api *kuscia.Client) (any, error) { return api.QueryDomainData(ctx, key) },
		Delete: func(ctx context.Context, api *kuscia.Client) error { return api.DeleteDomainData(ctx, key) },
	}
}

// newEnv is a Kuscia that stores domain data of alice.
func newEnv(tb testing.TB) *acctest.Env {
	tb.Helper()
	e := acctest.New(tb)
	e.RequireDefaultDataSource(tb, "alice")
	return e
}

func TestAccDomainData_object(t *testing.T) {
	t.Parallel()
	acctest.TestObject(t, newEnv, func(e *acctest.Env) acctest.Object { return object(e.Name("data")) })
}

// TestAccDomainData: create, update, import and delete with a CLI, including
// unknown values and deleted data.
func TestAccDomainData(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	id := e.Name("data")
	step := func(more string, action plancheck.ResourceActionType) resource.TestStep {
		return resource.TestStep{
			Config: hcl(id, more),
			ConfigPlanChecks: resource.ConfigPlanChecks{
				PreApply:             []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, action)},
				PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
			},
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownValue(address, tfjsonpath.New("id"), knownvalue.StringExact("alice/"+id)),
			},
		}
	}
	const columns = `columns = [{ name = "id", type = "str" }]`
	// Values of another resource are unknown in the plan.
	const late = `
  columns    = [{ name = terraform_data.late.output, type = "str" }]
  attributes = { late = terraform_data.late.output }`
	unknown := step(late, plancheck.ResourceActionUpdate)
	unknown.Config += acctest.Block("terraform_data", "late", map[string]any{"input": "late"})
	gone := step(columns, plancheck.ResourceActionCreate)
	gone.PreConfig = e.Do(object(id).Delete)
	resource.Test(t, e.TestCase(object(id),
		step("", plancheck.ResourceActionCreate),
		unknown,
		step(columns+"\n"+`file_format = "CSV"`, plancheck.ResourceActionReplace), // without attributes
		resource.TestStep{ResourceName: address, ImportState: true, ImportStateId: "alice/" + id, ImportStateKind: resource.ImportBlockWithID},
		step(columns, plancheck.ResourceActionReplace),
		gone,
	))
}

// TestAccDomainData_generated: the configuration that the CLI generates for an
// import block is valid, and the plan contains only the import.
func TestAccDomainData_generated(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	least, most := e.Name("least"), e.Name("most")
	for _, request := range []*kuscia.DomainDataRequest{
		{DomainID: "alice", DomainDataID: least, Type: "table", RelativeURI: "dir/"},
		{
			DomainID: "alice", DomainDataID: most, Type: "table", RelativeURI: "${x}", Name: "a \"b\"", Attributes: map[string]string{"a b": "%{if}"}, Vendor: "v", FileFormat: "CSV",
			Columns: []kuscia.DataColumn{{Name: "id", Type: "str", NotNullable: true}}, Partition: &kuscia.DataPartition{Type: "path", Fields: []kuscia.DataColumn{{Name: "d"}}},
		},
	} {
		if _, err := e.API.CreateDomainData(t.Context(), request); err != nil {
			t.Fatal(err)
		}
	}
	_, _ = e.ImportGenerated(t, map[string]string{"kuscia_domain_data.least": "alice/" + least, "kuscia_domain_data.most": "alice/" + most})
}
