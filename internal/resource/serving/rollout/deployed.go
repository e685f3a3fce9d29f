package rollout

import (
	"maps"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/model"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// podSpecOf returns what an update applies to the pods of a party.
func podSpecOf(p model.Party, image *kuscia.AppImage, template *kuscia.DeployTemplate) model.PodSpec {
	desired := p.Resources.Spec()
	own := make([]kuscia.Resource, len(template.Containers))
	for i := range template.Containers {
		c := &template.Containers[i]
		own[i] = model.WithImageDefaults(desired.ForContainer(c.Name), c.Resources).Wire(c.Name)
	}
	amounts := model.SnapshotOf(own)
	maps.DeleteFunc(amounts, func(_ string, of [4]int64) bool { return of == [4]int64{} })
	r := model.PodSpec{Image: image.Reference()}
	if len(amounts) > 0 {
		r.Resources = party.Digest(amounts)
	}
	return r
}

// partyTemplate returns the app image of a party and its deploy template.
func partyTemplate(p model.Party, images party.ImageLookup) (*kuscia.AppImage, *kuscia.DeployTemplate) {
	if !p.KeyKnown() || p.AppImage.IsUnknown() || !p.Resources.Known() {
		return nil, nil
	}
	image := images(p.AppImage.ValueString())
	if image == nil {
		return nil, nil
	}
	return image, party.TemplateFor(image, p.Role.ValueString())
}

// RecordCreate returns the private state of a serving that was just created.
func RecordCreate(d model.Private, state model.Serving, images party.ImageLookup) model.Private {
	d.Deployed = nil
	return RecordUpdate(d, state, images)
}

// RecordUpdate returns the private state after an update that reached the pods:
// all parties now have the image and the resources of their app images, and no
// more of their definitions than before. A party about which nothing is known,
// as after an import, is assumed to run what its app image has now.
func RecordUpdate(d model.Private, state model.Serving, images party.ImageLookup) model.Private {
	return updateDeployed(d, state, images, func(p model.Party, known model.DeployedParty, now model.PodSpec) model.DeployedParty {
		if otherImage(p, now) { // which the app image may have got before the update, or after it
			known.MaybeApplied = &now
			return known
		}
		known.Resources, known.MaybeApplied = now.Resources, nil
		return known
	})
}

// RecordRefresh returns the private state after a refresh. Changes of an app
// image since the last update may have reached the pods.
func RecordRefresh(d model.Private, state model.Serving, images party.ImageLookup) model.Private {
	return updateDeployed(d, state, images, func(p model.Party, known model.DeployedParty, now model.PodSpec) model.DeployedParty {
		if now.Resources != known.Resources || otherImage(p, now) {
			known.MaybeApplied = &now
		}
		return known
	})
}

// updateDeployed updates the parties of a state. A party whose app image cannot
// be queried keeps its entry.
func updateDeployed(d model.Private, state model.Serving, images party.ImageLookup, next func(p model.Party, known model.DeployedParty, now model.PodSpec) model.DeployedParty) model.Private {
	before := d.Deployed
	d.Deployed = nil
	parties := state.Parties.Items
	for _, p := range parties {
		key := p.Key().String()
		known, ok := before[key]
		if image, template := partyTemplate(p, images); template != nil {
			now := podSpecOf(p, image, template)
			if !ok {
				known, ok = model.DeployedParty{Definition: party.DefinitionDigests(image, template), Resources: now.Resources}, true
			}
			known = next(p, known, now)
			known.AppImage = now.Image
		}
		if !ok {
			continue
		}
		if d.Deployed == nil {
			d.Deployed = make(map[string]model.DeployedParty, len(parties))
		}
		d.Deployed[key] = known
	}
	return d
}

// AddPendingImageChanges adds to a target what is known about the pods of each
// party: an update also applies changes of an app image from an earlier run.
func AddPendingImageChanges(d model.Private, target wait.Target, planned model.Serving, images party.ImageLookup) wait.Target {
	parties := planned.Parties.Items
	for i, p := range parties {
		if target.Parties[i].Replacement == wait.NoReplacement && imagePending(d, p, images) {
			target.Parties[i].Unchanged = false
			target.Parties[i].Replacement = replacementOf(p.Strategy.Wire(), p.Replicas.ValueInt32(), p.Replicas.ValueInt32())
		}
	}
	return target
}

// otherImage reports whether an app image has another image than the pods are known to run.
func otherImage(p model.Party, now model.PodSpec) bool {
	return !p.Image.IsNull() && !p.Image.IsUnknown() && p.Image.ValueString() != now.Image
}

// imagePending reports whether the pods of a party may have another image than before the
// update, or other resources than its app image has by now.
func imagePending(d model.Private, p model.Party, images party.ImageLookup) bool {
	known, ok := d.Deployed[p.Key().String()]
	if !ok {
		return false
	}
	image, template := partyTemplate(p, images)
	return template != nil && (known.MaybeApplied != nil || podSpecOf(p, image, template).Resources != known.Resources)
}
