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

// watch begins a wait for the target of an operation, as it is once the request was sent. Its probes
// get the statuses from the poller that all servings share.
func watch(ctx context.Context, c *run.Run, w crud.Watched[object]) crud.Watch {
	target, _ := w.Target.(*servingstatus.Target)
	waiting := pollerOf(c).ForServing(ctx, *target)
	return crud.Watch{
		Probe: func(ctx context.Context) (seen crud.Progress, err error) {
			seen.Done, err = waiting.Probe(ctx)
			return seen, err
		},
		End: func(ctx context.Context, _ crud.Progress, err error) crud.Progress {
			result, err := waiting.End(ctx, err)
			return ended(ctx, c, w, *target, result, err)
		},
	}
}

// ended is what a wait has ended with. For a new serving, a cluster that cannot show whether it
// runs is only a warning: an error would taint a serving that may be running.
func ended(ctx context.Context, c *run.Run, w crud.Watched[object], target servingstatus.Target, result servingstatus.Result, err error) crud.Progress {
	seen := crud.Progress{Memory: crud.Remember(rules.AfterWait(privateOf(w.Memory, false), result, err))}
	warnStartNotObserved(&seen.Warnings, w.ID[0], result.StartNotObserved)
	var stopped *servingstatus.NotRunningError
	switch {
	case !target.Updated && errors.As(err, &stopped) && stopped.Cause == servingstatus.CauseOtherCluster:
		message.AddWarning(&seen.Warnings, "Unknown whether serving runs", err)
		seen.Paused = true
	case err != nil:
		seen.Failed = err
	case result.Paused != "":
		seen.Warnings.AddWarning("Serving is paused by a Rollout", result.Paused+rolloutstatus.PausedNote+result.Pods.AfterWarning())
		seen.Paused = true
	default:
		seen.Done, seen.Seen = true, appliedVersions(ctx, c, w.ID[0], result.Status)
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
