package deployment

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/rolloutstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/fakecluster"
)

// wasSeen returns the status of a deployment without a Deployment that has
// failed for a reason; "" means that it has not failed.
func wasSeen(reason string) *rolloutstatus.Status {
	kd := &kube.KusciaDeployment{}
	if reason != "" {
		kd.Status.Phase, kd.Status.Reason = kube.PhaseFailed, reason
	}
	return &rolloutstatus.Status{KusciaDeployment: kd, Parties: []rolloutstatus.Party{{}}}
}

// TestSettled: a failure counts as final only after a retry that followed it; a retry
// before it, and one that could not be sent, do not count.
func TestSettled(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, start := &retries{}, time.Now()
		check := func(after time.Duration, reason string, due, settled bool) {
			t.Helper()
			time.Sleep(time.Until(start.Add(after)))
			seen := wasSeen(reason)
			if got := seen.GivenUp() != "" && r.isFinal(seen, transientFailureTimeout); got != settled {
				t.Errorf("after %s: settled %t", after, got)
			}
			if got := r.due(seen, false); got != due {
				t.Errorf("after %s: due %t", after, got)
			}
		}
		check(0, "", false, false)
		check(5*time.Second, "", true, false)
		r.succeeded(wasSeen(""))
		check(6*time.Second, "A", false, false)
		check(8*time.Second, "A", true, false)
		check(9*time.Second, "A", true, false) // it could not be sent
		r.succeeded(wasSeen("A"))
		check(9500*time.Millisecond, "A", false, false)
		check(9900*time.Millisecond, "", false, false)
		check(10*time.Second, "A", false, false)
		check(11*time.Second, "A", false, true)
		check(12*time.Second, "B", false, false)
		check(13*time.Second, "B", true, false)
		// As long as no retry can be sent, the failure is final after some time.
		check(41*time.Second, "B", true, false)
		check(42*time.Second, "B", true, true)
	})
}

// TestFailuresThatMayEnd: a failure whose cause may end is not final for some time, and is
// retried meanwhile.
func TestFailuresThatMayEnd(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		reason, message string
		mayEnd          bool
	}{
		"object not found": {"BuildPartyKitInfoFailed", `failed to get appImage "v1", appimage.kuscia.secretflow "v1" not found`, true},
		"webhook down":     {"CreateDeploymentFailed", `failed to create deployment alice/a for deployment a, Internal error occurred: failed calling webhook "mdeployment.kb.io": connection refused`, true},
		"timeout":          {"CreateServiceFailed", `failed to create service alice/a-service for deployment a, context deadline exceeded`, true},
		"invalid":          {"CreateDeploymentFailed", `failed to create deployment alice/a for deployment a, Deployment.apps "a" is invalid: spec.replicas`, false},
		"of another owner": {"CreateServiceFailed", `domain alice service a-service already exist, please ensure that the service name can't be duplicated`, false},
		"no template":      {"BuildPartyKitInfoFailed", `failed to build domain alice kit info, not found deploy template for role "nope"`, false},
		"validation":       {"ValidateFailed", `kusciaDeployment a initiator bob should be one of the parties`, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				r, start, sent := &retries{}, time.Now(), 0
				seen := wasSeen(test.reason)
				for !r.isFinal(seen, transientFailureTimeout) {
					// Each attempt has another message, and fails in another object.
					seen.KusciaDeployment.Status.Message = test.message
					if test.mayEnd {
						seen.KusciaDeployment.Status.Message += fmt.Sprint(sent)
					}
					if r.due(seen, false) {
						r.succeeded(seen)
						sent++
					}
					time.Sleep(500 * time.Millisecond)
				}
				took := time.Since(start)
				if test.mayEnd && (took < recoveryTimeout || took > recoveryTimeout+time.Second || sent < 10 || sent > 15) || !test.mayEnd && (took > 5*time.Second || sent != 1) {
					t.Errorf("final after %s and %d retries", took, sent)
				}
			})
		})
	}
}

// TestExceededDeadline: a Deployment that makes no progress will not run without a change,
// unless a Rollout releases it.
func TestExceededDeadline(t *testing.T) {
	t.Parallel()
	client := fakecluster.Client(t, http.NotFoundHandler())
	for annotation, fails := range map[string]bool{"": true, `{"rolloutName":"ro"}`: false} {
		d := &kube.Deployment{Metadata: kube.Metadata{Annotations: map[string]string{kruise.InProgressingAnnotation: annotation}}}
		d.Status.Conditions = []kube.Condition{{Type: "Progressing", Reason: "ProgressDeadlineExceeded", Message: "too long"}}
		seen := wasSeen("x")
		seen.Parties[0].DeploymentStatus = party.CheckDeployment(party.DesiredDeployment{}, d)
		if err := (&rolloutWait{client: client}).failure(t.Context(), seen); (err != nil) != fails || fails && !strings.Contains(err.Error(), "makes no progress: too long") {
			t.Errorf("annotated with %q: %v", annotation, err)
		}
	}
}

// TestOrphansBounded: only the wait for the end of orphans has a limit of its own.
func TestOrphansBounded(t *testing.T) {
	t.Parallel()
	for uid, want := range map[string]bool{"": true, "1": false} {
		ctx, cancel := (&removal{uid: uid}).bounded(t.Context())
		defer cancel()
		if deadline, has := ctx.Deadline(); has != want || has && time.Until(deadline) > orphanTimeout {
			t.Errorf("with the uid %q the wait may last until %s", uid, deadline)
		}
	}
}

// TestRecoveryStartsAgain: a failure that has ended has all of its time when it occurs again.
func TestRecoveryStartsAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, failing := &retries{}, wasSeen("CreateServiceFailed")
		failing.KusciaDeployment.Status.Message = "context deadline exceeded"
		for _, seen := range []*rolloutstatus.Status{failing, wasSeen(""), failing} {
			if got := r.recovers(seen); got != (seen == failing) {
				t.Errorf("%+v recovers: %t", seen.KusciaDeployment.Status, got)
			}
			time.Sleep(recoveryTimeout)
		}
	})
}
