package rollout

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
)

// TestProgressStuck: the wait after an approval fails for a release that is stuck, and
// goes on for one that looks stuck for a moment.
func TestProgressStuck(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := &object{}
		o.Spec.Strategy.Canary = &kruise.StyleSpec{Steps: make([]kruise.Step, 2)}
		o.Status = kruise.RolloutStatus{
			Phase: kruise.PhaseProgressing, Conditions: []kruise.Condition{{Type: "Progressing", Status: "True", Reason: "InRolling"}},
			CanaryStatus: &kruise.StyleStatus{CurrentStepIndex: 2, CurrentStepState: "StepUpgrade", CanaryRevision: "new", Message: "BatchRelease is at state Ready, rollout-id old, step 2"},
		}
		a := &approval{before: kruise.Release{Step: 1, Revision: "new"}}
		for after, failed := range []string{"", "", "and create the Rollout again."} {
			time.Sleep(time.Duration(after) * 8 * time.Second)
			if progress, _ := a.progress(t.Context(), o); progress.Done || !strings.Contains(progress.Failed, failed) || (failed == "") != (progress.Failed == "") {
				t.Errorf("look %d: %+v", after, progress)
			}
		}
		// It does not wait for the end of a pause that is longer than its limit.
		o.Status.CanaryStatus.CurrentStepState, o.Spec.Strategy.Canary.Steps[1].Pause.Duration = kruise.StepPaused, new(int32(3600))
		ctx, cancel := context.WithTimeout(t.Context(), approveTimeout)
		defer cancel()
		if progress, text := a.progress(ctx, o); !progress.Done {
			t.Errorf("it waits: the Rollout is %s", text)
		}
	})
}
