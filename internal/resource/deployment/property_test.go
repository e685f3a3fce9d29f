package deployment

import (
	"context"
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definitiontest"
)

type tree = definition.Tree

// drawn are configurations with few values, valid or not.
func drawn(unknowns bool) definitiontest.Generator {
	return definitiontest.Generator{
		Definition: kusciaDeployment.Definition, Fixed: tree{attrName: "kd", definition.AttrTimeouts: nil, attrInputConfig + "_wo": nil, attrInputConfig + "_wo_version": nil},
		Unknowns: unknowns, Keys: []string{"cpu", "memory"}, ObjectKeys: []string{"alice", "bob", "main"},
		Texts: map[string][]string{
			attrInputConfig: {"", `{"a":1}`, `{ "a": 1 }`, "text"}, attrAffinityMode: {affinityNone, affinityPod, affinityAnti},
			attrInitiator: {"alice", "bob"}, attrDomainID: {"alice", "bob"}, attrRole: {"", "server"}, attrPrefix: {"", "p"},
			attrAppImage: {"v1", "v2"}, "type": {rollingUpdate, recreate, ""}, "max_surge": {"", "25%", "1", "01"}, "max_unavailable": {"", "25%", "50%"},
			attrRequests: {"1", "1000m", "2"}, attrLimits: {"2", "2000m", "4"},
		},
	}
}

// planOf is a plan without clients.
func planOf(config, prior definition.Value, imported bool) definition.Plan {
	return kusciaDeployment.Plan(context.Background(), nil, crud.Planned{Config: config, Prior: prior, Imported: imported}).Plan
}

// stored is the object as an API server stores it.
func stored(t *rapid.T, object *unstructured.Unstructured) *unstructured.Unstructured {
	encoded, err := json.Marshal(object.Object)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]any{}
	if err := json.Unmarshal(encoded, &out); err != nil {
		t.Fatal(err)
	}
	return &unstructured.Unstructured{Object: out}
}

// applied returns the state and the object after an apply.
func applied(t *rapid.T, planned definition.Value, live *unstructured.Unstructured) (definition.Value, *unstructured.Unstructured) {
	_, diags := kusciaDeployment.Request(planned, kusciaDeployment.Definition.Null())
	if diags.HasError() {
		t.Fatalf("%v", diags)
	}
	object := request(planned, live)
	canonical(t, object)
	object = stored(t, object)
	kd, err := decoded(object)
	if err != nil {
		t.Fatal(err)
	}
	if different := kusciaDeployment.Definition.Differences(planned, fromResponse(kd, planned)); len(different) > 0 {
		t.Fatalf("the answer differs in %v", different)
	}
	state := definition.WithRollout(kusciaDeployment.Definition.Filled(planned, kusciaDeployment.Definition.Null()), definition.BoolValue(true))
	if waits := definition.FieldsOf(state)[definition.AttrWaitForRollout]; !definition.BoolOf(waits) {
		state = definition.WithRollout(state, definition.NullBool())
	}
	return state, object
}

// canonical is the form that Kuscia's controller does not rewrite.
func canonical(t *rapid.T, object *unstructured.Unstructured) {
	parties, _, _ := unstructured.NestedSlice(object.Object, "spec", "parties")
	for _, entry := range parties {
		party, _ := entry.(map[string]any)
		if role, has := party["role"]; has && role == "" {
			t.Fatalf("an empty role: %v", party)
		}
		spec, has, _ := unstructured.NestedMap(party, "template", "spec")
		if !has {
			t.Fatalf("no template.spec: %v", party)
		}
		containers, _ := spec["containers"].([]any)
		for _, entry := range containers {
			container, _ := entry.(map[string]any)
			resources, has := container["resources"].(map[string]any)
			if _, work := container["workingDir"]; !has || !work {
				t.Fatalf("no resources or no workingDir: %v", container)
			}
			for _, side := range resources {
				for _, amount := range side.(map[string]any) {
					text, _ := amount.(string)
					if q := resource.MustParse(text); q.String() != text {
						t.Fatalf("%s is no canonical quantity", text)
					}
				}
			}
		}
	}
}

// TestPropertyRoundTrip: every valid configuration that is applied reads back
// as exactly the state, has an empty plan, and imports with the same meaning;
// the same holds after an update to any other configuration.
func TestPropertyRoundTrip(t *testing.T) {
	t.Parallel()
	updates := 0
	rapid.Check(t, func(t *rapid.T) {
		state, live := kusciaDeployment.Definition.Null(), (*unstructured.Unstructured)(nil)
		for range 6 {
			draw := drawn(false).Configurations().Draw(t, "config").Tree
			if rapid.Bool().Draw(t, "one party") {
				key := rapid.SampledFrom([]string{"alice", "a"}).Draw(t, "key")
				party := drawn(false).Configurations().Filter(func(d definitiontest.Drawn) bool { return d.Tree[attrParties].(tree)["alice"] != nil }).Draw(t, "party").Tree[attrParties].(tree)["alice"].(tree)
				party[attrDomainID], party[attrRole], party[attrPrefix], draw[attrInitiator], draw[attrAffinityMode] = "alice", nil, nil, "alice", nil
				draw[attrParties] = tree{key: party}
			}
			config := kusciaDeployment.Definition.Encode(draw)
			if len(issues(config)) > 0 {
				continue
			}
			change := planOf(config, state, false)
			definitiontest.Legal(t, kusciaDeployment.Definition.ResourceSchema(), state, config, change.Planned)
			if len(change.Replaces) > 0 {
				state, live = kusciaDeployment.Definition.Null(), nil
				change = planOf(config, state, false)
			}
			if !state.IsNull() {
				updates++
			}
			state, live = applied(t, change.Planned, live)
			kd, err := decoded(live)
			if err != nil {
				t.Fatal(err)
			}
			if read := refreshed(kd, state); !definition.Equal(read, state) {
				diff, _ := read.Diff(state)
				t.Fatalf("the refreshed state differs: %v", diff)
			}
			if again := planOf(config, state, false); !definition.Equal(again.Planned, state) {
				diff, _ := again.Planned.Diff(state)
				t.Fatalf("a second plan has a difference: %v", diff)
			}
			imported := planOf(config, refreshed(kd, kusciaDeployment.Definition.Null()), true)
			if touches(imported.Sent, attrInitiator, attrParties, attrInputConfig, attrAffinityMode, attrLabels) {
				t.Fatalf("a plan after an import sends %v", imported.Sent)
			}
		}
	})
	if updates == 0 {
		t.Error("nothing was updated")
	}
}

// TestPropertyUnknown: a plan with unknown parts is legal, and its known values
// are those of the plan with all values known.
func TestPropertyUnknown(t *testing.T) {
	t.Parallel()
	definitiontest.UnknownPlans{
		Generator: drawn, Issues: issues,
		Plan: func(config, prior definition.Value) definition.Value {
			return planOf(config, prior, false).Planned
		},
		Prior: func(_ *rapid.T, _, planned definition.Value) definition.Value {
			return definition.WithRollout(kusciaDeployment.Definition.Filled(planned, kusciaDeployment.Definition.Null()), definition.BoolValue(true))
		},
	}.Check(t)
}

// TestPropertyKeepsWhatIsNotKnown: fields of a party that other clients have
// set, such as the affinity by the KusciaAPI, survive an update.
func TestPropertyKeepsWhatIsNotKnown(t *testing.T) {
	t.Parallel()
	planned := planOf(kusciaDeployment.Definition.Encode(tree{
		attrName: "kd", attrInitiator: "alice",
		attrParties: tree{"alice": tree{attrAppImage: "v2", attrContainers: tree{"main": tree{attrLimits: map[string]string{"cpu": "1"}}}}},
	}), kusciaDeployment.Definition.Null(), false).Planned
	live := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"parties": []any{map[string]any{
		"domainID": "alice", "appImageRef": "v1", "role": "",
		"template": map[string]any{
			"replicas": int64(3), "strategy": map[string]any{"type": recreate},
			"spec": map[string]any{
				"affinity":   map[string]any{"nodeAffinity": map[string]any{}},
				"containers": []any{map[string]any{"name": "main", "workingDir": "/work", "resources": map[string]any{"requests": map[string]any{"cpu": "1"}}}},
			},
		},
	}}}}}
	object := request(planned, live)
	encoded, _ := json.Marshal(partyOf(object, "alice", ""))
	const want = `{"appImageRef":"v2","domainID":"alice","template":{"spec":{"affinity":{"nodeAffinity":{}},"containers":[{"name":"main","resources":{"limits":{"cpu":"1"}},"workingDir":"/work"}]}}}`
	if string(encoded) != want {
		t.Errorf("sent %s\nwant %s", encoded, want)
	}
	if kd, err := decoded(live); err != nil || kd.Spec.Parties[0].Template.Spec.Affinity == nil || affinityMode(kd) != affinityAnti {
		t.Errorf("%+v %v", kd, err)
	}
}

// TestNotKnownYet: parties that may turn out to be others plan a replacement,
// since Terraform refuses an apply that replaces what was planned to stay;
// anything else of a party that is not known yet is an update.
func TestNotKnownYet(t *testing.T) {
	t.Parallel()
	config := func(party tree) definition.Value {
		with := tree{attrAppImage: "v1", attrReplicas: int64(1)}
		maps.Copy(with, party)
		return kusciaDeployment.Definition.Encode(tree{attrName: "kd", attrInitiator: "alice", attrParties: tree{"alice": with}})
	}
	state := kusciaDeployment.Definition.Filled(planOf(config(nil), kusciaDeployment.Definition.Null(), false).Planned, kusciaDeployment.Definition.Null())
	for name, replaces := range map[string]bool{
		attrDomainID: true, attrRole: true, attrPrefix: true, attrAppImage: false, attrReplicas: false, attrStrategy: false, attrContainers: false,
	} {
		change := planOf(config(tree{name: definition.Unknown}), state, false)
		if (len(change.Replaces) > 0) != replaces {
			t.Errorf("%s: replaces %v", name, change.Replaces)
		}
	}
	all := kusciaDeployment.Definition.Encode(tree{attrName: "kd", attrInitiator: "alice", attrParties: definition.Unknown})
	if change := planOf(all, state, false); len(change.Replaces) != 1 || !strings.Contains(change.Replaces[0].Why, "not known") {
		t.Errorf("parties: replaces %v", change.Replaces)
	}
}
