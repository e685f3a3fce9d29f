package deployment_test

import (
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestProgressDeadline: a progress deadline that is exceeded during the wait
// ends the wait. One that was exceeded before, which Kubernetes shows until a
// replica count changes, does not: neither for a retry nor for a rollback.
func TestProgressDeadline(t *testing.T) {
	t.Parallel()
	k := acctest.NewKubeServer(t)
	k.SetTimeFactor(0.002) // 600 s take 1.2
	b := newBenchOn(t, k)
	b.AppImage(b.name+"-broken", "example/broken", "v2", 1)
	state, said := b.ApplyAndVerify(t, b.config(nil, nil), b.None())
	if said != "" {
		t.Fatal(said)
	}
	for _, lag := range []time.Duration{0, 50 * time.Millisecond} {
		broken := tree{"app_image": b.name + "-broken"}
		state, said = b.Apply(t, b.config(nil, broken), state)
		if complete(state) || !strings.Contains(said, "makes no progress") {
			t.Fatalf("the deadline is exceeded, and the apply says %s", said)
		}
		state, said = b.Apply(t, b.config(tree{"timeouts": tree{"update": "3s"}}, broken), state)
		if complete(state) || !strings.Contains(said, "the timeout has passed") || !strings.Contains(said, "progress deadline") {
			t.Errorf("the next apply says %s", said)
		}
		k.SetLag(acctest.KusciaController, lag) // so that one of the looks comes right after the change
		if state, said = b.ApplyAndVerify(t, b.config(nil, nil), state); said != "" || !complete(state) {
			t.Errorf("going back %s later says %s", lag, said)
		}
	}
}
