package rollout_test

import (
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
)

// TestTwoRolloutsOfOneRun: of two new Rollouts with one workload, the one that is planned
// second is refused, also right before the apply creates it.
func TestTwoRolloutsOfOneRun(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.k.Sweep(b.name + "-b")
	for kind, ref := range map[string]tree{"Deployment": {"name": b.name}, "StatefulSet": {"name": b.name, "kind": "StatefulSet"}} {
		b.c = b.access()
		run := crudtest.NewServer(t, exported, b.c)
		first, second := b.config(tree{"workload_ref": ref}), b.config(tree{"workload_ref": ref, "name": b.name + "-b"})
		if said := run.PlanErrors(t, first); strings.Contains(said, "ERROR") {
			t.Errorf("%s: the first says %s", kind, said)
		}
		plan, _ := run.Plan(t, second, run.None())
		for _, want := range []string{"Two Rollouts for one workload", `Rollout "alice/` + b.name + `" of the same`, `"workload_ref"`, check.ResumeDestroy} {
			if said := crudtest.Messages(plan.Diagnostics); !strings.Contains(said, want) {
				t.Errorf("%s: the plan of the second has no %q: %s", kind, want, said)
			}
		}
		// As with values that are known only in the apply.
		made := run.Change(t, second, run.None(), plan)
		if said := crudtest.Messages(made.Diagnostics); !strings.Contains(said, "Two Rollouts for one workload") || strings.Contains(said, check.ResumeDestroy) {
			t.Errorf("%s: the apply of the second says %s", kind, said)
		}
	}
}
