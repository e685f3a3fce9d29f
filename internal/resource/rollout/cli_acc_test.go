package rollout_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// configuration returns a Rollout with its data source and, if step is set, the
// approval of a step.
func (r *releases) configuration(more string, approved int) string {
	of := map[string]any{"namespace": acctest.Reference("kuscia_rollout.test.namespace"), "name": acctest.Reference("kuscia_rollout.test.name")}
	return acctest.Block("kuscia_rollout", "test", tree{
		"namespace": domain, "name": r.name, "workload_ref": tree{"name": r.name}, "canary": tree{"steps": fourSteps[1:]}, "more": acctest.Lines(more),
	}) +
		acctest.DataBlock("kuscia_rollout", "test", merged(of, tree{"depends_on": []any{acctest.Reference("kuscia_rollout_approval.test")}})) +
		acctest.Block("kuscia_rollout_approval", "test", merged(of, tree{"count": min(approved, 1), "step": max(approved, 1)}))
}

// TestAccRollout: the CLI performs a release from the creation of the Rollout
// to its end, with several rejected operations.
func TestAccRollout(t *testing.T) {
	acctest.CLI(t)
	t.Parallel()
	r := newReleases(t, nil)
	w := acctest.NewWorkspace(t, acctest.Factories(r.k.Variables()))
	t.Cleanup(func() {
		if r.k.Get(acctest.KubeRollouts, domain, r.name) != nil {
			t.Errorf("rollout %s still exists", r.name)
		}
	})
	applied := func(approved int) {
		t.Helper()
		w.Write("main.tf", r.configuration("", approved))
		w.Apply()
		w.Plan(acctest.PlanEmpty)
	}
	refused := func(config, says string) {
		t.Helper()
		w.Write("main.tf", config)
		if output := acctest.Plain(w.Run(1, "apply", "-auto-approve", "-input=false")); !regexp.MustCompile(says).MatchString(output) {
			t.Errorf("no %q in %s", says, output)
		}
	}
	shown := func(want string) {
		t.Helper()
		if state := w.Read("terraform.tfstate"); !strings.Contains(state, want) {
			t.Errorf("the data source does not show %s in\n%s", want, state)
		}
	}
	w.Write("main.tf", r.configuration("", 0))
	w.Init()
	w.DestroyAtEnd()
	applied(0)
	shown(`"state": "healthy"`)
	r.paused(t)
	applied(0)
	shown(`"awaits_approval": true`)
	refused(r.configuration("disabled = true", 0), `Release is in progress.*all pods get the new version at once`)
	refused(r.configuration("", 2), `not paused at step 2.*Nothing was written`)
	applied(1)
	shown(`"current_step_index": 2`)
	applied(2)
	shown(`"last_release": "completed"`)
	r.pods("v2")
	applied(0)
}
