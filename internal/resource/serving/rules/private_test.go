package rules_test

import (
	"reflect"
	"slices"
	"testing"

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

// TestObservedReplicas: replicas that were never configured are kept as long as the configuration
// has none, and no other client sets them. TestImportHandmade shows the plans.
func TestObservedReplicas(t *testing.T) {
	t.Parallel()
	config, one := ConfigOf(PartyOf("alice")), int32(1)
	response := ResponseTo(config)
	response.Parties[0].Replicas = nil
	imported, private := rules.FromResponse(rules.Serving{Attributes: rules.Attributes{ServingID: config.ServingID}}, response, rules.Private{Imported: true}, AnyReplicas(2))
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
