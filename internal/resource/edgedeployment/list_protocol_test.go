package edgedeployment_test

import (
	"fmt"
	"testing"

	api "github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	sandbox "github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// TestList asks for the list over the protocol, as `terraform query` does: with
// the filter and the limit, and each with the state that an import would have.
func TestList(t *testing.T) {
	t.Parallel()
	f := newFabric(t, sandbox.Options{})
	for i := range 5 {
		name := fmt.Sprintf("lite-%d", i)
		if i == 4 {
			name = "other"
		}
		if _, err := f.client().Create(t.Context(), v3, &api.CreateRequest{
			Name: name, NodeIDs: []string{"node-1"}, Deployment: api.Spec{Replicas: 1, Template: api.Template{
				Configs: api.PodConfigs{RestartPolicy: "Always"}, Containers: []api.Container{{Name: "app", ImageURL: "kuscia:1"}},
			}},
		}); err != nil {
			t.Fatal(err)
		}
	}
	server, err := f.factories()["kuscia"]()
	if err != nil {
		t.Fatal(err)
	}
	r := protocol.NewServer(t, server).Configure(t, nil).Resource(t, "kuscia_edge_deployment")
	results, diagnostics := r.List(t.Context(), t, protocol.Query{Config: protocol.Object{"name": "lite"}, Limit: 3, IncludeResource: true})
	protocol.Check(t, nil, diagnostics)
	var names []string
	for _, result := range results {
		if result.Resource == nil || result.Identity == nil {
			t.Fatalf("%q has no state or no identity", result.DisplayName)
		}
		if value := protocol.Decode(r.Kind, result.Resource); !value.IsFullyKnown() {
			t.Fatal(value)
		}
		names = append(names, result.DisplayName)
	}
	if got := fmt.Sprint(names); got != "[lite-0 lite-1 lite-2]" {
		t.Errorf("found %s", got)
	}
}
