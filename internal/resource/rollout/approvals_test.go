package rollout_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// TestImportedApproval: after an import, the plan is empty whatever timeouts and triggers
// the configuration has; the next approval stores them. to_step is part of the import ID, so
// that the plan after an import does not approve again.
func TestImportedApproval(t *testing.T) {
	t.Parallel()
	r := newReleases(t, nil)
	r.ApplyAndVerify(t, r.steps(tree{"canary": tree{"steps": fourSteps}}), r.None())
	r.paused(t)
	first := r.approval(t, 1, tree{"to_step": int64(2)})
	id := domain + "/" + r.name + "/1/2"
	if state := r.approves(t, first, r.approvals.None()); state.Text("id") != id {
		t.Errorf("the ID is %q, want %q", state.Text("id"), id)
	}
	imported := r.approvals.Imported(t, id)
	if _, said := r.approvals.Apply(t, first, r.approvals.None()); !strings.Contains(said, `id = "`+id+`"`) {
		t.Errorf("the repeated approval says %s", said)
	}
	for _, bad := range []string{"/0", "/2/3", "/x", "/"} {
		if _, said := r.approvals.Import(t, domain+"/"+r.name+"/1"+bad); !strings.Contains(said, "namespace/name/step/to_step") {
			t.Errorf("1%s: %s", bad, said)
		}
	}
	limits, triggers := tree{"create": "5m", "update": "4m"}, map[string]string{"image": "v2"}
	for _, with := range []tree{nil, {"timeouts": limits}, {"timeouts": tree{}}, {"triggers": triggers}, {"timeouts": limits, "triggers": triggers}} {
		r.approvals.CheckNoDrift(t, r.approval(t, 1, merged(tree{"to_step": int64(2)}, with)), imported)
	}
	next := r.approves(t, r.approval(t, 2, tree{"timeouts": limits, "triggers": triggers}), imported)
	if fields := definition.FieldsOf(next.Value); definition.StringOf(definition.FieldsOf(fields["timeouts"])["update"]) != "4m" || len(definition.FieldsOf(fields["triggers"])) != 1 {
		t.Errorf("the state after the next approval is %s", next.Value)
	}
	r.approves(t, r.approval(t, 2, tree{"triggers": triggers}), next)
}

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
		acctest.CheckNoWrites(t, "the repeated approval", writes)
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
