package deployment_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// partyKeys are the keys of the parties of a value, sorted.
func partyKeys(value definition.Value) string {
	return strings.Join(slices.Sorted(maps.Keys(definition.FieldsOf(definition.FieldsOf(value)["parties"]))), " ")
}

// TestKeys: an import has the domain and role as keys, and a configuration may choose
// others, which only changes the state. Another order in the cluster is no change, and that of one
// party is found by its key. A party that appears has the key of an import.
func TestKeys(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	party := func(domain, role string) map[string]any {
		return map[string]any{"domainID": domain, "role": role, "appImageRef": b.name, "template": map[string]any{"replicas": int64(1)}}
	}
	b.Kube.Create(acctest.KubeKusciaDeployments, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kuscia.secretflow/v1alpha1", "kind": "KusciaDeployment", "metadata": map[string]any{"namespace": acctest.KubeNamespace, "name": b.name},
		"spec": map[string]any{"initiator": "alice", "inputConfig": "", "parties": []any{party("bob", ""), party("alice", "server"), party("alice", "")}},
	}})
	state := b.Imported(t, b.name)
	if keys := partyKeys(state.Value); keys != "alice alice/server bob" {
		t.Fatalf("the import has the keys %s", keys)
	}
	one := func(with tree) tree {
		out := tree{"app_image": b.name, "replicas": int64(1)}
		maps.Copy(out, with)
		return out
	}
	configured := func(replicas int64) definition.Value {
		return b.config(tree{"force_conflicts": true, "parties": tree{
			"bob": one(tree{"domain_id": "alice"}), "b": one(tree{"domain_id": "bob", "replicas": replicas}), "alice/server": one(tree{"domain_id": "alice", "role": "server"}),
		}}, nil)
	}
	config := configured(1)
	requests := b.CountRequests()
	requests.Start()
	state, said := b.ApplyAndVerify(t, config, state)
	if want := `parties["b"] was parties["bob"], parties["bob"] was parties["alice"]: each has the same domain and role.`; !strings.Contains(said, want) || strings.Contains(said, "ERROR") {
		t.Errorf("another name says %s", said)
	}
	if err := requests.ExpectNoWrites()(nil); err != nil || partyKeys(state.Value) != "alice/server b bob" {
		t.Errorf("another name changes the keys to %s: %v", partyKeys(state.Value), err)
	}
	b.CheckNoDrift(t, config, state)
	b.Patch(acctest.KubeKusciaDeployments, acctest.KubeNamespace, b.name, types.JSONPatchType, `[{"op": "test", "path": "/spec/parties/0/domainID", "value": "bob"}, {"op": "move", "from": "/spec/parties/0", "path": "/spec/parties/2"}]`)
	b.again(t)
	b.CheckNoDrift(t, config, state)
	// What a CLI plans with ignore_changes = [parties["b"].replicas]: the value of the state.
	b.Patch(acctest.KubeKusciaDeployments, acctest.KubeNamespace, b.name, types.JSONPatchType, `[{"op": "test", "path": "/spec/parties/2/domainID", "value": "bob"}, {"op": "replace", "path": "/spec/parties/2/template/replicas", "value": 2}]`)
	b.again(t)
	_, state = b.Read(t, state)
	if changes, _ := b.Changes(t, config, state); !slices.Contains(changes, "parties") {
		t.Errorf("other replicas of a party change %v", changes)
	}
	if changes, _ := b.Changes(t, configured(2), state); len(changes) > 0 {
		t.Errorf("ignored replicas change %v", changes)
	}
	b.Patch(acctest.KubeKusciaDeployments, acctest.KubeNamespace, b.name, types.JSONPatchType, `[{"op": "add", "path": "/spec/parties/0", "value": {"domainID": "bob", "role": "new", "appImageRef": "`+b.name+`", "template": {"spec": {}}}}]`)
	b.again(t)
	_, state = b.Read(t, state)
	if keys := partyKeys(state.Value); keys != "alice/server b bob bob/new" {
		t.Errorf("with another party the keys are %s", keys)
	}
	plan, _ := b.Plan(t, config, state)
	if said := crudtest.Messages(plan.Diagnostics); !strings.Contains(said, "Kuscia does not delete the Deployments and Services of a party that is removed") {
		t.Errorf("the plan without it says %s", said)
	}
}
