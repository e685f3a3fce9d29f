package rollout_test

import (
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// TestImportedApproval: after an import, the plan is empty whatever timeouts and triggers
// the configuration has; the next approval stores them.
func TestImportedApproval(t *testing.T) {
	t.Parallel()
	r := newReleases(t, nil)
	r.ApplyAndVerify(t, r.steps(nil), r.None())
	r.paused(t)
	r.approvals.ApplyWithoutWarnings(t, r.approval(t, 1, nil), r.approvals.None())
	imported := r.approvals.Imported(t, domain+"/"+r.name+"/1")
	limits, triggers := tree{"create": "5m", "update": "4m"}, map[string]string{"image": "v2"}
	for _, with := range []tree{nil, {"timeouts": limits}, {"timeouts": tree{}}, {"triggers": triggers}, {"timeouts": limits, "triggers": triggers}} {
		r.approvals.CheckNoDrift(t, r.approval(t, 1, with), imported)
	}
	next := r.approvals.ApplyWithoutWarnings(t, r.approval(t, 2, tree{"timeouts": limits, "triggers": triggers}), imported)
	if fields := definition.FieldsOf(next.Value); definition.StringOf(definition.FieldsOf(fields["timeouts"])["update"]) != "4m" || len(definition.FieldsOf(fields["triggers"])) != 1 {
		t.Errorf("the state after the next approval is %s", next.Value)
	}
	r.approvals.CheckNoDrift(t, r.approval(t, 2, nil), r.approvals.Imported(t, domain+"/"+r.name+"/2"))
	r.approvals.ApplyWithoutWarnings(t, r.approval(t, 2, tree{"triggers": triggers}), next)
}

// TestImportedApprovalToStep: to_step is part of the import ID, so that the plan after an
// import does not approve again.
func TestImportedApprovalToStep(t *testing.T) {
	t.Parallel()
	r := newReleases(t, nil)
	r.ApplyAndVerify(t, r.steps(nil), r.None())
	r.paused(t)
	state := r.approvals.ApplyWithoutWarnings(t, r.approval(t, 1, tree{"to_step": int64(2)}), r.approvals.None())
	id := domain + "/" + r.name + "/1/2"
	if state.Text("id") != id {
		t.Errorf("the ID is %q, want %q", state.Text("id"), id)
	}
	r.approvals.CheckNoDrift(t, r.approval(t, 1, tree{"to_step": int64(2)}), r.approvals.Imported(t, id))
	// The import block of a repeated approval has it too.
	if _, said := r.approvals.Apply(t, r.approval(t, 1, tree{"to_step": int64(2)}), r.approvals.None()); !strings.Contains(said, `id = "`+id+`"`) {
		t.Errorf("the repeated approval says %s", said)
	}
	for _, bad := range []string{"/0", "/2/3", "/x", "/"} {
		if _, said := r.approvals.Import(t, domain+"/"+r.name+"/1"+bad); !strings.Contains(said, "namespace/name/step/to_step") {
			t.Errorf("1%s: %s", bad, said)
		}
	}
}
