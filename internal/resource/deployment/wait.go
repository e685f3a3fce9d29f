package deployment

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/judge"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/rolloutstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// rolloutWait is the wait for one KusciaDeployment.
type rolloutWait struct {
	crud.Watched[object]

	client *kube.Client
	reader *rolloutstatus.Reader
	began  time.Time
	// last is the last status, nil before the first.
	last    *rolloutstatus.Status
	retries retries
}

// watch begins a wait.
func watch(_ context.Context, c *run.Run, of crud.Watched[object]) crud.Watch[object] {
	client, err := c.OpenKubernetes()
	if err != nil {
		return crud.Watch[object]{Probe: func(context.Context) (crud.Progress, error) { return crud.Progress{Failed: err}, nil }}
	}
	w := &rolloutWait{Watched: of, client: client, reader: rolloutstatus.New(client, of.ID[0]), began: time.Now()}
	for _, key := range mapKeys(of.Desired) {
		w.reader.Knows(key.DomainID)
	}
	return crud.Watch[object]{Probe: w.probe, End: w.end}
}

// masked hides the configuration in texts and logs.
func (w *rolloutWait) masked(ctx context.Context) context.Context {
	return httpapi.WithMaskedText(ctx, definition.StringAt(w.Desired, attrInputConfig))
}

// probe looks once at the Deployments of the parties. As long as a read may be from before
// the change, it counts only if it has the change.
func (w *rolloutWait) probe(ctx context.Context) (crud.Progress, error) {
	ctx = w.masked(ctx)
	seen, err := w.reader.Read(ctx)
	mayBeStale := time.Since(w.began) < staleReadTimeout
	switch {
	case errors.Is(err, apierror.ErrNotFound) && mayBeStale, err == nil && mayBeStale && !w.IsDesired(&object{found: seen.KusciaDeployment}):
		return crud.Progress{}, nil
	case errors.Is(err, apierror.ErrNotFound):
		return crud.Progress{Failed: errors.New("it was deleted during the wait for its pods")}, nil
	case err != nil:
		return crud.Progress{}, err
	}
	w.last = seen
	text := seen.Text()
	if reason := seen.PodReason(); reason != "" {
		text += "; " + reason
	}
	progress := crud.Progress{Done: seen.Done, Paused: seen.Paused != "", Failed: w.failure(ctx, seen), Text: w.client.Masker(ctx).Text(text)}
	if progress.Failed == nil {
		w.retry(ctx, seen)
		warnWithoutPods(seen, &progress.Warnings)
	}
	return progress, nil
}

// warnWithoutPods warns of parties that run no pod although no configuration
// sets 0 replicas: the number is that of the app image, or of another client.
func warnWithoutPods(seen *rolloutstatus.Status, diags *diag.Diagnostics) {
	for _, p := range seen.Parties {
		if p.Runs() && p.Desired.Replicas == nil && p.NoPods {
			diags.AddWarning("KusciaDeployment has no pods", fmt.Sprintf(
				"Deployment \"%s/%s\" has 0 replicas: replicas is not set for the party, and the number is that of its app image or was set by another client. To run pods, set replicas.",
				httpapi.Text(p.Desired.Namespace), httpapi.Text(p.Desired.Name)))
		}
	}
}

// end describes what was seen last, and why pods do not run.
func (w *rolloutWait) end(ctx context.Context, last crud.Progress, err error) crud.Progress {
	ctx = w.masked(ctx)
	if err != nil {
		last.Text = w.client.Masker(ctx).Text(w.last.Text())
	}
	if last.Done {
		return last
	}
	pods := w.reader.Pods(ctx)
	last.Details = pods.Text()
	if last.Paused {
		last.Warnings.AddWarning("KusciaDeployment is paused by a Rollout", w.last.Paused+rolloutstatus.PausedNote+pods.AfterWarning())
	}
	return last
}

// runs reports for a refresh whether the Deployments run as the cluster has them.
func runs(ctx context.Context, c *run.Run, w crud.Watched[object], found *object) (bool, error) {
	client, err := c.OpenKubernetes()
	if err != nil {
		return false, err
	}
	seen, err := rolloutstatus.New(client, w.ID[0]).Read(httpapi.WithMaskedText(ctx, found.found.Spec.InputConfig))
	if err != nil {
		return false, err
	}
	return seen.Done, nil
}

// failure returns the reason why a KusciaDeployment will not run without a
// change, nil as long as it may.
func (w *rolloutWait) failure(ctx context.Context, seen *rolloutstatus.Status) (failed error) {
	masked := func(format string, args ...any) error {
		return errors.New(w.client.Masker(ctx).Text(fmt.Sprintf(format, args...)))
	}
	for _, p := range seen.Parties {
		if p.Reason == judge.DeadlineExceeded {
			failed = masked("the Deployment of domain %q makes no progress: %s", httpapi.Text(p.Key.DomainID), p.Failed)
		}
	}
	if seen.PodsFail != "" {
		failed = masked("%s", seen.PodsFail)
	}
	if seen.PausedByOthers != "" {
		failed = masked("%s", seen.PausedByOthers)
	}
	grace := staleFailureTimeout
	if w.Created {
		grace = transientFailureTimeout
	}
	if text := seen.GivenUp(); text != "" && w.retries.isFinal(seen, grace) {
		failed = masked("%s", text)
	}
	return failed
}

// retry makes Kuscia reconcile the deployment if a retry is due. A failed retry
// does not end the wait: the deployment may still run, and the next poll tries
// again.
func (w *rolloutWait) retry(ctx context.Context, seen *rolloutstatus.Status) {
	if !w.retries.due(seen, w.Resumed) {
		return
	}
	kd := seen.KusciaDeployment.Metadata
	patch := []kube.PatchOperation{{Op: "test", Path: "/metadata/uid", Value: kd.UID}}
	if kd.Annotations == nil {
		// Kuscia may have added annotations since the read, which the new map
		// would replace.
		patch = append(patch, kube.PatchOperation{Op: "test", Path: "/metadata/resourceVersion", Value: kd.ResourceVersion})
		patch = append(patch, kube.PatchOperation{Op: "add", Path: "/metadata/annotations", Value: map[string]string{}})
	}
	patch = append(patch, kube.PatchOperation{Op: "add", Path: "/metadata/annotations/" + kube.EscapeJSONPointer(retriedAt), Value: time.Now().UTC().Format(time.RFC3339)})
	if _, err := w.client.Patch(ctx, kube.KusciaDeployments, kube.CrossDomain, w.ID[0], "", patch); err != nil {
		tflog.Warn(ctx, "Unable to trigger another reconciliation of KusciaDeployment "+w.ID[0]+": "+err.Error())
		return
	}
	w.retries.succeeded(seen)
}
