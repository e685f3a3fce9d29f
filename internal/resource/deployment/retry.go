package deployment

import (
	"strings"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/rolloutstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

var (
	// pace is the interval between two reads.
	pace = wait.Interval{First: 100 * time.Millisecond, Longest: 2 * time.Second}
	// staleFailureTimeout is the time after an update in which a phase Failed may
	// still be from before the update.
	staleFailureTimeout = 5 * time.Second
	// transientFailureTimeout is the time during which a phase Failed may still change
	// without a retry: Kuscia reconciles again after it has written its status.
	transientFailureTimeout = time.Second
	// staleReadTimeout is the time after a change in which a read may be from before it,
	// as with a cache between the provider and the API server.
	staleReadTimeout = 10 * time.Second
)

// Kuscia retries neither a deployment that it has given up nor an update that
// it has ignored without an error, even if the missing object is created later.
// Any change of the object triggers a reconciliation, and a change of an
// annotation does not change the Deployments.

// retriedAt is the annotation that a retry changes.
const retriedAt = "terraform-provider-kuscia/retried-at"

const (
	// updateIgnoredAfter is the time after which an update that is not in the
	// Deployments counts as ignored.
	updateIgnoredAfter = 5 * time.Second
	// retryEvery is the time between two retries.
	retryEvery = 30 * time.Second
	// recoveryTimeout is the time in which the cause of a failure may end that need not
	// last, and recoveryRetryEvery the time between two retries until then.
	recoveryTimeout, recoveryRetryEvery = 30 * time.Second, 2 * time.Second
)

// retries has the state of the retries of one wait.
type retries struct {
	// last is the time of the last successful retry. lastReason is the failure
	// that Kuscia reported at that time, "" if it reported none.
	last       time.Time
	lastReason string
	// failure is the reported one, missing are the parties whose Deployments do not have
	// the update.
	failure, missing observation
	// recovery is the reason of a failure that may recover. The message may change with
	// each retry.
	recovery observation
}

// observation is the last observed value, and the time since when it is unchanged.
type observation struct {
	value string
	since time.Time
}

// update records a value and returns for how long it is unchanged.
func (o *observation) update(value string) time.Duration {
	if o.value != value {
		o.value, o.since = value, time.Now()
	}
	return time.Since(o.since)
}

// isFinal reports whether Kuscia has given up for the same reason for some
// time, and still does when minAge has passed since a retry. If no retry can be
// sent, the failure is final after retryEvery.
func (r *retries) isFinal(seen *rolloutstatus.Status, minAge time.Duration) bool {
	reason := seen.GivenUp()
	failing := r.failure.update(reason)
	if mayRecover(seen) {
		return !r.recovers(seen)
	}
	if r.lastReason == reason && time.Since(r.last) >= minAge {
		return failing >= transientFailureTimeout
	}
	return failing >= retryEvery
}

// recovers reports whether a failure may still recover.
func (r *retries) recovers(seen *rolloutstatus.Status) bool {
	if !mayRecover(seen) {
		r.recovery.update("")
		return false
	}
	return r.recovery.update(seen.KusciaDeployment.Status.Reason) < recoveryTimeout
}

// mayRecover reports whether Kuscia may have given up only for the moment: it did not find
// an object, which existed when the change was sent, so that its caches may be late; or it
// could not create one, for another reason than the object itself, such as a webhook that
// restarts.
func mayRecover(seen *rolloutstatus.Status) bool {
	status := seen.KusciaDeployment.Status
	contains := func(text string) bool { return strings.Contains(status.Message, text) }
	switch {
	case status.Phase != kube.PhaseFailed:
		return false
	case status.Reason == "BuildPartyKitInfoFailed":
		return contains("not found") && !contains("deploy template")
	case strings.HasPrefix(status.Reason, "Create"):
		return !contains("is invalid") && !contains("already exist")
	}
	return false
}

// due reports whether a retry is due. If nothing was sent before the wait, the
// first retry is immediate.
func (r *retries) due(seen *rolloutstatus.Status, resumed bool) bool {
	missing := ""
	for _, p := range seen.Parties {
		if !p.SpecAsExpected() {
			missing += p.Key.String() + " "
		}
	}
	reason := seen.GivenUp()
	failing, lacking := r.failure.update(reason), r.missing.update(missing)
	switch {
	case reason == "" && missing == "", seen.Done:
		return false
	case r.last.IsZero() && resumed:
		return true
	case failing >= transientFailureTimeout && r.recovers(seen):
		return time.Since(r.last) >= recoveryRetryEvery
	case reason != "" && reason != r.lastReason && failing >= transientFailureTimeout:
		return true // the failure is newer than the last retry
	case !r.last.IsZero() && time.Since(r.last) < retryEvery:
		return false
	}
	return reason != "" && failing >= transientFailureTimeout || missing != "" && lacking >= updateIgnoredAfter
}

// succeeded records a retry. seen is the status that the retry was due for.
func (r *retries) succeeded(seen *rolloutstatus.Status) {
	r.last, r.lastReason = time.Now(), seen.GivenUp()
}
