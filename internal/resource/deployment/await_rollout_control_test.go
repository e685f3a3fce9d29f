package deployment_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// TestUpdateDuringRollback: a new app image that arrives during a rollback waits for its end,
// and is released step by step. Without the wait, the controllers, the real and the
// simulated ones, end the rollback and leave a Deployment that is released in place paused
// forever.
func TestUpdateDuringRollback(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.AppImage(b.name+"-broken", "example/broken", "v2", 1)
	config := func(image, limit string, wait bool) definition.Value {
		return b.config(tree{"wait_for_rollout": wait, "timeouts": tree{"update": limit}}, tree{"app_image": b.name + image, "replicas": int64(4)})
	}
	state, _ := b.ApplyAndVerify(t, config("", "1m", true), b.None())
	b.rolloutOf(t, styleCanary, nil)
	state, said := b.Apply(t, config("-broken", b.ShortLimit(), true), state)
	if complete(state) || !strings.Contains(said, "does not run") {
		t.Fatalf("complete is %t; diagnostics: %s", complete(state), said)
	}
	state, _ = b.Apply(t, config("", "1m", false), state)
	b.Eventually(acctest.KubeRollouts, "alice", b.name, "rolling back", func(o *unstructured.Unstructured) bool {
		rollout, err := kruise.RolloutFrom(o.Object)
		return err == nil && rollout.Release().State != kruise.StepInProgress
	})
	b.again(t)
	state, said = b.Apply(t, config("-v2", "1m", true), state)
	if complete(state) || !strings.Contains(said, "paused at step 1 of 2") {
		t.Errorf("complete is %t; diagnostics: %s", complete(state), said)
	}
}
