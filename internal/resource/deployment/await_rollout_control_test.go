package deployment_test

import (
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// TestScaleBeforeRollout: an update of replicas alone applies an app image that the same
// run has changed in place, so it waits for the Rollout as well.
func TestScaleBeforeRollout(t *testing.T) {
	t.Parallel()
	k := acctest.NewKubeServer(t)
	b := newBenchOn(t, k)
	b.rolloutOf(t, styleCanary, nil)
	k.SetLag(acctest.KruiseController, 5*time.Second)
	state, _ := b.ApplyAndVerify(t, b.config(nil, tree{"replicas": int64(4)}), b.None())
	image := func(tag string) *kuscia.AppImage {
		return &kuscia.AppImage{Name: b.name, Image: kuscia.AppImageInfo{Name: "example/app", Tag: tag}, DeployTemplates: []kuscia.DeployTemplate{{Containers: []kuscia.Container{{Name: "main"}}}}}
	}
	b.change(t, b.name, `[{"op":"replace","path":"/spec/image/tag","value":"v3"}]`)
	b.c.AppImages = clients.NewAppImageCache((*kuscia.Client)(nil))
	b.c.AppImages.Store(b.name, image("v3"))
	b.c.AppImages.RecordPrior(image("v1"))
	defer time.AfterFunc(7*time.Second, func() { k.SetLag(acctest.KruiseController, 0) }).Stop()
	state, said := b.Apply(t, b.config(nil, tree{"replicas": int64(5)}), state)
	if complete(state) || !strings.Contains(said, "paused at step 1 of 2") {
		t.Errorf("complete is %t; diagnostics: %s", complete(state), said)
	}
}

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
