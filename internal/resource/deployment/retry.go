package deployment

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/rolloutstatus"
)

// Kuscia does not look again by itself at what it has given up, nor at an update
// that it has dropped without a word, not even when what was missing has appeared.
// Any change of the object makes it, and one of an annotation changes no Deployment.

// retriedAt is the annotation that is changed for that.
const retriedAt = "terraform-provider-kuscia/retried-at"

const (
	// dropped is after which time an update that is not in the Deployments counts
	// as dropped.
	dropped = 5 * time.Second
	// retryEvery is the time between two retries.
	retryEvery = 30 * time.Second
)

// retries are what is known of the retries of one wait.
type retries struct {
	// last is the time of the last successful retry, and answered the failure that
	// Kuscia reported at that time; "" if it reported none.
	last     time.Time
	answered string
	failure  sighting
	update   sighting
}

// sighting is what has been seen, and since when.
type sighting struct {
	what  string
	since time.Time
}

// see returns for how long the same has been seen.
func (s *sighting) see(what string) time.Duration {
	if s.what != what {
		s.what, s.since = what, time.Now()
	}
	return time.Since(s.since)
}

// settled reports whether Kuscia has given up for the same reason for some time, and
// still does so long after a retry. Where no retry can be sent, it is settled after
// retryEvery.
func (r *retries) settled(reason string, patience time.Duration) bool {
	failing := r.failure.see(reason)
	if r.answered == reason && time.Since(r.last) >= patience {
		return failing >= passingFailure
	}
	return failing >= retryEvery
}

// due reports whether Kuscia is to look again. What it had dropped before the wait
// began, it is told at once.
func (r *retries) due(seen *rolloutstatus.Status, resumed bool) bool {
	missing := ""
	for _, p := range seen.Parties {
		if !p.Specified {
			missing += p.Key.String() + " "
		}
	}
	reason := seen.GivenUp()
	failing, lacking := r.failure.see(reason), r.update.see(missing)
	switch {
	case reason == "" && missing == "", seen.Done:
		return false
	case r.last.IsZero() && resumed:
		return true
	case reason != "" && reason != r.answered && failing >= passingFailure:
		return true // the last retry was before this failure
	case !r.last.IsZero() && time.Since(r.last) < retryEvery:
		return false
	}
	return reason != "" && failing >= passingFailure || missing != "" && lacking >= dropped
}

// succeeded notes a retry. seen is the status that it was due for.
func (r *retries) succeeded(seen *rolloutstatus.Status) {
	r.last, r.answered = time.Now(), seen.GivenUp()
}

// retry makes Kuscia look again where that is due. That it cannot be made ends no
// wait: the deployment may come to run all the same, and the next poll tries again.
func (w *watch) retry(ctx context.Context, seen *rolloutstatus.Status) {
	if !w.retries.due(seen, w.resumed) {
		return
	}
	kd := seen.KusciaDeployment.Metadata
	patch := []kube.PatchOperation{{Op: "test", Path: "/metadata/uid", Value: kd.UID}}
	if kd.Annotations == nil {
		// Kuscia may have written annotations since, which the new map would replace.
		patch = append(patch, kube.PatchOperation{Op: "test", Path: "/metadata/resourceVersion", Value: kd.ResourceVersion})
		patch = append(patch, kube.PatchOperation{Op: "add", Path: "/metadata/annotations", Value: map[string]string{}})
	}
	patch = append(patch, kube.PatchOperation{Op: "add", Path: "/metadata/annotations/" + pointer(retriedAt), Value: time.Now().UTC().Format(time.RFC3339)})
	if _, err := w.client.Patch(ctx, kube.KusciaDeployments, kube.CrossDomain, w.name, "", patch); err != nil {
		tflog.Warn(ctx, "Kuscia could not be made to look again at KusciaDeployment "+w.name+": "+err.Error())
		return
	}
	w.retries.succeeded(seen)
}
