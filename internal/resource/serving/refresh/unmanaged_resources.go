package refresh

import (
	"fmt"
	"maps"
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/model"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rollout"
)

// TemplateLookup returns the deploy template of a party in Kuscia; nil if Kuscia
// cannot be queried or has none.
type TemplateLookup func(kuscia.ServingParty) *kuscia.DeployTemplate

// detectUnmanagedResources adds resources to the state that another client has
// stored for a party without resources in the state. The response does not
// distinguish them from those of the running Deployment or of the app image.
// They are therefore drift only if the response has changed since the last time,
// the app image, which is queried only then, has not, and the two differ. A
// change with any other possible explanation is ignored, since drift would plan
// to replace a live serving. The lookups return nil if the app image cannot be
// queried, and the party is then checked the next time; cached may be older than
// the response, and current is not.
func detectUnmanagedResources(state model.Serving, response *kuscia.Serving, private model.Private, cached, current TemplateLookup) (model.Serving, model.Private) {
	parties := slices.Clone(state.Parties.Items)
	found := false
	for i, p := range parties {
		wire := model.FindWire(response.Parties, p.Key())
		if wire == nil || !private.Unmanaged(p) || !deployed(response.Status, p.Key()) {
			continue
		}
		now := model.SnapshotOf(wire.Resources)
		last, known := private.Baselines[p.Key().String()]
		if known && maps.Equal(now, last.Response) {
			continue
		}
		look := func(lookup TemplateLookup) (image model.ResourceSnapshot, stored, ok bool) {
			template := lookup(*wire)
			if template == nil {
				return nil, false, false
			}
			image = model.SnapshotOf(model.TemplateResources(template))
			return image, known && maps.Equal(image, last.Image) && !maps.Equal(now, image) && now.Storable(image), true
		}
		image, stored, ok := look(cached)
		if stored {
			image, stored, ok = look(current)
		}
		if !ok {
			continue
		}
		if stored {
			parties[i].Resources = model.ObservedResources(wire.Resources)
			found = true
			continue
		}
		private = private.WithBaseline(p.Key(), model.ResourceBaseline{Response: now, Image: image})
	}
	if found {
		state.Parties = model.PartiesOf(parties...)
	}
	return state, private
}

// deployed reports whether a party has a Deployment. Without one the response
// has the app image's resources, which the Deployment may not repeat exactly.
func deployed(status *kuscia.ServingStatusDetail, key party.Key) bool {
	if status == nil {
		return false
	}
	for _, p := range status.PartyStatuses {
		if (party.Key{DomainID: p.DomainID, Role: p.Role}) == key {
			return true
		}
	}
	return false
}

// UnmanagedDifferences lists the parties of an existing serving with resources
// that are neither configured nor those of the app image: another client has
// stored them, and no later plan could detect that.
func UnmanagedDifferences(desired model.Serving, existing *kuscia.Serving, template TemplateLookup) (different []string) {
	parties := desired.Parties.Items
	for _, p := range parties {
		wire := model.FindWire(existing.Parties, p.Key())
		if wire == nil {
			continue // already among the differences
		}
		configured := p.Resources.Spec()
		unset := slices.DeleteFunc(slices.Clone(wire.Resources), func(r kuscia.Resource) bool { return !configured.ForContainer(r.ContainerName).Empty() })
		if len(unset) == 0 {
			continue
		}
		var image model.ResourceSnapshot
		if t := template(*wire); t != nil {
			image = model.SnapshotOf(model.TemplateResources(t))
		}
		for name, has := range model.SnapshotOf(unset) {
			if given, known := image[name]; !known || given != has {
				different = append(different, fmt.Sprintf("resources of party %s", p.Key()))
				break
			}
		}
	}
	return different
}

// recordResponse records the containers of the parties that now have stored
// resources, from the server's response, and drops what is no longer needed.
func recordResponse(d model.Private, response *kuscia.Serving, state model.Serving) model.Private {
	known := d.Containers
	d.Containers = nil
	parties := state.Parties.Items
	for _, p := range parties {
		wire := model.FindWire(response.Parties, p.Key())
		if wire == nil || !p.Resources.Spec().IsSet() {
			continue
		}
		names := known[p.Key().String()]
		if len(names) == 0 {
			names = model.ResponseContainers(wire.Resources)
		}
		d = d.WithContainers(p.Key(), names)
	}
	d.CreateOutcomeUnknown, d.ConfigEnding = false, rollout.ConfigEnding(response)
	return d.KeepBaselines(parties)
}
