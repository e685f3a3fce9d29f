package rollout

import (
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
		found, err := kruise.RolloutFrom(map[string]any{
			"apiVersion": "rollouts.kruise.io/v1beta1", "kind": "Rollout", "metadata": map[string]any{"namespace": "alice", "name": "r", "generation": int64(1)},
			"spec": map[string]any{"strategy": map[string]any{"canary": map[string]any{"steps": []any{
				map[string]any{"replicas": "50%", "pause": map[string]any{}}, map[string]any{"replicas": "100%", "pause": map[string]any{}},
			}}}},
			"status": map[string]any{
				"phase": "Progressing", "observedGeneration": int64(1),
				"conditions": []any{map[string]any{"type": "Progressing", "status": "True", "reason": "InRolling", "message": ""}},
				"canaryStatus": map[string]any{
					"currentStepIndex": int64(2), "nextStepIndex": int64(-1), "currentStepState": "StepUpgrade", "canaryRevision": "new",
					"message": "BatchRelease is at state Ready, rollout-id old, step 2",
				},
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		a := &approval{before: kruise.Release{Step: 1, Revision: "new"}}
		for _, test := range []struct {
			after  time.Duration
			failed string
		}{{0, ""}, {14 * time.Second, ""}, {time.Second, "and create the Rollout again."}} {
			time.Sleep(test.after)
			if progress, _ := a.progress(t.Context(), &object{Rollout: *found}); progress.Done || !strings.Contains(progress.Failed, test.failed) || (test.failed == "") != (progress.Failed == "") {
				t.Errorf("after %s: %+v", test.after, progress)
			}
		}
	})
}
