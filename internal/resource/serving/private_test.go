package serving

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// privateStore is Terraform's private state.
type privateStore map[string][]byte

func (s privateStore) GetKey(_ context.Context, key string) ([]byte, diag.Diagnostics) {
	return s[key], nil
}

func (s privateStore) SetKey(_ context.Context, key string, value []byte) diag.Diagnostics {
	s[key] = value
	return nil
}

func TestPrivateData(t *testing.T) {
	t.Parallel()
	store := privateStore{}
	var diags diag.Diagnostics
	if data, found := loadPrivate(t.Context(), store, &diags); found || !reflect.DeepEqual(data, privateData{}) {
		t.Errorf("nothing is %+v, %v", data, found)
	}
	want := privateData{Imported: true, Uncertain: true, Containers: map[string][]string{"a/": {"c"}}, Observed: []string{"a/"}}
	savePrivate(t.Context(), store, want, &diags)
	if got, found := loadPrivate(t.Context(), store, &diags); !found || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, found)
	}
	noDiags(t, diags)
	store[privateKey] = []byte("{")
	if loadPrivate(t.Context(), store, &diags); !diags.HasError() {
		t.Error("damaged data are no error")
	}
}

// TestLearn: the containers are noted when resources are first stored, stay as
// they are, and are forgotten with the resources.
func TestLearn(t *testing.T) {
	t.Parallel()
	config := configOf(partyOf("alice", asks(of("", "1", "", "", ""))), partyOf("bob"))
	state, answer := stateOf(config), answerTo(config)

	first := privateData{Uncertain: true, Imported: true}.learn(answer, state)
	want := privateData{TextEnd: "plain", Imported: true, Containers: map[string][]string{"alice/": {"main", "side"}}}
	if !reflect.DeepEqual(first, want) {
		t.Errorf("learned %+v, want %+v", first, want)
	}
	answer.Parties[0].Resources = append(answer.Parties[0].Resources, kuscia.Resource{ContainerName: "extra"})
	if again := first.learn(answer, state); !reflect.DeepEqual(again, want) {
		t.Errorf("a newer app image changes it to %+v", again)
	}
	without := stateOf(inParty(config, 0, noResources))
	if again := first.learn(answer, without); len(again.Containers) > 0 {
		t.Errorf("without resources it keeps %+v", again)
	}
	if again := first.learn(&kuscia.Serving{}, state); len(again.Containers) > 0 {
		t.Errorf("without the party it keeps %+v", again)
	}
}

// TestAfterUpdate: an update settles what was open after an import; parties
// whose resources are still left out keep showing what was read.
func TestAfterUpdate(t *testing.T) {
	t.Parallel()
	private := privateData{Imported: true, Observed: []string{"alice/", "bob/server", "carol/"}, Containers: map[string][]string{"alice/": {"main"}}}
	config := configOf(partyOf("alice"), partyOf("bob", role("server"), asks(of("", "1", "", "", ""))), partyOf("carol", asks()), partyOf("dave"))
	want := privateData{Observed: []string{"alice/", "carol/"}, Containers: private.Containers}
	if got := private.afterUpdate(config); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestObservedReplicas: a number that nobody gave stays as it is as long as the
// configuration gives none.
func TestObservedReplicas(t *testing.T) {
	t.Parallel()
	config := configOf(partyOf("alice"), partyOf("bob", role("server")))
	answer := answerTo(config)
	answer.Parties[0].Replicas = nil
	one := int32(1)
	answer.Parties[1].Replicas = &one
	for _, n := range []int32{0, 2} {
		imported, private := refresh(model{attributes: attributes{ServingID: config.ServingID}}, answer, privateData{Imported: true}, anyReplicas(n))
		if !slices.Equal(private.ObservedReplicas, []string{"alice/"}) {
			t.Fatalf("observed are %v", private.ObservedReplicas)
		}
		planned, replace := planUpdate(config, imported, private, imagesOf())
		if len(replace) > 0 || !planned.Parties.equal(imported.Parties) {
			t.Errorf("%d: it plans %v, %v", n, planned.Parties, replace)
		}
		moved := inParty(config, 1, replicas(3))
		planned, _ = planUpdate(moved, imported, private, imagesOf())
		var diags diag.Diagnostics
		request := updateRequest(planned, imported, private, &diags)
		if noDiags(t, diags); request == nil || len(request.Parties) != 1 || request.Parties[0].DomainID != "bob" {
			t.Errorf("%d: it sends %+v", n, request)
		}
		if after := private.afterUpdate(moved); !slices.Equal(after.ObservedReplicas, []string{"alice/"}) {
			t.Errorf("after another update it keeps %v", after.ObservedReplicas)
		}
		given := inParty(config, 0, replicas(1))
		if planned, _ = planUpdate(given, imported, private, imagesOf()); planned.Parties.equal(imported.Parties) {
			t.Errorf("%d: a number that is given plans nothing", n)
		}
		if after := private.afterUpdate(given); len(after.ObservedReplicas) > 0 {
			t.Errorf("a number was given, and it keeps %v", after.ObservedReplicas)
		}
		again := answerTo(config)
		again.Parties[0].Replicas = &one
		if _, after := refresh(imported, again, private, anyReplicas(n)); len(after.ObservedReplicas) > 0 {
			t.Errorf("somebody gave a number, and it keeps %v", after.ObservedReplicas)
		}
	}
}
