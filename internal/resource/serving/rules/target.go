package rules

import (
	"strconv"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/servingstatus"
)

// CreateTarget returns the target of the wait for a new serving.
func CreateTarget(planned Serving) servingstatus.Target {
	parties := planned.Parties.Items
	target := servingstatus.Target{ServingID: planned.ServingID.ValueString(), ProgressDeadline: ProgressDeadline(planned)}
	for _, p := range parties {
		target.Parties = append(target.Parties, servingstatus.PartyTarget{
			DomainID: p.DomainID.ValueString(), Role: p.Role.ValueString(), Replicas: p.Replicas.ValueInt32(),
		})
	}
	return target
}

// UpdateTarget returns the target of the wait for an update, with the way in
// which the pods of each party are replaced, since only the rollouts of replaced
// pods have to be observed. snapshot is the status before the request, nil if
// unknown.
func UpdateTarget(planned, prior Serving, request *kuscia.UpdateServingRequest, images ImageChange, snapshot *servingstatus.Snapshot) servingstatus.Target {
	target := CreateTarget(planned)
	target.Updated, target.Before = true, snapshot
	parties := planned.Parties.Items
	before := prior.Parties.Items
	for i, p := range parties {
		old, _ := FindParty(before, p.Key())
		desired := &target.Parties[i]
		// A changed configuration is in the environment of every pod.
		if request.ServingInputConfig != "" || reachesPodsOf(old, p, images) {
			desired.Replacement = replacementOf(p.Strategy.Wire(), old.Replicas.ValueInt32(), p.Replicas.ValueInt32())
		}
		desired.Unchanged = desired.Replacement == servingstatus.NoReplacement && FindWire(request.Parties, p.Key()) == nil
	}
	return target
}

// ImageChange returns an app image before this run changed or deleted it, and as
// it is now; nil if unknown.
type ImageChange struct {
	Before, Now func(name string) *kuscia.AppImage
	// Unknown reports whether this run changes an app image to what is known only after
	// apply; nil if everything is known.
	Unknown func(name string) bool
}

// AppliesAppImage reports whether an update that is sent to Kuscia gives the pods of a
// party another image or other resources, because its app image was changed in place in
// this run or since its last update. An unknown change may do so.
func AppliesAppImage(d Private, old, p Party, images ImageChange) bool {
	if images.Unknown != nil && !p.AppImage.IsUnknown() && images.Unknown(p.AppImage.ValueString()) {
		return true
	}
	return reachesPodsOf(old, p, images) || imagePending(d, p, images.Now)
}

// reachesPodsOf reports whether an update of a party reaches its pods: Kuscia
// copies the image reference and the resources of each container to a live
// Deployment, and does so with the current app image at any change of the
// serving. Another name of the app image, or another strategy, alone does not
// change the pods.
func reachesPodsOf(old, p Party, images ImageChange) bool {
	known := !old.Image.IsNull() && !p.Image.IsNull()
	if known && !p.Image.Equal(old.Image) {
		return true
	}
	before, now := images.Before(old.AppImage.ValueString()), images.Now(p.AppImage.ValueString())
	oldTemplate, template := templateOf(before, old), templateOf(now, p)
	if oldTemplate == nil || template == nil {
		return !old.AppImage.Equal(p.AppImage) || !SameResources(old.Resources, p.Resources, nil)
	}
	if !known && before.Reference() != now.Reference() {
		return true
	}
	had, desired := old.Resources.Spec(), p.Resources.Spec()
	for _, container := range template.Containers {
		for _, live := range oldTemplate.Containers {
			if live.Name == container.Name &&
				!WithImageDefaults(had.ForContainer(live.Name), live.Resources).Equal(WithImageDefaults(desired.ForContainer(container.Name), container.Resources)) {
				return true
			}
		}
	}
	return false
}

func templateOf(image *kuscia.AppImage, p Party) *kuscia.DeployTemplate {
	if image == nil {
		return nil
	}
	return party.TemplateFor(image, p.Role.ValueString())
}

// replacementOf returns how a strategy replaces pods, for the replica counts of
// a party before and after.
func replacementOf(strategy *kuscia.UpdateStrategy, before, after int32) servingstatus.PodReplacement {
	if strategy == nil {
		strategy = &kuscia.UpdateStrategy{Type: kuscia.StrategyRollingUpdate, MaxSurge: kuscia.DefaultMaxSurge, MaxUnavailable: kuscia.DefaultMaxUnavailable}
	}
	if strategy.Type == kuscia.StrategyRecreate {
		return servingstatus.RecreateAll
	}
	mayMiss := countOf(strategy.MaxUnavailable, int(after))
	if mayMiss == 0 && countOf(strategy.MaxSurge, 100) == 0 {
		mayMiss = 1 // Kubernetes deletes one pod if nothing else is possible
	}
	if mayMiss >= int(min(before, after)) {
		return servingstatus.RecreateAll
	}
	return servingstatus.RollingReplacement
}

// countOf returns a number, or a percentage of a number of pods rounded down.
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

// RedeployTarget returns the target of the rollout of every party.
func RedeployTarget(servingID string, current *kuscia.Serving, defaultReplicas func(kuscia.ServingParty) int32) servingstatus.Target {
	target := servingstatus.Target{ServingID: servingID, ProgressDeadline: DefaultProgressDeadline, Updated: true, Before: &servingstatus.Snapshot{Status: current.Status}}
	for _, wire := range current.Parties {
		party := servingstatus.PartyTarget{DomainID: wire.DomainID, Role: wire.Role}
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
