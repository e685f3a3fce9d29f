package provider_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/sandboxtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testjson"
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

// start configures a server with all wrappers for a sandbox, and creates the serving.
func start(t *testing.T) *request {
	t.Helper()
	box, _ := sandboxtest.Start(t, sandbox.Options{Timing: sandbox.QuickTiming()})
	if err := box.PutAppImage(kuscia.AppImage{
		Name: "app", Image: kuscia.AppImageInfo{Name: "example.com/app", Tag: "1"},
		DeployTemplates: []kuscia.DeployTemplate{{Name: "app", Replicas: 1, Containers: []kuscia.Container{{Name: "app"}}}},
	}); err != nil {
		t.Fatal(err)
	}
	resource := configure(t, wrapped(), box).Resource(t, "kuscia_serving")
	value := protocol.Value(resource.Kind, testjson.Decode[object](t, servingConfig))
	made := resource.Create(t, value)
	return &request{
		Resource: resource, config: protocol.Encode(value), state: protocol.Encode(made.Value), stateJSON: protocol.JSON(made.Value),
		private: made.Private, box: box,
	}
}

// configure configures a server for a sandbox.
func configure(t *testing.T, server tfprotov6.ProviderServer, box *sandbox.Sandbox) *protocol.Server {
	t.Helper()
	return protocol.NewServer(t, server).Configure(t, object{"endpoint": box.Endpoint()})
}
