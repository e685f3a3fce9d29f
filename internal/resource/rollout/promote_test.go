package rollout_test

import (
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// beginning starts a release and returns when the status of the Rollout shows it, before
// its first step.
func (r *releases) beginning(t *testing.T) {
	t.Helper()
	r.quiet(t)
	r.image("v2")
	for deadline := time.Now().Add(time.Minute); !r.release(t).Beginning; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the release is %s", r.release(t))
		}
	}
}

// TestPromoteAtOnce: with promote_on_destroy, a Rollout that is deleted or disabled at the
// very beginning of a release gives all pods the new version, as it does later.
func TestPromoteAtOnce(t *testing.T) {
	t.Parallel()
	promote := tree{"promote_on_destroy": true}
	type release func(*releases, *testing.T)
	for name, test := range map[string]struct {
		start   release
		disable bool
	}{
		"delete before the status shows the release": {start: (*releases).held},
		"delete":  {start: (*releases).beginning},
		"disable": {start: (*releases).beginning, disable: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newReleasesOn(t, acctest.NewKubeServer(t), nil)
			state, _ := r.ApplyAndVerify(t, r.steps(promote), r.None())
			test.start(r, t)
			r.k.SetLag(acctest.KruiseController, time.Second)
			if test.disable {
				r.ApplyAndVerify(t, r.steps(merged(promote, tree{"disabled": true})), state)
			} else if gone, said := r.Delete(t, state); !gone.Value.IsNull() || said != "" {
				t.Errorf("got diagnostics %s", said)
			}
			r.pods("v2")
		})
	}
}

// TestPromoteOfWaitingRelease: a release that waits for missing traffic routing never
// begins, and the controller leaves the Deployment paused when its Rollout goes. That is an
// error, and the next delete succeeds. Disabling such a Rollout is refused.
func TestPromoteOfWaitingRelease(t *testing.T) {
	t.Parallel()
	r := newReleases(t, nil)
	promote := tree{"promote_on_destroy": true}
	state, _ := r.ApplyAndVerify(t, r.routed(promote), r.None())
	r.beginning(t)
	writes := r.k.CountRequests()
	kept, said := r.Apply(t, r.routed(merged(promote, tree{"disabled": true})), state)
	if !strings.Contains(said, "ERROR") || !strings.Contains(said, "its Deployment would stay paused") {
		t.Errorf("disable: got diagnostics %s", said)
	}
	if err := writes.ExpectNoWrites()(nil); err != nil {
		t.Error(err)
	}
	kept, said = r.Delete(t, kept)
	if kept.Value.IsNull() || !strings.Contains(said, "kubectl rollout resume deployment/"+r.name+" -n "+domain) {
		t.Fatalf("delete: got diagnostics %s", said)
	}
	if found := r.k.Get(acctest.KubeRollouts, domain, r.name); found != nil {
		t.Error("the Rollout still exists")
	}
	if gone, said := r.Delete(t, kept); !gone.Value.IsNull() || said != "" {
		t.Errorf("the next delete: got diagnostics %s", said)
	}
}
