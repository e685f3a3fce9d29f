package serving_test

import (
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// TestScaleBeforeRollout: an update of replicas alone applies an app image that was changed
// in place, so it waits for the Rollout, and the image is released step by step.
func TestScaleBeforeRollout(t *testing.T) {
	t.Parallel()
	c := newClustered(t, acctest.NewKubeServer(t))
	c.apply("v1", nil)
	c.expect(true)
	c.kube.SetLag(acctest.KruiseController, 2*time.Second)
	c.rollout("canary", "25%", map[string]any{})
	c.retag("v2")
	c.read()
	c.apply("v1", protocol.Object{"parties": protocol.Object{"alice": protocol.Object{"app_image": c.images["v1"], "replicas": 5}}})
	c.expect(false, "paused at step 1 of 1 until it is approved")
}
