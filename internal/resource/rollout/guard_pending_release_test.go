package rollout_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestPendingRelease: a Rollout does not give up a Deployment that the webhook has paused,
// although its status does not show the release yet. Disabled by another client, it keeps
// the Deployment paused until it is enabled again.
func TestPendingRelease(t *testing.T) {
	t.Parallel()
	r := newReleasesOn(t, acctest.NewKubeServer(t), nil)
	state, _ := r.ApplyAndVerify(t, r.steps(nil), r.None())
	r.held(t)
	for attribute, with := range map[string]tree{"disabled": {"disabled": true}, "workload_ref": {"workload_ref": tree{"name": r.name + "-other"}}} {
		writes := r.k.CountRequests()
		_, said := r.Apply(t, r.steps(with), state)
		if !strings.Contains(said, `ERROR: AttributeName("`+attribute+`")`) || !strings.Contains(said, "about to release a change of its workload") {
			t.Errorf("%s: got diagnostics %s", attribute, said)
		}
		if err := writes.ExpectNoWrites()(nil); err != nil {
			t.Errorf("%s: %v", attribute, err)
		}
	}
	r.k.Patch(acctest.KubeRollouts, domain, r.name, types.JSONPatchType, `[{"op":"replace","path":"/spec/disabled","value":true}]`)
	r.k.SetLag(acctest.KruiseController, 0)
	r.until(t, kruise.Disabled, 0)
	with := tree{"wait_for_healthy": false, "force_conflicts": true}
	_, state = r.Read(t, state)
	state, _ = r.ApplyAndVerify(t, r.steps(merged(with, tree{"disabled": true})), state)
	writes := r.k.CountRequests()
	for _, disabled := range []bool{true, false} {
		other := merged(with, tree{"workload_ref": tree{"name": r.name + "-other"}, "disabled": disabled})
		if _, said := r.Apply(t, r.steps(other), state); !strings.Contains(said, `ERROR: AttributeName("workload_ref")`) || !strings.Contains(said, "with disabled = false") || strings.Contains(said, "in a few seconds") {
			t.Errorf("another workload_ref with disabled = %t: got diagnostics %s", disabled, said)
		}
	}
	if err := writes.ExpectNoWrites()(nil); err != nil {
		t.Error(err)
	}
	if kept, said := r.Delete(t, state); kept.Value.IsNull() || !strings.Contains(said, "enabled again (disabled = false)") {
		t.Errorf("delete: got diagnostics %s", said)
	}
	r.ApplyAndVerify(t, r.steps(with), state)
	r.until(t, kruise.AwaitingApproval, 1)
}
