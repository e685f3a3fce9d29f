package rollout_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
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

// TestTwoRolloutsAtOnce: where two runs create Rollouts for one workload at the same time,
// the webhook may accept both. The waits name the other one at once, and both can be
// deleted.
func TestTwoRolloutsAtOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.k.Sweep(b.name + "-b")
	names, runs := [2]string{b.name, b.name + "-b"}, [2]*crudtest.Server{}
	for i := range runs {
		runs[i] = crudtest.NewServer(t, exported, b.access())
	}
	for range 40 {
		var states [2]crudtest.State
		var said [2]string
		var both sync.WaitGroup
		since := time.Now()
		for i, run := range runs {
			both.Go(func() {
				config := b.config(tree{"name": names[i], "wait_for_healthy": true, "timeouts": tree{"create": "2m"}})
				states[i], said[i] = run.Apply(t, config, run.None())
			})
		}
		ended := make(chan struct{})
		go func() {
			both.Wait()
			close(ended)
		}()
		met := true
		for running := true; running; {
			select {
			case <-ended:
				running = false
			case <-time.After(2 * time.Second): // one of them waits for the other to be deleted
				met = false
				for _, name := range names {
					_ = b.k.Client.Resource(acctest.KubeRollouts).Namespace(domain).Delete(t.Context(), name, metav1.DeleteOptions{})
				}
			}
		}
		for i, run := range runs {
			if states[i].Value.IsNull() {
				met = false
				continue
			}
			if met && !strings.Contains(said[i], `Rollout "alice/`+names[1-i]+`" refers to the same workload`) {
				met = false // it was bound before the other one was created
			}
			if gone, said := run.Delete(t, states[i]); !gone.Value.IsNull() || said != "" {
				t.Errorf("the delete of %s says %s", names[i], said)
			}
		}
		if met {
			t.Logf("both have failed, and were deleted, within %s: %s", time.Since(since), said[0])
			return
		}
	}
	t.Error("the webhook has never accepted both")
}
