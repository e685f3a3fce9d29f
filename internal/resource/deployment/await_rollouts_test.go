package deployment_test

import (
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// TestUpdateBeforeRollout: an update that comes before the controller has bound the
// Deployment to its Rollout waits for it, and is released step by step. Otherwise all
// pods would get the new version at once, and the Rollout would be healthy.
func TestUpdateBeforeRollout(t *testing.T) {
	t.Parallel()
	k := acctest.NewKubeServer(t)
	b := newBenchOn(t, k)
	b.rollout(t, nil)
	k.SetLag(acctest.KruiseController, 5*time.Second)
	config := func(image string) definition.Value {
		return b.config(nil, tree{"app_image": b.name + image, "replicas": int64(4)})
	}
	state, _ := b.ApplyAndVerify(t, config(""), b.None())
	state, said := b.Apply(t, config("-v2"), state)
	if complete(state) || !strings.Contains(said, "paused at step 1 of 2") {
		t.Errorf("complete is %t; diagnostics: %s", complete(state), said)
	}
}
