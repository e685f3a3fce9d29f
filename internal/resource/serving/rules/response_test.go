package rules_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// TestDrift: a change outside of Terraform is a change of exactly that
// attribute, and the plan for the unchanged configuration reverts it or explains
// why it cannot.
func TestDrift(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(*kuscia.Serving)
		want   string
		plan   Outcome
	}{
		"a resource gone": {func(s *kuscia.Serving) { s.Parties[0].Resources[1].MaxCPU = "" }, "parties.alice.container_resources parties.alice.resources", Update},
		"a side gone": {func(s *kuscia.Serving) {
			s.Parties[0].Resources[1].MaxCPU, s.Parties[0].Resources[1].MaxMemory = "", ""
		}, "parties.alice.container_resources parties.alice.resources", Replace},
		"all resources gone": {func(s *kuscia.Serving) { s.Parties[0].Resources = nil }, "parties.alice.resources", Update},
		"endpoints": {func(s *kuscia.Serving) {
			s.Status = &kuscia.ServingStatusDetail{CreateTime: "2026-01-08T10:00:00Z", PartyStatuses: []kuscia.PartyStatus{{DomainID: "bob"}}}
		}, "endpoints", NoOp},
	} {
		config := TwoParties()
		state, response := StateOf(config), ResponseTo(config)
		test.change(response)
		got, private := rules.FromResponse(state, response, TwoPartiesPrivate(), AnyReplicas(1))
		if changed := ChangedPaths(state, got); strings.Join(changed, " ") != test.want {
			t.Errorf("%s: %v changed, want %s", name, changed, test.want)
		}
		if is, _, reasons := Classify(t, config, got, private, AllImages); is != test.plan {
			t.Errorf("%s: the plan is %s %v, want %s", name, is, reasons, test.plan)
		}
	}
}

// TestComputed: the values that only the status has, whatever its order; without a status
// the known values are kept.
func TestComputed(t *testing.T) {
	t.Parallel()
	status := &kuscia.ServingStatusDetail{CreateTime: "2026-01-01T00:00:00Z", PartyStatuses: []kuscia.PartyStatus{
		{DomainID: "bob", Role: "server", Endpoints: []kuscia.Endpoint{{PortName: "b", Scope: "Domain", Endpoint: "b:1"}, {PortName: "a", Scope: "Cluster", Endpoint: "a"}}},
		{DomainID: "alice", Role: "x", Endpoints: []kuscia.Endpoint{{PortName: "a", Scope: "Domain", Endpoint: "e"}, {PortName: "a", Scope: "Cluster", Endpoint: "e"}}},
		{DomainID: "alice", Endpoints: []kuscia.Endpoint{{Endpoint: "old"}, {Endpoint: "older"}}},
		{DomainID: "carol"},
	}}
	unknown := rules.Serving{Attributes: rules.Attributes{Endpoints: types.MapUnknown(rules.EndpointType), CreateTime: types.StringUnknown()}}
	first, created := rules.RefreshComputed(unknown, status)
	slices.Reverse(status.PartyStatuses)
	if second, _ := rules.RefreshComputed(unknown, status); !first.Equal(second) {
		t.Errorf("the order of the response matters: %s and %s", first, second)
	}
	got := slices.Sorted(maps.Keys(first.Elements()))
	if want := []string{"alice/old", "alice/older", "alice/x/a", "alice/x/a/", "bob/server/a", "bob/server/b"}; !slices.Equal(got, want) {
		t.Errorf("endpoints are %v, want %v", got, want)
	}
	if fields := first.Elements()["alice/x/a"].(types.Object).Attributes(); TextOf(fields["scope"]) != "Cluster" || TextOf(fields["endpoint"]) != "e" || TextOf(fields["role"]) != "x" {
		t.Errorf("an endpoint is %v", fields)
	}
	known := rules.Serving{Attributes: rules.Attributes{Endpoints: first, CreateTime: created}}
	if endpoints, again := rules.RefreshComputed(known, nil); !endpoints.Equal(first) || again.ValueString() != "2026-01-01T00:00:00Z" {
		t.Errorf("without a status they become %s and %s", endpoints, again)
	}
	if endpoints, created := rules.RefreshComputed(unknown, nil); endpoints.IsUnknown() || endpoints.IsNull() || !created.IsNull() {
		t.Errorf("without anything they are %s and %s", endpoints, created)
	}
}
