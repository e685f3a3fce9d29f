package deployment

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/rolloutstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
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

// rolloutWait is the wait for one KusciaDeployment.
type rolloutWait struct {
	client *kube.Client
	name   string
	// desired is the value that was sent, with its write-only strings.
	desired definition.Value
	// created is set if the KusciaDeployment is new, so that its status is not
	// from before the change.
	created bool
	// resumed is set if the apply sent no request and only continues an earlier wait.
	resumed bool
	retries retries
}

// run polls the status until the KusciaDeployment runs, is paused by a Rollout,
// or has failed.
func (w *rolloutWait) run(ctx context.Context) (*rolloutstatus.Status, error) {
	reader, began := rolloutstatus.New(w.client, w.name), time.Now()
	var last *rolloutstatus.Status
	var failed error
	err := wait.Poll(ctx, pace, func(ctx context.Context) (bool, error) {
		seen, err := reader.Read(ctx)
		mayBeStale := time.Since(began) < staleReadTimeout
		switch {
		case errors.Is(err, apierror.ErrNotFound) && mayBeStale, err == nil && mayBeStale && !isDesired(seen.KusciaDeployment, w.desired):
			return false, nil
		case errors.Is(err, apierror.ErrNotFound):
			failed = errors.New("it was deleted during the wait for its pods")
			return true, nil
		case err != nil:
			return false, err //nolint:wrapcheck // the client's errors describe the request
		}
		if last, failed = seen, w.failure(ctx, seen); failed == nil {
			w.retry(ctx, seen)
		}
		tflog.Info(ctx, "waiting for a KusciaDeployment", map[string]any{"name": w.name, "progress": w.client.Masker(ctx).Text(seen.Text())})
		return seen.Done || failed != nil || seen.Paused != "", nil //nolint:nilerr // failed has the failure
	})
	if err != nil {
		return last, fmt.Errorf("%s: %w", w.client.Masker(ctx).Text(last.Text()+w.podProblems(ctx, last)), err)
	}
	return last, failed
}

// isDesired reports whether a KusciaDeployment is as it was sent.
func isDesired(kd *kube.KusciaDeployment, desired definition.Value) bool {
	return len(deployment.Differences(desired, fromResponse(kd, desired))) == 0
}

// podProblems describes why pods do not run, "" if Kuscia's status already has a
// reason.
func (w *rolloutWait) podProblems(ctx context.Context, seen *rolloutstatus.Status) string {
	if seen == nil || seen.KusciaDeployment.Status.Reason != "" {
		return ""
	}
	if text := rolloutstatus.PodProblems(ctx, w.client, seen); text != "" {
		return ". " + clients.Capitalize(text)
	}
	return ""
}

// failure returns the reason why a KusciaDeployment will not run without a
// change, nil as long as it may.
func (w *rolloutWait) failure(ctx context.Context, seen *rolloutstatus.Status) (failed error) {
	masked := func(format string, args ...any) error {
		return errors.New(w.client.Masker(ctx).Text(fmt.Sprintf(format, args...)))
	}
	for _, p := range seen.Parties {
		if p.Failed != "" && p.ReleasedBy == "" {
			failed = masked("the Deployment of domain %s makes no progress: %s%s", httpapi.Text(p.Key.DomainID), p.Failed, w.podProblems(ctx, seen))
		}
	}
	if seen.PodsFail != "" {
		failed = masked("pods do not start: %s", seen.PodsFail)
	}
	if seen.PausedByOthers != "" {
		failed = masked("%s", seen.PausedByOthers)
	}
	grace := staleFailureTimeout
	if w.created {
		grace = transientFailureTimeout
	}
	if text := seen.GivenUp(); text != "" && w.retries.isFinal(seen, grace) {
		failed = masked("%s", text)
	}
	return failed
}
