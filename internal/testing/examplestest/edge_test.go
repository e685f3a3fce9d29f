package examplestest_test

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	api "github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// edgeFabric is a simulated IEF, with one deployment if there is a name.
func edgeFabric(t *testing.T, name string) *ief.Server {
	t.Helper()
	s, err := ief.Start(context.Background(), ief.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if name != "" {
		client, err := edgeClient(s)
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
	return s
}

// edgeClient talks to a simulated IEF beside the provider.
func edgeClient(s *ief.Server) (*api.Client, error) {
	o := s.Options()
	return api.New(api.Config{Endpoint: s.Endpoint(), ProjectID: o.ProjectID, Token: o.Token})
}

// testEdgeDeployment applies the example and imports it, with the id that IEF
// made up in the place of that of the example.
func testEdgeDeployment(t *testing.T, e example) {
	env := fixedNames(t)
	s := edgeFabric(t, "")
	m := &managed{example: e, w: edgeWorkspace(t, env, s, e), address: "kuscia_edge_deployment.lite"}
	m.w.Write("provider.tf", edgeProvider(s))
	m.w.Write("terraform.tfvars", "edge_node_id = \"node-1\"\nmaster_endpoint = \"https://master.example:1080\"\ndeploy_token = \"secret\"\n")
	m.w.Init()
	m.w.Apply()
	m.w.Plan(acctest.PlanEmpty)

	before := m.attributes(t)
	id, _ := before["id"].(string)
	for _, block := range []string{e.importBlock, e.importIdentity} {
		m.try(t, "state", "rm", m.address)
		m.w.Write("imports.tf", strings.Replace(string(e.read(t, block)), "8170e363-0232-44eb-b89c-dab6b6e915ff", id, 1))
		expectIn(t, m.w.Run(0, "apply", "-auto-approve"), "1 imported, 0 added, 0 changed, 0 destroyed.")
		if !acctest.HasImportByIdentity(t) {
			break
		}
	}
	if after := m.attributes(t); !reflect.DeepEqual(before, after) {
		t.Errorf("imported is\n%v\nwhich was\n%v", after, before)
	}
	m.w.Run(0, "destroy", "-auto-approve")
	if s.Exists("kuscia-lite-alice") {
		t.Error("it was not destroyed")
	}
}

// edgeProvider is a provider block with the simulated IEF.
func edgeProvider(s *ief.Server) string {
	o := s.Options()
	return fmt.Sprintf("provider \"kuscia\" {\n  ief = { endpoint = %q, project_id = %q, token = %q }\n}\n", s.Endpoint(), o.ProjectID, o.Token)
}

// testEdgeDeploymentList finds the deployment.
func testEdgeDeploymentList(t *testing.T, e example) {
	acctest.RequireTerraform(t, tfversion.Version1_14_0, "terraform query")
	s := edgeFabric(t, "kuscia-lite-alice")
	w := workspace(t, fixedNames(t), e)
	w.Write("provider.tf", versions+"\n"+edgeProvider(s))
	w.Init()
	if output := w.Run(0, "query"); !strings.Contains(output, "kuscia-lite-alice") {
		t.Errorf("found:\n%s", output)
	}
}
