package rollout_test

import (
	"strings"
	"testing"

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
	if state := r.approvals.ApplyWithoutWarnings(t, first, r.approvals.None()); state.Text("id") != id {
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
	next := r.approvals.ApplyWithoutWarnings(t, r.approval(t, 2, tree{"timeouts": limits, "triggers": triggers}), imported)
	if fields := definition.FieldsOf(next.Value); definition.StringOf(definition.FieldsOf(fields["timeouts"])["update"]) != "4m" || len(definition.FieldsOf(fields["triggers"])) != 1 {
		t.Errorf("the state after the next approval is %s", next.Value)
	}
	r.approvals.ApplyWithoutWarnings(t, r.approval(t, 2, tree{"triggers": triggers}), next)
}
