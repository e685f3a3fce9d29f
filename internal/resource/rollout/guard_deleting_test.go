package rollout_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/rollout"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// TestNeverDeleted: the controller ignores a Rollout whose workload is of a version that the
// cluster does not serve, also when it is deleted. The error of the delete names the
// finalizer, and the state is kept until it is removed. Until then it is neither changed,
// whatever the webhook would accept, nor adopted.
func TestNeverDeleted(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.k.Create(acctest.KubeRollouts, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "rollouts.kruise.io/v1beta1", "kind": "Rollout", "metadata": map[string]any{"namespace": domain, "name": b.name},
		"spec": map[string]any{
			"workloadRef": map[string]any{"apiVersion": "apps/v2", "kind": "Deployment", "name": b.name},
			"strategy":    map[string]any{"canary": map[string]any{"steps": []any{map[string]any{"replicas": "100%", "pause": map[string]any{}}}}},
		},
	}})
	b.k.Eventually(acctest.KubeRollouts, domain, b.name, "with a finalizer", func(o *unstructured.Unstructured) bool { return len(o.GetFinalizers()) > 0 })
	state := b.Imported(t, domain+"/"+b.name)
	fields := definition.FieldsOf(state.Value)
	fields["timeouts"] = definition.FieldsOf(b.config(tree{"timeouts": tree{"delete": b.k.ShortLimit()}}))["timeouts"]
	state.Value = tftypes.NewValue(state.Value.Type(), fields)
	kept, said := b.Delete(t, state)
	if kept.Value.IsNull() || !strings.Contains(said, "ERROR") || !strings.Contains(said, "its finalizers (rollouts.kruise.io/rollout) wait") || !strings.Contains(said, "remove them manually") || strings.Contains(said, "lua") {
		t.Fatalf("delete: state %s, diagnostics %s", kept.Value, said)
	}
	if response, read := b.Read(t, kept); read.Value.IsNull() || !strings.Contains(protocol.Messages(response.Diagnostics), "is being deleted") {
		t.Errorf("refresh: state %s, diagnostics %s", read.Value, protocol.Messages(response.Diagnostics))
	}
	b.c.AdoptExisting = true
	writes := b.k.CountRequests()
	for what, prior := range map[string]crudtest.State{"update": kept, "adoption": b.None()} {
		if _, said := b.Apply(t, b.config(nil), prior); !strings.Contains(said, "ERROR") || !strings.Contains(said, "was deleted and exists until its finalizers are removed") {
			t.Errorf("%s: got diagnostics %s", what, said)
		}
	}
	acctest.CheckNoWrites(t, "changes while it is being deleted", writes)
	b.k.Patch(acctest.KubeRollouts, domain, b.name, types.MergePatchType, `{"metadata":{"finalizers":null}}`)
	if gone, said := b.Delete(t, kept); !gone.Value.IsNull() || said != "" {
		t.Errorf("without the finalizer, delete: state %s, diagnostics %s", gone.Value, said)
	}
}

// TestTrafficRoutingBeingDeleted: the same for a traffic routing.
func TestTrafficRoutingBeingDeleted(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	routings := b.routings(t)
	state, _ := routings.Apply(t, b.routing(nil), routings.None())
	b.k.Patch(acctest.KubeTrafficRoutings, domain, b.name, types.MergePatchType, `{"metadata":{"finalizers":["example.com/keep"]}}`)
	short, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if err := rollout.TrafficRouting.API(b.c).Delete(short, crud.ID{domain, b.name}); err == nil || !strings.Contains(err.Error(), "example.com/keep") || !strings.Contains(err.Error(), "lua script is not found") {
		t.Errorf("delete: %v", err)
	}
	if response, _ := routings.Read(t, state); !strings.Contains(protocol.Messages(response.Diagnostics), "is being deleted") {
		t.Errorf("the refresh says %q", protocol.Messages(response.Diagnostics))
	}
	b.c.AdoptExisting = true
	for what, prior := range map[string]crudtest.State{"update": state, "adoption": routings.None()} {
		if _, said := routings.Apply(t, b.routing(tree{"strategy": tree{"weight": int64(6)}}), prior); !strings.Contains(said, "was deleted and exists until its finalizers are removed") {
			t.Errorf("%s: diagnostics %s", what, said)
		}
	}
	b.k.Patch(acctest.KubeTrafficRoutings, domain, b.name, types.MergePatchType, `{"metadata":{"finalizers":null}}`)
}
