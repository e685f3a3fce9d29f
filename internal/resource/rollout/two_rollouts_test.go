package rollout_test

import (
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// TestTwoRolloutsOfOneRun: of two new Rollouts with one workload, the one that is planned
// second is refused, also right before the apply creates it. Workloads of two kinds may have one
// name.
func TestTwoRolloutsOfOneRun(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.k.Sweep(b.name + "-b")
	ref := tree{"name": b.name, "kind": "StatefulSet"}
	second := b.config(tree{"workload_ref": ref, "name": b.name + "-b"})
	for _, first := range []definition.Value{b.config(nil), b.config(tree{"workload_ref": ref})} {
		if said := b.PlanErrors(t, first); strings.Contains(said, "ERROR") {
			t.Errorf("the first says %s", said)
		}
	}
	plan, _ := b.Plan(t, second, b.None())
	for _, want := range []string{"Two Rollouts for one workload", `Rollout "alice/` + b.name + `" of the same`, `"workload_ref"`, check.ResumeDestroy} {
		if said := crudtest.Messages(plan.Diagnostics); !strings.Contains(said, want) {
			t.Errorf("the plan of the second has no %q: %s", want, said)
		}
	}
	// As with values that are known only in the apply.
	made := b.Change(t, second, b.None(), plan)
	if said := crudtest.Messages(made.Diagnostics); !strings.Contains(said, "Two Rollouts for one workload") || strings.Contains(said, check.ResumeDestroy) {
		t.Errorf("the apply of the second says %s", said)
	}
}
