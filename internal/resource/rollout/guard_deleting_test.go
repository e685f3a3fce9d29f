package rollout_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// TestBeingDeleted: a Rollout that waits for its finalizers is neither changed nor
// adopted.
func TestBeingDeleted(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	state, _ := b.ApplyAndVerify(t, b.config(nil), b.None())
	b.quiet(t)
	b.k.Patch(acctest.KubeRollouts, domain, b.name, types.JSONPatchType, `[{"op":"add","path":"/metadata/finalizers/-","value":"example.com/keep"}]`)
	b.k.Delete(acctest.KubeRollouts, domain, b.name)
	if response, read := b.Read(t, state); read.Value.IsNull() || !strings.Contains(protocol.Messages(response.Diagnostics), "is being deleted") {
		t.Errorf("the refresh says %q, state %s", protocol.Messages(response.Diagnostics), read.Value)
	}
	b.c.AdoptExisting = true
	for what, says := range map[string]func() string{
		"update":   func() string { _, said := b.Apply(t, b.config(tree{"paused": true}), state); return said },
		"adoption": func() string { _, said := b.Apply(t, b.config(nil), b.None()); return said },
	} {
		writes := b.k.CountRequests()
		if said := says(); !strings.Contains(said, "ERROR") || !strings.Contains(said, "was deleted and exists until its finalizers are removed") {
			t.Errorf("%s: got diagnostics %s", what, said)
		}
		if err := writes.ExpectNoWrites()(nil); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	b.k.Patch(acctest.KubeRollouts, domain, b.name, types.MergePatchType, `{"metadata":{"finalizers":null}}`)
	b.k.Eventually(acctest.KubeRollouts, domain, b.name, "gone", func(o *unstructured.Unstructured) bool { return o == nil })
	if _, said := b.ApplyAndVerify(t, b.config(nil), b.None()); said != "" {
		t.Errorf("create: got diagnostics %s", said)
	}
}

// TestTrafficRoutingBeingDeleted: the same for a traffic routing.
func TestTrafficRoutingBeingDeleted(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	routings := b.routings(t)
	state, said := routings.Apply(t, b.routing(nil), routings.None())
	if said != "" {
		t.Fatal(said)
	}
	b.k.Patch(acctest.KubeTrafficRoutings, domain, b.name, types.MergePatchType, `{"metadata":{"finalizers":["example.com/keep"]}}`)
	b.k.Delete(acctest.KubeTrafficRoutings, domain, b.name)
	if response, _ := routings.Read(t, state); !strings.Contains(protocol.Messages(response.Diagnostics), "is being deleted") {
		t.Errorf("the refresh says %q", protocol.Messages(response.Diagnostics))
	}
	b.c.AdoptExisting = true
	writes := b.k.CountRequests()
	if none, said := routings.Apply(t, b.routing(nil), routings.None()); !none.Value.IsNull() || !strings.Contains(said, "was deleted and exists until its finalizers are removed") {
		t.Errorf("adoption: state %s, diagnostics %s", none.Value, said)
	}
	if _, said := routings.Apply(t, b.routing(tree{"strategy": tree{"weight": int64(6)}}), state); !strings.Contains(said, "was deleted and exists until its finalizers are removed") {
		t.Errorf("update: diagnostics %s", said)
	}
	if err := writes.ExpectNoWrites()(nil); err != nil {
		t.Error(err)
	}
	b.k.Patch(acctest.KubeTrafficRoutings, domain, b.name, types.MergePatchType, `{"metadata":{"finalizers":null}}`)
}
