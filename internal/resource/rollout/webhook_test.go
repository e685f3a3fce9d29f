package rollout_test

import (
	"fmt"
	"strings"
	"testing"

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
