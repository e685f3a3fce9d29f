package serving

import (
	"maps"
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// sighting is what was last seen of a party whose resources nobody asked for.
type sighting struct {
	// Answer is what the serving showed, Image what the template of its app
	// image gave at the same time.
	Answer footprint `json:"answer"`
	Image  footprint `json:"image"`
}

// footprint has the amounts of each container, in thousandths and 0 where none
// is set. Kubernetes rounds up to thousandths in a Deployment, and such a
// difference is nobody's doing.
type footprint map[string][4]int64

func footprintOf(answer []kuscia.Resource) footprint {
	f := make(footprint, len(answer))
	for _, r := range answer {
		f[r.ContainerName] = [4]int64{thousandths(r.MinCPU), thousandths(r.MaxCPU), thousandths(r.MinMemory), thousandths(r.MaxMemory)}
	}
	return f
}

func thousandths(text string) int64 {
	amount, err := tfvalue.ParseQuantity(text)
	if err != nil {
		return 0
	}
	return amount.MilliValue()
}

// templateResources are the resources that a deploy template itself gives.
func templateResources(template *kuscia.DeployTemplate) []kuscia.Resource {
	resources := make([]kuscia.Resource, len(template.Containers))
	for i := range template.Containers {
		resources[i] = withImageDefaults(amounts{}, template.Containers[i].Resources).wire(template.Containers[i].Name)
	}
	return resources
}

// storable reports whether Kuscia could have stored a footprint for the
// containers of an app image: it stores something for each of them, or nothing.
func (f footprint) storable(image footprint) bool {
	for name := range image {
		if f[name] == [4]int64{} {
			return false
		}
	}
	return len(f) == len(image)
}

// templateLookup returns the deploy template of a party as Kuscia has it; nil
// where it cannot be asked or has none.
type templateLookup func(kuscia.ServingParty) *kuscia.DeployTemplate

// spotResources puts resources into the state that somebody else has stored for
// a party for which the state has none. An answer does not tell them from those
// of the running Deployment or of the app image, so what counts is that it
// changed since the last time, that the app image, which is asked only then,
// did not, and that the two differ. Whatever else may explain a change is no
// drift: it would plan to replace a live serving. The lookups return nil where
// the app image cannot be asked, and the party is then looked at the next time;
// remembered may be older than the answer, and asked is not.
func spotResources(state model, answer *kuscia.Serving, private privateData, remembered, asked templateLookup) (model, privateData) {
	parties := slices.Clone(state.Parties.items)
	spotted := false
	for i, p := range parties {
		wire := findWire(answer.Parties, p.key())
		if wire == nil || !private.watches(p) || !deployed(answer.Status, p.key()) {
			continue
		}
		now := footprintOf(wire.Resources)
		last, known := private.Seen[p.key().String()]
		if known && maps.Equal(now, last.Answer) {
			continue
		}
		look := func(lookup templateLookup) (image footprint, stored, ok bool) {
			template := lookup(*wire)
			if template == nil {
				return nil, false, false
			}
			image = footprintOf(templateResources(template))
			return image, known && maps.Equal(image, last.Image) && !maps.Equal(now, image) && now.storable(image), true
		}
		image, stored, ok := look(remembered)
		if stored {
			image, stored, ok = look(asked)
		}
		if !ok {
			continue
		}
		if stored {
			parties[i].resources = observedResources(wire.Resources)
			spotted = true
			continue
		}
		private = private.withSeen(p.key(), sighting{now, image})
	}
	if spotted {
		state.Parties = partiesOf(parties...)
	}
	return state, private
}

// deployed reports whether a party has a Deployment. Without one its answer is
// the app image's, which the Deployment need not repeat to the letter.
func deployed(status *kuscia.ServingStatusDetail, key partyKey) bool {
	if status == nil {
		return false
	}
	for _, p := range status.PartyStatuses {
		if (partyKey{p.DomainID, p.Role}) == key {
			return true
		}
	}
	return false
}

// watches reports whether resources of a party would be somebody else's doing.
func (d privateData) watches(p party) bool {
	return !p.resources.form().asks() && !d.observed(p.key())
}

func (d privateData) withSeen(key partyKey, last sighting) privateData {
	seen := make(map[string]sighting, len(d.Seen)+1)
	maps.Copy(seen, d.Seen)
	seen[key.String()] = last
	d.Seen = seen
	return d
}

// keepSeen forgets the parties that are not watched any more.
func (d privateData) keepSeen(parties []party) privateData {
	before := d.Seen
	d.Seen = nil
	for _, p := range parties {
		if last, known := before[p.key().String()]; known && d.watches(p) {
			d = d.withSeen(p.key(), last)
		}
	}
	return d
}
