package rollout_test

import (
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// configuration returns a Rollout with its data source and, if step is set, the
// approval of a step.
func (r *releases) configuration(approved int) string {
	of := map[string]any{"namespace": acctest.Reference("kuscia_rollout.test.namespace"), "name": acctest.Reference("kuscia_rollout.test.name")}
	return acctest.Block("kuscia_rollout", "test", tree{
		"namespace": domain, "name": r.name, "workload_ref": tree{"name": r.name}, "canary": tree{"steps": fourSteps[1:]},
	}) +
		acctest.DataBlock("kuscia_rollout", "test", merged(of, tree{"depends_on": []any{acctest.Reference("kuscia_rollout_approval.test")}})) +
		acctest.Block("kuscia_rollout_approval", "test", merged(of, tree{"count": min(approved, 1), "step": max(approved, 1)}))
}

// TestAccRollout: the CLI performs a release from the creation of the Rollout to its end.
func TestAccRollout(t *testing.T) {
	acctest.CLI(t)
	t.Parallel()
	r := newReleases(t, nil)
	w := acctest.NewWorkspace(t, acctest.Factories(r.k.Variables()))
	applied := func(approved int, shown string) {
		t.Helper()
		w.Write("main.tf", r.configuration(approved))
		w.Apply()
		w.Plan(acctest.PlanEmpty)
		if state := w.Read("terraform.tfstate"); !strings.Contains(state, shown) {
			t.Errorf("the data source does not show %s in\n%s", shown, state)
		}
	}
	w.Write("main.tf", r.configuration(0))
	w.Init()
	w.DestroyAtEnd()
	applied(0, `"state": "healthy"`)
	r.paused(t)
	w.Write("main.tf", r.configuration(2))
	if output := acctest.Plain(w.Run(1, "apply", "-auto-approve", "-input=false")); !strings.Contains(output, "not paused at step 2") {
		t.Error(output)
	}
	applied(1, `"current_step_index": 2`)
	applied(2, `"last_release": "completed"`)
	r.pods("v2")
}
