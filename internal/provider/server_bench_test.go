package provider_test

import (
	"encoding/json"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/provider"
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

const benchConfig = `{
  "serving_id": "s", "initiator": "alice", "serving_input_config": "{\"model\":\"m\"}",
  "parties": {
    "alice/server": {"domain_id": "alice", "role": "server", "app_image": "app", "replicas": 2,
     "update_strategy": {"type": "RollingUpdate", "max_surge": "25%", "max_unavailable": "25%"},
     "container_resources": {"app": {"min_cpu": "100m", "max_cpu": "1", "min_memory": "128Mi", "max_memory": "1Gi"}}},
    "bob/client": {"domain_id": "bob", "role": "client", "app_image": "app", "replicas": 1,
     "update_strategy": {"type": "RollingUpdate", "max_surge": "50%", "max_unavailable": "1"},
     "resources": {"min_cpu": "200m", "max_cpu": "2", "min_memory": "256Mi", "max_memory": "2Gi"}}
  }}`

const benchAppImage = `{
  "name": "app", "image": {"name": "example.com/app", "tag": "1"},
  "config_templates": {"app.conf": "{\"id\":\"{{.SERVING_ID}}\",\"input\":{{.INPUT_CONFIG}}}"},
  "deploy_templates": [{"name": "app", "role": "server", "replicas": 2, "containers": [
    {"name": "app", "command": ["sh", "-c"], "args": ["./app"], "working_dir": "/work",
     "config_volume_mounts": [{"mount_path": "/work/app.conf", "sub_path": "app.conf"}],
     "ports": [{"name": "service", "protocol": "HTTP", "scope": "Domain"}, {"name": "communication", "protocol": "GRPC", "scope": "Cluster"}],
     "env": [{"name": "A", "value": "1"}],
     "resources": {"limits": {"cpu": "1", "memory": "1Gi"}, "requests": {"cpu": "100m"}},
     "readiness_probe": {"http_get": {"path": "/health", "port": "service"}, "period_seconds": 10}},
    {"name": "side", "command": ["./side"]}]}]}`

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
	return create(b, server, box, "kuscia_serving", benchConfig)
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

func (r *request) validate(t testing.TB) {
	response, err := r.ValidateResourceConfig(t.Context(), &tfprotov6.ValidateResourceConfigRequest{TypeName: r.Type, Config: r.config})
	protocol.Check(t, err, response.Diagnostics)
}

func (r *request) upgrade(t testing.TB) {
	response, err := r.UpgradeResourceState(t.Context(), &tfprotov6.UpgradeResourceStateRequest{TypeName: r.Type, RawState: &tfprotov6.RawState{JSON: r.stateJSON}})
	protocol.Check(t, err, response.Diagnostics)
}

func (r *request) read(t testing.TB) {
	response, err := r.ReadResource(t.Context(), &tfprotov6.ReadResourceRequest{TypeName: r.Type, CurrentState: r.state, Private: r.private})
	protocol.Check(t, err, response.Diagnostics)
}

func (r *request) plan(t testing.TB) {
	response, err := r.PlanResourceChange(t.Context(), &tfprotov6.PlanResourceChangeRequest{
		TypeName: r.Type, Config: r.config, PriorState: r.state, ProposedNewState: r.state, PriorPrivate: r.private,
	})
	protocol.Check(t, err, response.Diagnostics)
}

// all makes the calls of a plan for one resource.
func (r *request) all(t testing.TB) {
	r.validate(t)
	r.upgrade(t)
	r.read(t)
	r.validate(t)
	r.plan(t)
}

// BenchmarkRefreshAndPlan makes the calls of a plan without changes for a
// serving, separately and together; read includes the sandbox.
func BenchmarkRefreshAndPlan(b *testing.B) { benchRefreshAndPlan(b, start) }

// BenchmarkRefreshAndPlanAppImage is the same for an app image.
func BenchmarkRefreshAndPlanAppImage(b *testing.B) {
	benchRefreshAndPlan(b, func(b testing.TB, server tfprotov6.ProviderServer) *request {
		return create(b, server, startBox(b), "kuscia_app_image", benchAppImage)
	})
}

func benchRefreshAndPlan(b *testing.B, start func(testing.TB, tfprotov6.ProviderServer) *request) {
	build := provider.Build{Version: "bench"}
	none := provider.WithEnvironment(func(string) string { return "" })
	for _, served := range []struct {
		name   string
		server tfprotov6.ProviderServer
	}{
		{"framework", providerserver.NewProtocol6(provider.New(build, none)())()},
		{"served", provider.NewServer(build, true, none)()},
	} {
		b.Run(served.name, func(b *testing.B) {
			r := start(b, served.server)
			for _, call := range []struct {
				name string
				do   func(testing.TB)
			}{{"validate", r.validate}, {"upgrade", r.upgrade}, {"read", r.read}, {"plan", r.plan}, {"all", r.all}} {
				b.Run(call.name, func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						call.do(b)
					}
				})
			}
		})
	}
}
