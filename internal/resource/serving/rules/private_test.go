package rules_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

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

// TestObservedReplicas: replicas that were never configured are kept as long as
// the configuration has none.
func TestObservedReplicas(t *testing.T) {
	t.Parallel()
	config := ConfigOf(PartyOf("alice"), PartyOf("bob", Role("server"), Named("bob/server")))
	response := ResponseTo(config)
	response.Parties[0].Replicas = nil
	one := int32(1)
	response.Parties[1].Replicas = &one
	for _, n := range []int32{0, 2} {
		imported, private := rules.FromResponse(rules.Serving{Attributes: rules.Attributes{ServingID: config.ServingID}}, response, rules.Private{Imported: true}, AnyReplicas(n))
		if !slices.Equal(private.ObservedReplicas, []string{"alice/"}) {
			t.Fatalf("observed are %v", private.ObservedReplicas)
		}
		planned, replace := rules.PlanUpdate(config, imported, private, rules.KnownImages(ImagesOf()))
		if len(replace) > 0 || !planned.Parties.Equal(imported.Parties) {
			t.Errorf("%d: the plan is %v, %v", n, planned.Parties, replace)
		}
		moved := InParty(config, 1, Replicas(3))
		planned, _ = rules.PlanUpdate(moved, imported, private, rules.KnownImages(ImagesOf()))
		var diags diag.Diagnostics
		request := rules.UpdateRequest(planned, imported, private, &diags)
		if NoDiags(t, diags); request == nil || len(request.Parties) != 1 || request.Parties[0].DomainID != "bob" {
			t.Errorf("%d: the request is %+v", n, request)
		}
		if after := private.AfterUpdate(moved); !slices.Equal(after.ObservedReplicas, []string{"alice/"}) {
			t.Errorf("after another update the observed replicas are %v", after.ObservedReplicas)
		}
		given := InParty(config, 0, Replicas(1))
		if planned, _ = rules.PlanUpdate(given, imported, private, rules.KnownImages(ImagesOf())); planned.Parties.Equal(imported.Parties) {
			t.Errorf("%d: a configured number plans no change", n)
		}
		if after := private.AfterUpdate(given); len(after.ObservedReplicas) > 0 {
			t.Errorf("with a configured number the observed replicas are %v", after.ObservedReplicas)
		}
		again := ResponseTo(config)
		again.Parties[0].Replicas = &one
		if _, after := rules.FromResponse(imported, again, private, AnyReplicas(n)); len(after.ObservedReplicas) > 0 {
			t.Errorf("with a number set by another client the observed replicas are %v", after.ObservedReplicas)
		}
	}
}

// TestCreatedAgain: what was recorded of a serving is not that of another one with the
// same ID.
func TestCreatedAgain(t *testing.T) {
	t.Parallel()
	config := ConfigOf(PartyOf("alice", Resources(ContainerResources("", "1", "", "", ""))))
	state, response := StateOf(config), ResponseTo(config)
	state.CreateTime = types.StringValue("2026-01-01T00:00:00Z")
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
