package rollout_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestRolloutID: the webhook lets a change of the image through while another client's
// annotation names the release. The plan of a Rollout warns of it.
func TestRolloutID(t *testing.T) {
	t.Parallel()
	r := newReleases(t, nil)
	r.k.Patch(acctest.KubeDeployments, domain, r.name, types.MergePatchType, `{"metadata":{"annotations":{"rollouts.kruise.io/rollout-id":"1"}}}`)
	if said := r.said(t, r.steps(nil), r.None()); !strings.Contains(said, "WARNING") || !strings.Contains(said, "has the annotation rollouts.kruise.io/rollout-id") {
		t.Errorf("got diagnostics %s", said)
	}
}
