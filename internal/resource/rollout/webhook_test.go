package rollout_test

import (
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestRolloutID: the webhook lets a change of the image through while another client's
// annotation names the release. The plan of a Rollout warns of it.
func TestRolloutID(t *testing.T) {
	t.Parallel()
	r := newReleases(t, nil)
	annotate := func(value string) {
		r.k.Patch(acctest.KubeDeployments, domain, r.name, types.MergePatchType, fmt.Sprintf(`{"metadata":{"annotations":{"rollouts.kruise.io/rollout-id":%s}}}`, value))
	}
	annotate(`"1"`)
	state, said := r.Apply(t, r.steps(nil), r.None())
	if state.Value.IsNull() || !strings.Contains(said, "WARNING") || !strings.Contains(said, "has the annotation rollouts.kruise.io/rollout-id") {
		t.Errorf("create: state %s, diagnostics %s", state.Value, said)
	}
	r.image("v2")
	r.pods("v2")
	annotate("null")
	r.image("v3")
	r.until(t, kruise.AwaitingApproval, 1)
	r.image("v2")
	r.pods("v2")
}

// TestRoutedMixed: with traffic routing, the webhook lets a change through while the Deployment
// has pods of several versions.
func TestRoutedMixed(t *testing.T) {
	t.Parallel()
	r := newReleasesOn(t, acctest.NewKubeServer(t), nil)
	r.image("broken")
	r.k.Eventually(acctest.KubeDeployments, domain, r.name, "with pods of two versions", func(d *unstructured.Unstructured) bool {
		updated, _, _ := unstructured.NestedInt64(d.Object, "status", "updatedReplicas")
		all, _, _ := unstructured.NestedInt64(d.Object, "status", "replicas")
		return updated > 0 && updated < all
	})
	routed := tree{"canary": tree{
		"steps": []any{tree{"replicas": "25%", "traffic": "20%"}, tree{"replicas": "100%"}}, "traffic_routings": []any{tree{"service": r.name, "ingress": tree{"name": r.name}}},
	}}
	r.Apply(t, r.steps(routed), r.None())
	r.image("v2")
	r.pods("v2")
	r.image("v3")
	r.k.Eventually(acctest.KubeDeployments, domain, r.name, "held", func(d *unstructured.Unstructured) bool {
		return d.GetAnnotations()["rollouts.kruise.io/in-progressing"] != ""
	})
}
