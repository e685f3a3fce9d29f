package serving

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// benchConfig has two parties with everything set.
func benchConfig() model {
	return configOf(
		partyOf("alice", role("server"), replicas(2), rolling("25%", "25%"), asks(of("app", "100m", "1", "128Mi", "1Gi"))),
		partyOf("bob", role("client"), replicas(1), rolling("50%", "1"), asks(of("", "200m", "2", "256Mi", "2Gi"))))
}

// benchAnswer is what Kuscia answers for it.
func benchAnswer(b *testing.B, config model) *kuscia.Serving {
	b.Helper()
	var diags diag.Diagnostics
	request := createRequest(planCreate(config), &diags)
	noDiags(b, diags)
	answer := &kuscia.Serving{Initiator: request.Initiator, ServingInputConfig: request.ServingInputConfig, Parties: request.Parties}
	answer.Parties[1].Resources[0].ContainerName = "app"
	return answer
}

func BenchmarkDecode(b *testing.B) {
	list := stateOf(benchConfig()).Parties.encode()
	b.ReportAllocs()
	for b.Loop() {
		decodeParties(list)
	}
}

func BenchmarkEncode(b *testing.B) {
	parties := stateOf(benchConfig()).Parties
	b.ReportAllocs()
	for b.Loop() {
		parties.encode()
	}
}

func BenchmarkRequest(b *testing.B) {
	planned := planCreate(benchConfig())
	var diags diag.Diagnostics
	b.ReportAllocs()
	for b.Loop() {
		createRequest(planned, &diags)
	}
	noDiags(b, diags)
}

func BenchmarkRefresh(b *testing.B) {
	state := stateOf(benchConfig())
	answer := benchAnswer(b, benchConfig())
	b.ReportAllocs()
	for b.Loop() {
		refresh(state, answer, privateData{}, anyReplicas(1))
	}
}

// BenchmarkPlanNothing and BenchmarkPlanUpdate are the rules alone, without
// the framework around them.
func BenchmarkPlanNothing(b *testing.B) {
	config := benchConfig()
	state := stateOf(config)
	b.ReportAllocs()
	for b.Loop() {
		planUpdate(config, state, privateData{}, imagesOf())
	}
}

func BenchmarkPlanUpdate(b *testing.B) {
	config := benchConfig()
	state := stateOf(config)
	config = inParty(config, 0, replicas(5))
	b.ReportAllocs()
	for b.Loop() {
		planUpdate(config, state, privateData{}, imagesOf())
	}
}
