package rules_test

import (
	"maps"
	"reflect"
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
	unknown := rules.ByID("glm").WithServingAttribute("endpoints", types.MapUnknown(types.StringType)).WithServingAttribute("create_time", types.StringUnknown())
	first, created := rules.RefreshComputed(unknown, status)
	slices.Reverse(status.PartyStatuses)
	if second, _ := rules.RefreshComputed(unknown, status); !first.Equal(second) {
		t.Errorf("the order of the response matters: %s and %s", first, second)
	}
	got := slices.Sorted(maps.Keys(first.Elements()))
	if want := []string{"alice/old", "alice/older", "alice/x/a", "alice/x/a/", "bob/server/a", "bob/server/b"}; !slices.Equal(got, want) {
		t.Errorf("endpoints are %v, want %v", got, want)
	}
	if endpoint := TextOf(first.Elements()["bob/server/b"]); endpoint != "b:1" {
		t.Errorf("an endpoint is %s", endpoint)
	}
	known := rules.ByID("glm").WithServingAttribute("endpoints", first).WithServingAttribute("create_time", created)
	if endpoints, again := rules.RefreshComputed(known, nil); !endpoints.Equal(first) || again.ValueString() != "2026-01-01T00:00:00Z" {
		t.Errorf("without a status they become %s and %s", endpoints, again)
	}
	if endpoints, created := rules.RefreshComputed(unknown, nil); endpoints.IsUnknown() || endpoints.IsNull() || !created.IsNull() {
		t.Errorf("without anything they are %s and %s", endpoints, created)
	}
}

// TestObservedLike: resources that another client has changed keep the form of the
// state, so that a plan shows the difference where the configuration has the value.
func TestObservedLike(t *testing.T) {
	t.Parallel()
	common := ResourcesOf(ContainerResources("", "1000m", "", "", "2Gi"))
	for name, test := range map[string]struct {
		form     rules.Resources
		response []kuscia.Resource
		want     rules.Resources
	}{
		"for all containers": {common, []kuscia.Resource{WireResource("main", "1", "", "", "3Gi"), WireResource("side", "1", "", "", "3Gi")},
			ResourcesOf(ContainerResources("", "1000m", "", "", "3Gi"))},
		"one of them": {common, []kuscia.Resource{WireResource("main", "1", "", "", "2Gi"), WireResource("side", "2", "", "", "2Gi")},
			ResourcesOf(ContainerResources("main", "1", "", "", "2Gi"), ContainerResources("side", "2", "", "", "2Gi"))},
		"by name": {ResourcesOf(ContainerResources("main", "1000m", "", "", "")), []kuscia.Resource{WireResource("main", "2", "", "", "")},
			ResourcesOf(ContainerResources("main", "2", "", "", ""))},
		"nothing stored": {common, []kuscia.Resource{WireResource("main", "", "", "", "")}, rules.Resources{}},
		"no response":    {common, nil, rules.Resources{}},
	} {
		if got := rules.ObservedLike(test.form, test.response); !got.Equal(test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

// TestAfterUpdate: after an update everything is known that was not after an
// import; parties whose resources are still left out keep what was read.
func TestAfterUpdate(t *testing.T) {
	t.Parallel()
	private := rules.Private{Imported: true, ObservedResources: []string{"alice/", "bob/server", "carol/"}, Containers: map[string][]string{"alice/": {"main"}}}
	config := ConfigOf(PartyOf("alice"), PartyOf("bob", Role("server"), Resources(ContainerResources("", "1", "", "", ""))), PartyOf("carol", Resources()), PartyOf("dave"))
	want := rules.Private{ObservedResources: []string{"alice/", "carol/"}, Containers: private.Containers}
	if got := private.AfterUpdate(config); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestObservedReplicas: replicas that were never configured are kept as long as the configuration
// has none, and no other client sets them. TestImportHandmade shows the plans.
func TestObservedReplicas(t *testing.T) {
	t.Parallel()
	config, one := ConfigOf(PartyOf("alice")), int32(1)
	response := ResponseTo(config)
	response.Parties[0].Replicas = nil
	imported, private := rules.FromResponse(rules.ByID("glm"), response, rules.Private{Imported: true}, AnyReplicas(2))
	response.Parties[0].Replicas = &one
	_, stored := rules.FromResponse(imported, response, private, AnyReplicas(2))
	for name, test := range map[string]struct {
		private rules.Private
		want    []string
	}{
		"import":                     {private, []string{"alice/"}},
		"another update":             {private.AfterUpdate(config), []string{"alice/"}},
		"a configured number":        {private.AfterUpdate(InParty(config, 0, Replicas(1))), nil},
		"a number of another client": {stored, nil},
	} {
		if !slices.Equal(test.private.ObservedReplicas, test.want) {
			t.Errorf("%s: observed are %v", name, test.private.ObservedReplicas)
		}
	}
}

// TestCreatedAgain: what was recorded of a serving is not that of another one with the
// same ID.
func TestCreatedAgain(t *testing.T) {
	t.Parallel()
	config := ConfigOf(PartyOf("alice", Resources(ContainerResources("", "1", "", "", ""))))
	state, response := StateOf(config), ResponseTo(config)
	state = state.WithServingAttribute("create_time", types.StringValue("2026-01-01T00:00:00Z"))
	images := func(string) *kuscia.AppImage { return nil }
	private := rules.Private{Containers: map[string][]string{"alice/": {"main"}}, Ports: map[string][]string{"alice/": {"old"}}}
	for created, want := range map[string]rules.Private{
		"2026-01-01T00:00:00Z": private, "": private,
		"2026-01-02T00:00:00Z": {Containers: map[string][]string{"alice/": {"main", "side"}}},
	} {
		response.Status = &kuscia.ServingStatusDetail{CreateTime: created}
		_, got := rules.Refresh(state, response, private, rules.Sources{Cached: images})
		if !reflect.DeepEqual(got.Containers, want.Containers) || !reflect.DeepEqual(got.Ports, want.Ports) {
			t.Errorf("created at %q: containers %v, ports %v", created, got.Containers, got.Ports)
		}
	}
}
