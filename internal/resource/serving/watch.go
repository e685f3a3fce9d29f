package serving

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/rolloutstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/servingstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
)

// rolloutWait is the wait for one serving.
type rolloutWait struct {
	crud.Watched[object]

	clients *run.Run
	// updated is set for an update, waiting waits.
	updated bool
	waiting *servingstatus.Wait
	// versions are those of what was seen to run, from before the serving is read back.
	versions sourceVersions
}

// watch returns the wait for the target of an operation, as it is once the request was sent. Its
// probes get the statuses from the poller that all servings share.
func watch(c *run.Run, target *servingstatus.Target) func(context.Context, crud.Watched[object]) crud.Watch[object] {
	return func(ctx context.Context, of crud.Watched[object]) crud.Watch[object] {
		w := &rolloutWait{Watched: of, clients: c, updated: target.Updated, waiting: pollerOf(c).ForServing(ctx, *target)}
		return crud.Watch[object]{Probe: w.probe, End: w.end, Query: w.query}
	}
}

func (w *rolloutWait) probe(ctx context.Context) (seen crud.Progress, err error) {
	seen.Done, err = w.waiting.Probe(ctx)
	return seen, err
}

// query reads the serving back.
func (w *rolloutWait) query(ctx context.Context, id crud.ID) (*object, error) {
	found, err := query(ctx, w.clients, w.Desired, id)
	if err == nil {
		found.versions = w.versions
	}
	return found, err
}

// end returns what a wait has ended with. For a new serving, a cluster that cannot show whether it
// runs is only a warning: an error would taint a serving that may be running.
func (w *rolloutWait) end(ctx context.Context, _ crud.Progress, err error) crud.Progress {
	result, err := w.waiting.End(ctx, err)
	private := privateOf(w.Memory, false)
	seen := crud.Progress{Memory: crud.Remember(rules.AfterWait(private, result, err))}
	warnStartNotObserved(&seen.Warnings, w.ID[0], rules.Expected(result.StartNotObserved, rules.Of(w.Planned), private))
	var stopped *servingstatus.NotRunningError
	switch {
	case !w.updated && errors.As(err, &stopped) && stopped.Cause == servingstatus.CauseOtherCluster:
		message.AddWarning(&seen.Warnings, "Unknown whether serving runs", err)
		seen.Paused = true
	case err != nil:
		seen.Failed = err
	case result.Paused != "":
		seen.Warnings.AddWarning("Serving is paused by a Rollout", result.Paused+rolloutstatus.PausedNote+result.Pods.AfterWarning())
		seen.Paused = true
	default:
		seen.Done, w.versions = true, appliedVersions(ctx, w.clients, w.ID[0], result.Status)
	}
	return seen
}

// pollerOf returns the poller from which all waits of this run get the statuses of their servings.
func pollerOf(c *run.Run) *servingstatus.Poller {
	const poller run.Key[*servingstatus.Poller] = "poller of servings"
	return run.Value(c, poller, func() *servingstatus.Poller { return servingstatus.NewPoller(c.Kuscia) })
}

// warnStartNotObserved warns of parties whose rollout was assumed to be complete after a
// timeout.
func warnStartNotObserved(diags *diag.Diagnostics, id string, parties []string) {
	if len(parties) == 0 {
		return
	}
	diags.AddWarning("Rollout of serving was not observed to start", fmt.Sprintf(
		"The update of serving %q replaces the pods of party %s. After %s all its pods are updated and available, but no replacement was observed: "+
			"it was too short, the update does not affect the pods, or Kuscia could not apply it and keeps the old ones. "+
			"kubectl get pods --namespace DOMAIN_ID shows their age, and kubectl get deployment --namespace DOMAIN_ID --output wide their image.",
		id, strings.Join(parties, ", "), servingstatus.StartTimeout))
}
