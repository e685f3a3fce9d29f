package provider_test

import (
	"encoding/json"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/provider"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
)

// request is what Terraform has of one serving of two parties.
type request struct {
	server                   tfprotov6.ProviderServer
	config, state, stateJSON []byte
	private                  []byte
	box                      *sandbox.Sandbox
	kind                     tftypes.Type
}

const benchConfig = `{
  "serving_id": "s", "initiator": "alice", "serving_input_config": "{\"model\":\"m\"}",
  "parties": [
    {"domain_id": "alice", "role": "server", "app_image": "app", "replicas": 2,
     "update_strategy": {"type": "RollingUpdate", "max_surge": "25%", "max_unavailable": "25%"},
     "resources": [{"container_name": "app", "min_cpu": "100m", "max_cpu": "1", "min_memory": "128Mi", "max_memory": "1Gi"}]},
    {"domain_id": "bob", "role": "client", "app_image": "app", "replicas": 1,
     "update_strategy": {"type": "RollingUpdate", "max_surge": "50%", "max_unavailable": "1"},
     "resources": [{"min_cpu": "200m", "max_cpu": "2", "min_memory": "256Mi", "max_memory": "2Gi"}]}
  ]}`

// start configures a server for a sandbox with the serving and reads its state.
func start(b testing.TB, server tfprotov6.ProviderServer) *request {
	b.Helper()
	box, err := sandbox.Start(b.Context(), sandbox.Options{Timing: sandbox.QuickTiming()})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = box.Close() })
	if err := box.PutAppImage(kuscia.AppImage{
		Name: "app", Image: kuscia.AppImageInfo{Name: "example.com/app", Tag: "1"},
		DeployTemplates: []kuscia.DeployTemplate{{Name: "app", Replicas: 1, Containers: []kuscia.Container{{Name: "app"}}}},
	}); err != nil {
		b.Fatal(err)
	}
	kind := configure(b, server, box)
	var plain any
	if err := json.Unmarshal([]byte(benchConfig), &plain); err != nil {
		b.Fatal(err)
	}
	config := encode(b, valueOf(kind, plain))
	null := encode(b, tftypes.NewValue(kind, nil))
	planned, err := server.PlanResourceChange(b.Context(), &tfprotov6.PlanResourceChangeRequest{
		TypeName: "kuscia_serving", Config: config, PriorState: null, ProposedNewState: config,
	})
	check(b, err, planned.Diagnostics)
	made, err := server.ApplyResourceChange(b.Context(), &tfprotov6.ApplyResourceChangeRequest{
		TypeName: "kuscia_serving", Config: config, PriorState: null, PlannedState: planned.PlannedState, PlannedPrivate: planned.PlannedPrivate,
	})
	check(b, err, made.Diagnostics)
	state, err := made.NewState.Unmarshal(kind)
	if err != nil {
		b.Fatal(err)
	}
	text, err := json.Marshal(plainOf(b, state))
	if err != nil {
		b.Fatal(err)
	}
	return &request{server: server, config: config.MsgPack, state: made.NewState.MsgPack, stateJSON: text, private: made.Private, box: box, kind: kind}
}

// configure points a server to a sandbox. It returns the type of servings.
func configure(t testing.TB, server tfprotov6.ProviderServer, box *sandbox.Sandbox) tftypes.Type {
	t.Helper()
	schemas, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	block := valueOf(schemas.Provider.ValueType(), map[string]any{"endpoint": box.Endpoint()})
	configured, err := server.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{Config: encode(t, block)})
	check(t, err, configured.Diagnostics)
	return schemas.ResourceSchemas["kuscia_serving"].ValueType()
}

func (r *request) validate(t testing.TB) {
	answer, err := r.server.ValidateResourceConfig(t.Context(), &tfprotov6.ValidateResourceConfigRequest{
		TypeName: "kuscia_serving", Config: &tfprotov6.DynamicValue{MsgPack: r.config},
	})
	check(t, err, answer.Diagnostics)
}

func (r *request) upgrade(t testing.TB) {
	answer, err := r.server.UpgradeResourceState(t.Context(), &tfprotov6.UpgradeResourceStateRequest{
		TypeName: "kuscia_serving", RawState: &tfprotov6.RawState{JSON: r.stateJSON},
	})
	check(t, err, answer.Diagnostics)
}

func (r *request) read(t testing.TB) {
	answer, err := r.server.ReadResource(t.Context(), &tfprotov6.ReadResourceRequest{
		TypeName: "kuscia_serving", CurrentState: &tfprotov6.DynamicValue{MsgPack: r.state}, Private: r.private,
	})
	check(t, err, answer.Diagnostics)
}

func (r *request) plan(t testing.TB) {
	answer, err := r.server.PlanResourceChange(t.Context(), &tfprotov6.PlanResourceChangeRequest{
		TypeName: "kuscia_serving", Config: &tfprotov6.DynamicValue{MsgPack: r.config},
		PriorState: &tfprotov6.DynamicValue{MsgPack: r.state}, ProposedNewState: &tfprotov6.DynamicValue{MsgPack: r.state},
		PriorPrivate: r.private,
	})
	check(t, err, answer.Diagnostics)
}

// BenchmarkRefreshAndPlan is what a plan that changes nothing asks of the
// provider for each serving, request by request; the sandbox's own work is in
// read.
func BenchmarkRefreshAndPlan(b *testing.B) {
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
			}{{"validate", r.validate}, {"upgrade", r.upgrade}, {"read", r.read}, {"plan", r.plan}} {
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
