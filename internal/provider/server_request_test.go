package provider_test

import (
	"encoding/json"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/sandboxtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// request is what Terraform stores for one resource.
type request struct {
	*protocol.Resource
	config, state *tfprotov6.DynamicValue
	stateJSON     []byte
	private       []byte
	box           *sandbox.Sandbox
}

const servingConfig = `{
  "serving_id": "s", "initiator": "alice", "serving_input_config": "{\"model\":\"m\"}",
  "parties": {
    "alice/server": {"domain_id": "alice", "role": "server", "app_image": "app", "replicas": 2,
     "update_strategy": {"type": "RollingUpdate", "max_surge": "25%", "max_unavailable": "25%"},
     "container_resources": {"app": {"min_cpu": "100m", "max_cpu": "1", "min_memory": "128Mi", "max_memory": "1Gi"}}},
    "bob/client": {"domain_id": "bob", "role": "client", "app_image": "app", "replicas": 1,
     "update_strategy": {"type": "RollingUpdate", "max_surge": "50%", "max_unavailable": "1"},
     "resources": {"min_cpu": "200m", "max_cpu": "2", "min_memory": "256Mi", "max_memory": "2Gi"}}
  }}`

// start configures a server for a sandbox with the serving and reads its state.
func start(b testing.TB, server tfprotov6.ProviderServer) *request {
	b.Helper()
	box := startBox(b)
	if err := box.PutAppImage(kuscia.AppImage{
		Name: "app", Image: kuscia.AppImageInfo{Name: "example.com/app", Tag: "1"},
		DeployTemplates: []kuscia.DeployTemplate{{Name: "app", Replicas: 1, Containers: []kuscia.Container{{Name: "app"}}}},
	}); err != nil {
		b.Fatal(err)
	}
	return create(b, server, box, "kuscia_serving", servingConfig)
}

func startBox(b testing.TB) *sandbox.Sandbox {
	b.Helper()
	box, _ := sandboxtest.Start(b, sandbox.Options{Timing: sandbox.QuickTiming()})
	return box
}

// create creates a resource from a configuration in JSON.
func create(b testing.TB, server tfprotov6.ProviderServer, box *sandbox.Sandbox, typeName, text string) *request {
	b.Helper()
	resource := configure(b, server, box).Resource(b, typeName)
	var config object
	if err := json.Unmarshal([]byte(text), &config); err != nil {
		b.Fatal(err)
	}
	value := protocol.Value(resource.Kind, config)
	made := resource.Create(b, value)
	return &request{
		Resource: resource, config: protocol.Encode(value), state: protocol.Encode(made.Value), stateJSON: protocol.JSON(made.Value),
		private: made.Private, box: box,
	}
}

// configure configures a server for a sandbox.
func configure(t testing.TB, server tfprotov6.ProviderServer, box *sandbox.Sandbox) *protocol.Server {
	t.Helper()
	return protocol.NewServer(t, server).Configure(t, object{"endpoint": box.Endpoint()})
}
