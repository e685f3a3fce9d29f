package deployment_test

import (
	"strings"
	"testing"
)

// TestNoPods: without replicas, an app image with 0 replicas, which KusciaAPI
// stores if a request leaves the number out, runs no pod. Plan and apply warn.
func TestNoPods(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	image := b.name + "-none"
	b.AppImage(image, "example/app", "v1", 0)
	one := b.config(nil, tree{"app_image": image, "replicas": int64(1)})
	if said := b.planSays(t, one, b.None()); said != "" {
		t.Errorf("with replicas the plan says %s", said)
	}
	config := b.config(nil, tree{"app_image": image})
	if said := b.planSays(t, config, b.None()); !strings.Contains(said, `app image "`+image+`" has 0 replicas, so no pod will run`) || strings.Contains(said, "ERROR") {
		t.Errorf("the plan says %s", said)
	}
	state, said := b.Apply(t, config, b.None())
	if !complete(state) || !strings.Contains(said, "KusciaDeployment has no pods") {
		t.Errorf("complete %t, the apply says %s", complete(state), said)
	}
	if said := b.planSays(t, config, state); said != "" {
		t.Errorf("the next plan says %s", said)
	}
	if said := b.planSays(t, b.config(tree{"input_config": "{}"}, tree{"app_image": image}), state); said != "" {
		t.Errorf("the plan of an update says %s", said)
	}
	b.ApplyWithoutWarnings(t, one, state)
}
