package rollout

import (
	"strconv"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/model"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// CreateTarget is what a new serving has to reach.
func CreateTarget(planned model.Serving) wait.Target {
	parties := planned.Parties.Items
	target := wait.Target{ServingID: planned.ServingID.ValueString(), ProgressDeadline: model.ProgressDeadline(planned)}
	for _, p := range parties {
		target.Parties = append(target.Parties, wait.PartyTarget{
			DomainID: p.DomainID.ValueString(), Role: p.Role.ValueString(), Replicas: p.Replicas.ValueInt32(),
		})
	}
	return target
}

// UpdateTarget is what an update has to reach. It says of each party whether its
// pods are replaced, since only those have to be seen rolling. snapshot is the
// status before the request, nil if it is not known.
func UpdateTarget(planned, prior model.Serving, request *kuscia.UpdateServingRequest, images ImageChange, snapshot *wait.Snapshot) wait.Target {
	target := CreateTarget(planned)
	target.Updated, target.Before = true, snapshot
	parties := planned.Parties.Items
	before := prior.Parties.Items
	for i, p := range parties {
		old, _ := model.FindParty(before, p.Key())
		desired := &target.Parties[i]
		// A changed configuration is in the environment of every pod.
		if request.ServingInputConfig != "" || replacesPods(old, p, images) {
			desired.Replacement = replacementOf(p.Strategy.Wire(), old.Replicas.ValueInt32(), p.Replicas.ValueInt32())
		}
		desired.Unchanged = desired.Replacement == wait.NoReplacement && model.FindWire(request.Parties, p.Key()) == nil
	}
	return target
}

// ImageChange answers what an app image was before this run changed or deleted
// it, and what it is now; nil where that is not known.
type ImageChange struct {
	Before, Now func(name string) *kuscia.AppImage
}

// replacesPods reports whether an update of a party reaches its pods: Kuscia
// puts the image reference and the resources of each container into a live
// Deployment, and with any change of the serving also those that its app image
// was changed to. An app image under another name, or another strategy, alone
// changes nothing there.
func replacesPods(old, p model.Party, images ImageChange) bool {
	before, now := images.Before(old.AppImage.ValueString()), images.Now(p.AppImage.ValueString())
	oldTemplate, template := templateOf(before, old), templateOf(now, p)
	if oldTemplate == nil || template == nil {
		return !old.AppImage.Equal(p.AppImage) || !model.SameResources(old.Resources, p.Resources, nil)
	}
	if before.Image.Name != now.Image.Name || before.Image.Tag != now.Image.Tag {
		return true
	}
	had, desired := old.Resources.Spec(), p.Resources.Spec()
	for _, container := range template.Containers {
		for _, live := range oldTemplate.Containers {
			if live.Name == container.Name &&
				!model.WithImageDefaults(had.ForContainer(live.Name), live.Resources).Equal(model.WithImageDefaults(desired.ForContainer(container.Name), container.Resources)) {
				return true
			}
		}
	}
	return false
}

func templateOf(image *kuscia.AppImage, p model.Party) *kuscia.DeployTemplate {
	if image == nil {
		return nil
	}
	return party.TemplateFor(image, p.Role.ValueString())
}

// replacementOf is how a strategy replaces pods, where a party has that many before
// and after.
func replacementOf(strategy *kuscia.UpdateStrategy, before, after int32) wait.PodReplacement {
	if strategy == nil {
		strategy = &kuscia.UpdateStrategy{Type: kuscia.StrategyRollingUpdate, MaxSurge: kuscia.DefaultMaxSurge, MaxUnavailable: kuscia.DefaultMaxUnavailable}
	}
	if strategy.Type == kuscia.StrategyRecreate {
		return wait.RecreateAll
	}
	mayMiss := countOf(strategy.MaxUnavailable, int(after))
	if mayMiss == 0 && countOf(strategy.MaxSurge, 100) == 0 {
		mayMiss = 1 // Kubernetes lets one pod go where nothing else is possible
	}
	if mayMiss >= int(min(before, after)) {
		return wait.RecreateAll
	}
	return wait.RollingReplacement
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

// RedeployTarget is what the rollout of every party has to reach.
func RedeployTarget(servingID string, current *kuscia.Serving, defaultReplicas func(kuscia.ServingParty) int32) wait.Target {
	target := wait.Target{ServingID: servingID, Updated: true, Before: &wait.Snapshot{Status: current.Status}}
	for _, wire := range current.Parties {
		party := wait.PartyTarget{DomainID: wire.DomainID, Role: wire.Role}
		if wire.Replicas != nil {
			party.Replicas = *wire.Replicas
		} else {
			party.Replicas = defaultReplicas(wire)
		}
		party.Replacement = replacementOf(wire.UpdateStrategy, party.Replicas, party.Replicas)
		target.Parties = append(target.Parties, party)
	}
	return target
}
