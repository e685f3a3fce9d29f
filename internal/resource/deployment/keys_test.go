package deployment_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// partyKeys are the keys of the parties of a value, sorted.
func partyKeys(value definition.Value) string {
	return strings.Join(slices.Sorted(maps.Keys(definition.FieldsOf(definition.FieldsOf(value)["parties"]))), " ")
}

// replicas are those of the party "b".
func replicas(value definition.Value) definition.Value {
	return definition.FieldsOf(definition.FieldsOf(definition.FieldsOf(value)["parties"])["b"])["replicas"]
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
	patch := func(patch string) {
		b.Patch(acctest.KubeKusciaDeployments, acctest.KubeNamespace, b.name, types.JSONPatchType, patch)
		b.again(t)
	}
	state := b.Imported(t, b.name)
	if keys := partyKeys(state.Value); keys != "alice alice/server bob" {
		t.Fatalf("the import has the keys %s", keys)
	}
	configured := func(replicas int64) definition.Value {
		one := tree{"app_image": b.name, "replicas": int64(1)}
		return b.config(tree{"force_conflicts": true, "parties": tree{
			"bob": merged(one, tree{"domain_id": "alice"}), "b": merged(one, tree{"domain_id": "bob", "replicas": replicas}), "alice/server": merged(one, tree{"domain_id": "alice", "role": "server"}),
		}}, nil)
	}
	requests := b.CountRequests()
	state, said := b.ApplyAndVerify(t, configured(1), state)
	if want := `parties["b"] was parties["bob"], parties["bob"] was parties["alice"]: each has the same domain and role.`; !strings.Contains(said, want) || strings.Contains(said, "ERROR") {
		t.Errorf("another name says %s", said)
	}
	if err := requests.ExpectNoWrites()(nil); err != nil || partyKeys(state.Value) != "alice/server b bob" {
		t.Errorf("another name changes the keys to %s: %v", partyKeys(state.Value), err)
	}
	patch(`[{"op": "test", "path": "/spec/parties/0/domainID", "value": "bob"}, {"op": "move", "from": "/spec/parties/0", "path": "/spec/parties/2"}]`)
	b.CheckNoDrift(t, configured(1), state)
	patch(`[{"op": "replace", "path": "/spec/parties/2/template/replicas", "value": 2}, {"op": "add", "path": "/spec/parties/0", "value": {"domainID": "bob", "role": "new", "appImageRef": "` + b.name + `", "template": {"spec": {}}}}]`)
	_, state = b.Read(t, state)
	if keys := partyKeys(state.Value); keys != "alice/server b bob bob/new" || !replicas(state.Value).Equal(replicas(configured(2))) {
		t.Errorf("with another party the state is %s", state.Value)
	}
	if said := b.planSays(t, configured(1), state); !strings.Contains(said, "Kuscia does not delete the Deployments and Services of a party that is removed") {
		t.Errorf("the plan without it says %s", said)
	}
}
