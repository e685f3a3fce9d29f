package examples_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// nodeOfAlice is the autonomy node of alice.
func nodeOfAlice(t *testing.T) *acctest.Env {
	t.Helper()
	return acctest.NewSandbox(t, sandbox.Options{Autonomy: "alice"})
}

func testDataSource(t *testing.T, e example) {
	env := nodeOfAlice(t)
	step := e.apply(t)
	step.ConfigVariables = config.Variables{
		"alice_endpoint": config.StringVariable(env.Sandbox.Endpoint()),
		"bucket_key":     config.ObjectVariable(map[string]config.Variable{"id": config.StringVariable("id"), "secret": config.StringVariable("secret")}),
	}
	imported := resource.TestStep{
		ConfigDirectory: step.ConfigDirectory, ConfigVariables: step.ConfigVariables,
		ResourceName: "kuscia_domain_data_source.folder", ImportState: true, ImportStateId: e.commandID(t, "kuscia_domain_data_source.folder"), ImportStateVerify: true,
	}
	run(t, env.ProtoV6ProviderFactories(), resource.TestCase{Steps: []resource.TestStep{step, imported}})
}

func testDataSourceList(t *testing.T, e example) {
	queryable(t)
	testQuery(t, nodeOfAlice(t), e, []string{"default-data-source"}, nil)
}
