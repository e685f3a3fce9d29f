package serving

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// benchConfig has two parties with everything set.
func benchConfig() rules.Serving {
	return ConfigOf(
		PartyOf("alice", Role("server"), Replicas(2), RollingUpdate("25%", "25%"), Resources(ContainerResources("app", "100m", "1", "128Mi", "1Gi"))),
		PartyOf("bob", Role("client"), Replicas(1), RollingUpdate("50%", "1"), Resources(ContainerResources("", "200m", "2", "256Mi", "2Gi"))))
}

// benchResponse is Kuscia's response for benchConfig.
func benchResponse(b *testing.B, config rules.Serving) *kuscia.Serving {
	b.Helper()
	var diags diag.Diagnostics
	request := rules.CreateRequest(rules.PlanCreate(config, rules.KnownImages(AllImages)), &diags)
	NoDiags(b, diags)
	response := &kuscia.Serving{Initiator: request.Initiator, ServingInputConfig: request.ServingInputConfig, Parties: request.Parties}
	response.Parties[1].Resources[0].ContainerName = "app"
	return response
}

func BenchmarkOf(b *testing.B) {
	value := StateOf(benchConfig()).Value()
	b.ReportAllocs()
	for b.Loop() {
		rules.Of(value)
	}
}

func BenchmarkValue(b *testing.B) {
	state := StateOf(benchConfig())
	b.ReportAllocs()
	for b.Loop() {
		state.Value()
	}
}

func BenchmarkRequest(b *testing.B) {
	planned := rules.PlanCreate(benchConfig(), rules.KnownImages(AllImages))
	var diags diag.Diagnostics
	b.ReportAllocs()
	for b.Loop() {
		rules.CreateRequest(planned, &diags)
	}
	NoDiags(b, diags)
}

func BenchmarkRefresh(b *testing.B) {
	state := StateOf(benchConfig())
	response := benchResponse(b, benchConfig())
	b.ReportAllocs()
	for b.Loop() {
		rules.FromResponse(state, response, rules.Private{}, AnyReplicas(1))
	}
}

// BenchmarkPlanNothing and BenchmarkPlanUpdate measure the rules alone, without
// the framework.
func BenchmarkPlanNothing(b *testing.B) {
	config := benchConfig()
	state := StateOf(config)
	b.ReportAllocs()
	for b.Loop() {
		rules.PlanUpdate(config, state, rules.Private{}, rules.KnownImages(ImagesOf()))
	}
}

func BenchmarkPlanUpdate(b *testing.B) {
	config := benchConfig()
	state := StateOf(config)
	config = InParty(config, 0, Replicas(5))
	b.ReportAllocs()
	for b.Loop() {
		rules.PlanUpdate(config, state, rules.Private{}, rules.KnownImages(ImagesOf()))
	}
}
