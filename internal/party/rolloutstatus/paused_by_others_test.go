package rolloutstatus

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestPausedByOthers: a Deployment that is paused without a Rollout stops the rollout after
// pausedTimeout, in which it may be resumed; one that a Rollout releases does not.
func TestPausedByOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := released()
		deployment := m.objects["Deployment alice/kd"]
		annotations := at(deployment, "metadata")["annotations"]
		reader := New(m, "kd")
		for i, step := range []struct {
			after                 time.Duration
			held, paused, stopped bool
		}{
			{held: true, paused: true},
			{after: pausedTimeout, held: true, paused: true},
			{paused: true},
			{after: pausedTimeout - time.Second, paused: true},
			{after: time.Second, paused: true, stopped: true},
			{},
			{paused: true},
			{after: pausedTimeout, paused: true, stopped: true},
		} {
			time.Sleep(step.after)
			delete(at(deployment, "metadata"), "annotations")
			if step.held {
				at(deployment, "metadata")["annotations"] = annotations
			}
			at(deployment, "spec")["paused"] = step.paused
			seen, err := reader.Read(t.Context())
			if err != nil || seen.Done || (seen.PausedByOthers != "") != step.stopped {
				t.Errorf("step %d: stopped %q, done %t, %v", i, seen.PausedByOthers, seen.Done, err)
			}
			if step.stopped && !strings.Contains(seen.PausedByOthers, `"kubectl rollout resume deployment/kd -n alice"`) {
				t.Errorf("step %d: %s", i, seen.PausedByOthers)
			}
		}
	})
}
