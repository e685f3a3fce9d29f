package rules_test

import (
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
	alice := func(edit func(*kuscia.ServingParty)) func(*kuscia.Serving) {
		return func(s *kuscia.Serving) { edit(&s.Parties[0]) }
	}
	for name, test := range map[string]struct {
		change func(*kuscia.Serving)
		want   string
		plan   Outcome
	}{
		"serving_input_config cleared": {func(s *kuscia.Serving) { s.ServingInputConfig = "" },
			"serving_input_config", Update},
		"service_name_prefix": {alice(func(p *kuscia.ServingParty) { p.ServiceNamePrefix = "x" }), "parties.alice.service_name_prefix", Replace},
		"a resource gone":     {alice(func(p *kuscia.ServingParty) { p.Resources[1].MaxCPU = "" }), "parties.alice.container_resources parties.alice.resources", Update},
		"a side gone":         {alice(func(p *kuscia.ServingParty) { p.Resources[1].MaxCPU, p.Resources[1].MaxMemory = "", "" }), "parties.alice.container_resources parties.alice.resources", Replace},
		"a resource of all":   {alice(func(p *kuscia.ServingParty) { p.Resources[0].MaxCPU, p.Resources[1].MaxCPU = "3", "3" }), "parties.alice.resources", Update},
		"all resources gone":  {alice(func(p *kuscia.ServingParty) { p.Resources = nil }), "parties.alice.resources", Update},
		"a party more": {func(s *kuscia.Serving) {
			s.Parties = append(s.Parties, kuscia.ServingParty{DomainID: "bob", AppImage: "sf"})
		}, "parties", Replace},
		"a party less": {func(s *kuscia.Serving) { s.Parties = s.Parties[:1] }, "parties", Replace},
		"a role":       {alice(func(p *kuscia.ServingParty) { p.Role = "x" }), "", Replace},
		"endpoints": {func(s *kuscia.Serving) {
			s.Status = &kuscia.ServingStatusDetail{CreateTime: "2026-01-08T10:00:00Z", PartyStatuses: []kuscia.PartyStatus{{DomainID: "bob"}}}
		}, "endpoints", NoOp},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := TwoParties()
			state := StateOf(config)
			response := ResponseTo(config)
			test.change(response)
			got, private := rules.FromResponse(state, response, TwoPartiesPrivate(), AnyReplicas(1))
			if changed := ChangedPaths(state, got); test.want != "" && strings.Join(changed, " ") != test.want {
				t.Errorf("%v changed, want %s", changed, test.want)
			}
			if is, _, reasons := Classify(t, config, got, private, AllImages); is != test.plan {
				t.Errorf("the plan is %s %v, want %s", is, reasons, test.plan)
			}
		})
	}
}

// TestComputed: the values that only the status has, whatever its order; without a status
// the known values are kept.
func TestComputed(t *testing.T) {
	t.Parallel()
	status := func(order []int) *kuscia.ServingStatusDetail {
		all := []kuscia.PartyStatus{
			{DomainID: "bob", Role: "server", Endpoints: []kuscia.Endpoint{{PortName: "b", Scope: "Domain", Endpoint: "b:1"}, {PortName: "a", Scope: "Cluster", Endpoint: "a"}}},
			{DomainID: "alice", Role: "x", Endpoints: []kuscia.Endpoint{{PortName: "a", Scope: "Domain", Endpoint: "e"}, {PortName: "a", Scope: "Cluster", Endpoint: "e"}}},
			{DomainID: "alice", Endpoints: []kuscia.Endpoint{{Endpoint: "old"}, {Endpoint: "older"}}},
			{DomainID: "carol"},
		}
		detail := &kuscia.ServingStatusDetail{CreateTime: "2026-01-01T00:00:00Z"}
		for _, i := range order {
			detail.PartyStatuses = append(detail.PartyStatuses, all[i])
		}
		return detail
	}
	first, created := rules.RefreshComputed(rules.Serving{Attributes: rules.Attributes{Endpoints: types.MapUnknown(rules.EndpointType)}}, status([]int{0, 1, 2, 3}))
	second, _ := rules.RefreshComputed(rules.Serving{Attributes: rules.Attributes{Endpoints: types.MapUnknown(rules.EndpointType)}}, status([]int{3, 2, 1, 0}))
	if !first.Equal(second) {
		t.Errorf("the order of the response matters: %s and %s", first, second)
	}
	var got []string
	for key, e := range first.Elements() {
		a := e.(types.Object).Attributes()
		got = append(got, strings.Join([]string{key, TextOf(a["domain_id"]), TextOf(a["role"]), TextOf(a["port_name"]), TextOf(a["scope"]), TextOf(a["endpoint"])}, ","))
	}
	slices.Sort(got)
	if want := []string{
		"alice/old,alice,,,,old", "alice/older,alice,,,,older", "alice/x/a,alice,x,a,Cluster,e", "alice/x/a/,alice,x,a,Domain,e",
		"bob/server/a,bob,server,a,Cluster,a", "bob/server/b,bob,server,b,Domain,b:1",
	}; !slices.Equal(got, want) {
		t.Errorf("endpoints are %v, want %v", got, want)
	}
	if created.ValueString() != "2026-01-01T00:00:00Z" {
		t.Errorf("create_time is %s", created)
	}

	known := rules.Serving{Attributes: rules.Attributes{Endpoints: first, CreateTime: created}}
	if endpoints, created := rules.RefreshComputed(known, nil); !endpoints.Equal(first) || created.ValueString() == "" {
		t.Errorf("without a status they become %s and %s", endpoints, created)
	}
	if endpoints, created := rules.RefreshComputed(rules.Serving{Attributes: rules.Attributes{Endpoints: types.MapUnknown(rules.EndpointType), CreateTime: types.StringUnknown()}}, nil); endpoints.IsUnknown() || endpoints.IsNull() || !created.IsNull() {
		t.Errorf("without anything they are %s and %s", endpoints, created)
	}
}
