package serving

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// createTarget is what a new serving has to reach.
func createTarget(planned model) wait.Target {
	parties, _ := decodeParties(planned.Parties)
	target := wait.Target{ServingID: planned.ServingID.ValueString(), ProgressDeadline: progressDeadline(planned)}
	for _, p := range parties {
		target.Parties = append(target.Parties, wait.PartyTarget{
			DomainID: p.domainID.ValueString(), Role: p.role.ValueString(), Replicas: p.replicas.ValueInt32(),
		})
	}
	return target
}

// updateTarget is what an update has to reach. It says of each party whether its
// pods are replaced, since only those have to be seen rolling. snapshot is the
// status before the request, nil if it is not known.
func updateTarget(planned, prior model, request *kuscia.UpdateServingRequest, images imageChange, snapshot *wait.Snapshot) wait.Target {
	target := createTarget(planned)
	target.Updated, target.Before = true, snapshot
	parties, _ := decodeParties(planned.Parties)
	before, _ := decodeParties(prior.Parties)
	for i, p := range parties {
		old, _ := findParty(before, p.key())
		wanted := &target.Parties[i]
		// A changed configuration is in the environment of every pod.
		if request.ServingInputConfig != "" || replacesPods(old, p, images) {
			wanted.Rollout = rolloutOf(p.strategy.wire(), old.replicas.ValueInt32(), p.replicas.ValueInt32())
		}
		wanted.Unchanged = wanted.Rollout == wait.NoRollout && findWire(request.Parties, p.key()) == nil
	}
	return target
}

// imageChange answers what an app image was before this run changed or deleted
// it, and what it is now; nil where that is not known.
type imageChange struct {
	before, now func(name string) *kuscia.AppImage
}

// imageChanges asks Kuscia only for app images that this run has not seen.
func imageChanges(ctx context.Context, images *clients.AppImageCache) imageChange {
	lookup := func(get func(context.Context, string) (*kuscia.AppImage, error)) func(string) *kuscia.AppImage {
		return func(name string) *kuscia.AppImage {
			image, err := get(ctx, name)
			if err != nil {
				return nil
			}
			return image
		}
	}
	return imageChange{before: lookup(images.GetBefore), now: lookup(images.Get)}
}

// replacesPods reports whether an update of a party reaches its pods: Kuscia
// puts the image reference and the resources of each container into a live
// Deployment, and with any change of the serving also those that its app image
// was changed to. An app image under another name, or another strategy, alone
// changes nothing there.
func replacesPods(old, p party, images imageChange) bool {
	before, now := images.before(old.appImage.ValueString()), images.now(p.appImage.ValueString())
	oldTemplate, template := templateOf(before, old), templateOf(now, p)
	if oldTemplate == nil || template == nil {
		return !old.appImage.Equal(p.appImage) || !sameResources(old.resources, p.resources, nil)
	}
	if before.Image.Name != now.Image.Name || before.Image.Tag != now.Image.Tag {
		return true
	}
	had, wanted := old.resources.form(), p.resources.form()
	for _, container := range template.Containers {
		for _, live := range oldTemplate.Containers {
			if live.Name == container.Name &&
				!withImageDefaults(had.of(live.Name), live.Resources).equal(withImageDefaults(wanted.of(container.Name), container.Resources)) {
				return true
			}
		}
	}
	return false
}

func templateOf(image *kuscia.AppImage, p party) *kuscia.DeployTemplate {
	if image == nil {
		return nil
	}
	return templateFor(image, p.role.ValueString())
}

// rolloutOf is how a strategy replaces pods, where a party has that many before
// and after.
func rolloutOf(strategy *kuscia.UpdateStrategy, before, after int32) wait.Rollout {
	if strategy == nil {
		strategy = &kuscia.UpdateStrategy{Type: kuscia.StrategyRollingUpdate, MaxSurge: kuscia.DefaultMaxSurge, MaxUnavailable: kuscia.DefaultMaxUnavailable}
	}
	if strategy.Type == kuscia.StrategyRecreate {
		return wait.AllAtOnce
	}
	mayMiss := countOf(strategy.MaxUnavailable, int(after))
	if mayMiss == 0 && countOf(strategy.MaxSurge, 100) == 0 {
		mayMiss = 1 // Kubernetes lets one pod go where nothing else is possible
	}
	if mayMiss >= int(min(before, after)) {
		return wait.AllAtOnce
	}
	return wait.Gradual
}

// countOf is a number or a percentage of so many pods, rounded down.
func countOf(text string, pods int) int {
	percent, isPercent := strings.CutSuffix(text, "%")
	number, err := strconv.Atoi(percent)
	switch {
	case err != nil:
		return pods
	case isPercent:
		return number * pods / 100
	}
	return number
}

// snapshot asks for the status before an update. A failure is no reason not to
// update: the wait then wants to see every party roll.
func (r *servingResource) snapshot(ctx context.Context, id string) *wait.Snapshot {
	statuses, err := r.clients.API.BatchQueryServingStatus(ctx, []string{id})
	if err != nil {
		tflog.Warn(ctx, fmt.Sprintf("serving %s: the status before the update could not be asked", id), map[string]any{"serving_id": id, "error": err.Error()})
		return nil
	}
	for _, status := range statuses {
		if status.ServingID == id {
			return &wait.Snapshot{Status: status.Status}
		}
	}
	return nil
}

// warnNotSeen tells of parties that were taken for done by time alone.
func warnNotSeen(diags *diag.Diagnostics, id string, parties []string) {
	if len(parties) == 0 {
		return
	}
	diags.AddWarning("The rollout of serving "+id+" was not seen to begin", fmt.Sprintf(
		"The pods of party %s were to be replaced, and %s later Kuscia shows the wanted number of pods, all of them updated and available, without any sign that old ones were replaced. "+
			"Either the rollout was too short to be seen, or nothing of the update reaches the pods, or Kuscia could not apply it to the Deployment and keeps the old pods. "+
			"Look at the pods: kubectl get pods --namespace DOMAIN_ID shows their age, and kubectl get deployment --namespace DOMAIN_ID --output wide their image.",
		joined(parties), wait.BeginTime))
}
