package rollout_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// TestResumedWaitOfEndedRelease: after a wait that has timed out, an apply ends with a
// warning if the approved release is over, and approves nothing. Without that, every
// later apply would fail.
func TestResumedWaitOfEndedRelease(t *testing.T) {
	t.Parallel()
	r := newReleases(t, nil)
	rollout, _ := r.ApplyAndVerify(t, r.steps(nil), r.None())
	r.paused(t)
	config := r.approval(t, 1, nil)
	waiting, _ := r.approvals.ApplyAndVerify(t, config, r.approvals.None())
	fields := maps.Clone(definition.FieldsOf(waiting.Value))
	fields["complete"] = tftypes.NewValue(tftypes.Bool, false)
	waiting.Value = tftypes.NewValue(waiting.Value.Type(), fields)
	ends := func(says string) {
		t.Helper()
		writes := r.k.CountRequests()
		_, said := r.approvals.ApplyAndVerify(t, config, waiting)
		if strings.Contains(said, "ERROR") || !strings.Contains(said, `WARNING: AttributeName("step")`) || !strings.Contains(said, says) {
			t.Errorf("got diagnostics %s, want %s", said, says)
		}
		if err := writes.ExpectNoWrites()(nil); err != nil {
			t.Error(err)
		}
	}
	r.image("v1")
	r.until(t, kruise.Healthy, 0)
	ends("The release was rolled back.")
	r.paused(t)
	ends("The release has restarted or gone back since the approval: it is paused at step 1 of 3")
	rollout, _ = r.ApplyAndVerify(t, r.steps(tree{"promote_on_destroy": true}), rollout)
	if gone, said := r.Delete(t, rollout); !gone.Value.IsNull() {
		t.Errorf("delete: got diagnostics %s", said)
	}
	ends("The Rollout was deleted in the meantime")
}
