package examples_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	api "github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// edgeFabric is a stand-in for IEF with one deployment, and the environment of a
// provider that uses it.
func edgeFabric(t *testing.T, name string) (*ief.Server, map[string]string) {
	t.Helper()
	s, err := ief.Start(context.Background(), ief.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	o := s.Options()
	if name != "" {
		client, err := api.New(api.Config{Endpoint: s.Endpoint(), ProjectID: o.ProjectID, Token: o.Token})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := client.Create(t.Context(), api.Scope{Version: api.V3}, &api.CreateRequest{
			Name: name, NodeIDs: []string{"node-1"}, Deployment: api.Spec{Replicas: 1, Template: api.Template{
				Configs: api.PodConfigs{RestartPolicy: "Always"}, Containers: []api.Container{{Name: "kuscia", ImageURL: "kuscia:1"}},
			}},
		}); err != nil {
			t.Fatal(err)
		}
	}
	return s, map[string]string{
		"KUSCIA_IEF_ENDPOINT": s.Endpoint(), "HW_PROJECT_ID": o.ProjectID, "HW_ACCESS_KEY": o.AccessKey, "HW_SECRET_KEY": o.SecretKey,
	}
}

// testEdgeDeployment applies the example, and imports it with both blocks, in
// which the id that IEF made up takes the place of that of the example.
func testEdgeDeployment(t *testing.T, e example) {
	s, env := edgeFabric(t, "")
	variables := config.Variables{"edge_node_id": config.StringVariable("node-1"), "deploy_token": config.StringVariable("secret")}
	apply := e.apply(t)
	apply.ConfigVariables = variables
	run(t, acctest.Factories(env), resource.TestCase{Steps: []resource.TestStep{
		apply,
		{
			ConfigDirectory: apply.ConfigDirectory, ConfigVariables: variables,
			ResourceName: "kuscia_edge_deployment.lite", ImportState: true, ImportStateVerify: true, ImportStateVerifyIgnore: []string{"rollout_complete"},
		},
	}})
	if s.Exists("kuscia-lite-alice") {
		t.Error("it was not destroyed")
	}
	for _, block := range []string{e.importBlock, e.importIdentity} {
		if text := string(e.read(t, block)); !strings.Contains(text, "8170e363-0232-44eb-b89c-dab6b6e915ff") {
			t.Errorf("%s: %s", block, text)
		}
	}
}

// testEdgeDeploymentList finds the deployment.
func testEdgeDeploymentList(t *testing.T, e example) {
	acctest.RequireTerraform(t, tfversion.Version1_14_0, "terraform query")
	s, _ := edgeFabric(t, "kuscia-lite-alice")
	o := s.Options()
	w := workspace(t, fixedNames(t), e)
	w.Write("provider.tf", fmt.Sprintf("terraform {\n  required_providers {\n    kuscia = { source = \"terraform-kuscia/kuscia\" }\n  }\n}\n\nprovider \"kuscia\" {\n  ief = { endpoint = %q, project_id = %q, token = %q }\n}\n", s.Endpoint(), o.ProjectID, o.Token))
	w.Init()
	if output := w.Run(0, "query"); !strings.Contains(output, "kuscia-lite-alice") {
		t.Errorf("found:\n%s", output)
	}
}
