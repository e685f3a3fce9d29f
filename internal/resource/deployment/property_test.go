package deployment

import (
	"context"
	"maps"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testjson"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definitiontest"
)

type tree = definition.Tree

// drawn are configurations with few values, valid or not.
func drawn(unknowns bool) definitiontest.Generator {
	return definitiontest.Generator{
		Definition: kusciaDeployment.Definition, Fixed: tree{attrName: "kd", definition.AttrTimeouts: nil},
		Unknowns: unknowns,
		Keys: map[string][]string{
			attrParties: {"alice", "bob", "main"}, attrContainers: {"alice", "bob", "main"}, attrRequests: {"cpu", "memory"}, attrLimits: {"cpu", "memory"},
		},
		Texts: map[string][]string{
			attrInputConfig: {"", `{"a":1}`, `{ "a": 1 }`, "text"}, attrAffinityMode: {affinityNone, affinityPod, affinityAnti},
			attrInitiator: {"alice", "bob"}, attrDomainID: {"alice", "bob"}, attrRole: {"", "server"}, attrPrefix: {"", "p"},
			attrAppImage: {"v1", "v2"}, "type": {rollingUpdate, recreate, ""}, "max_surge": {"", "25%", "1", "01"}, "max_unavailable": {"", "25%", "50%"},
			attrRequests: {"1", "1000m", "2"}, attrLimits: {"2", "2000m", "4"},
		},
	}
}

// planOf is a plan without a run.
func planOf(config, prior definition.Value) definition.Plan {
	return kusciaDeployment.Plan(context.Background(), nil, crud.Planned{Config: config, Prior: prior}).Plan
}

// TestPropertyUnknown: a plan with unknown parts is legal, and its known values
// are those of the plan with all values known.
func TestPropertyUnknown(t *testing.T) {
	t.Parallel()
	definitiontest.UnknownPlans{
		Generator: drawn, Issues: issues,
		Plan: func(config, prior definition.Value) definition.Value {
			return planOf(config, prior).Planned
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
		attrParties: tree{"alice": tree{attrAppImage: "v2", attrContainers: tree{"main": tree{attrLimits: map[string]string{"cpu": "1"}}, "side": tree{attrRequests: map[string]string{"cpu": "1"}}}}},
	}), kusciaDeployment.Definition.Null()).Planned
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
	encoded := testjson.Encode(t, partyOf(object, "alice", ""))
	const want = `{"appImageRef":"v2","domainID":"alice","template":{"spec":{"affinity":{"nodeAffinity":{}},"containers":[{"name":"main","resources":{"limits":{"cpu":"1"}},"workingDir":"/work"},{"name":"side","resources":{"requests":{"cpu":"1"}},"workingDir":""}]}}}`
	if encoded != want {
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
	state := kusciaDeployment.Definition.Filled(planOf(config(nil), kusciaDeployment.Definition.Null()).Planned, kusciaDeployment.Definition.Null())
	for name, replaces := range map[string]bool{
		attrDomainID: true, attrRole: true, attrPrefix: true, attrAppImage: false, attrReplicas: false, attrStrategy: false, attrContainers: false,
	} {
		change := planOf(config(tree{name: definition.Unknown}), state)
		if (len(change.Replaces) > 0) != replaces {
			t.Errorf("%s: replaces %v", name, change.Replaces)
		}
	}
	all := kusciaDeployment.Definition.Encode(tree{attrName: "kd", attrInitiator: "alice", attrParties: definition.Unknown})
	if change := planOf(all, state); len(change.Replaces) != 1 || !strings.Contains(change.Replaces[0].Why, "not known") {
		t.Errorf("parties: replaces %v", change.Replaces)
	}
}
