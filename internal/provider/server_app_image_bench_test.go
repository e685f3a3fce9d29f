package provider_test

import (
	"encoding/json"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/provider"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
)

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

// startAppImage is start for an app image.
func startAppImage(b testing.TB, server tfprotov6.ProviderServer) (kind tftypes.Type, config, state *tfprotov6.DynamicValue, stored, private []byte) {
	b.Helper()
	box, err := sandbox.Start(b.Context(), sandbox.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = box.Close() })
	configure(b, server, box)
	schemas, err := server.GetProviderSchema(b.Context(), &tfprotov6.GetProviderSchemaRequest{})
	check(b, err, schemas.Diagnostics)
	kind = schemas.ResourceSchemas["kuscia_app_image"].ValueType()
	var plain any
	if err := json.Unmarshal([]byte(benchAppImage), &plain); err != nil {
		b.Fatal(err)
	}
	config = encode(b, valueOf(kind, plain))
	null := encode(b, tftypes.NewValue(kind, nil))
	planned, err := server.PlanResourceChange(b.Context(), &tfprotov6.PlanResourceChangeRequest{
		TypeName: "kuscia_app_image", Config: config, PriorState: null, ProposedNewState: config,
	})
	check(b, err, planned.Diagnostics)
	made, err := server.ApplyResourceChange(b.Context(), &tfprotov6.ApplyResourceChangeRequest{
		TypeName: "kuscia_app_image", Config: config, PriorState: null, PlannedState: planned.PlannedState, PlannedPrivate: planned.PlannedPrivate,
	})
	check(b, err, made.Diagnostics)
	value, err := made.NewState.Unmarshal(kind)
	if err != nil {
		b.Fatal(err)
	}
	stored, err = json.Marshal(plainOf(b, value))
	if err != nil {
		b.Fatal(err)
	}
	return kind, config, made.NewState, stored, made.Private
}

// BenchmarkRefreshAndPlanAppImage is what a plan that changes nothing asks of
// the provider for each app image, request by request and as a whole; the
// sandbox's own work is in read.
func BenchmarkRefreshAndPlanAppImage(b *testing.B) {
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
			server := served.server
			_, config, state, stored, private := startAppImage(b, server)
			validate := func() {
				answer, err := server.ValidateResourceConfig(b.Context(), &tfprotov6.ValidateResourceConfigRequest{TypeName: "kuscia_app_image", Config: config})
				check(b, err, answer.Diagnostics)
			}
			upgrade := func() {
				answer, err := server.UpgradeResourceState(b.Context(), &tfprotov6.UpgradeResourceStateRequest{TypeName: "kuscia_app_image", RawState: &tfprotov6.RawState{JSON: stored}})
				check(b, err, answer.Diagnostics)
			}
			read := func() {
				answer, err := server.ReadResource(b.Context(), &tfprotov6.ReadResourceRequest{TypeName: "kuscia_app_image", CurrentState: state, Private: private})
				check(b, err, answer.Diagnostics)
			}
			plan := func() {
				answer, err := server.PlanResourceChange(b.Context(), &tfprotov6.PlanResourceChangeRequest{
					TypeName: "kuscia_app_image", Config: config, PriorState: state, ProposedNewState: state, PriorPrivate: private,
				})
				check(b, err, answer.Diagnostics)
			}
			for _, call := range []struct {
				name string
				do   func()
			}{{"validate", validate}, {"upgrade", upgrade}, {"read", read}, {"plan", plan}, {"all", func() { validate(); upgrade(); read(); validate(); plan() }}} {
				b.Run(call.name, func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						call.do()
					}
				})
			}
		})
	}
}
