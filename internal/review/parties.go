package review

import (
	"cmp"
	"maps"
	"slices"
)

// partyID identifies a party: its domain and role, or its key if one of these is
// not known. The key is else only a name in the configuration.
type partyID struct{ domain, role, key string }

// partyChange is a party with the attributes that restart it.
type partyChange struct {
	Party
	causes []string
}

// partyChanges are the parties before and after the change.
func (w workload) partyChanges() []partyChange {
	before, after := partiesOf(w.before), partiesOf(w.after)
	ids := slices.Collect(maps.Keys(before))
	for id := range after {
		if _, ok := before[id]; !ok {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(x, y partyID) int {
		return cmp.Or(cmp.Compare(x.domain, y.domain), cmp.Compare(x.role, y.role), cmp.Compare(x.key, y.key))
	})
	var all []partyChange
	for _, id := range ids {
		all = append(all, w.party(id, before[id], after[id]))
	}
	return all
}

type keyed struct {
	key string
	value
}

func partiesOf(v value) map[partyID]keyed {
	parties := v.at("parties")
	all := map[partyID]keyed{}
	for _, key := range parties.keys() {
		p := parties.at(key)
		domain, role := p.at("domain_id"), p.at("role")
		id := partyID{domain: cmp.Or(domain.text(), key), role: role.text()}
		if domain.raw != nil && domain.name() == "" || domain.isUnknown() || role.raw != nil && role.isSensitive() || role.isUnknown() {
			id.key = key
		}
		all[id] = keyed{key: key, value: p}
	}
	return all
}

func (w workload) party(id partyID, before, after keyed) partyChange {
	if all := w.after.at("parties"); after.key == "" && all.isUnknown() {
		after = keyed{key: before.key, value: all.at(before.key)}
	}
	p := partyChange{Party: Party{
		Key: cmp.Or(after.key, before.key), Domain: id.domain, Role: id.role, Action: w.partyAction(before, after),
		AppImage: pair(before.at("app_image"), after.at("app_image")),
		Replicas: pair(before.at("replicas"), after.at("replicas")),
		Model:    w.model(id.domain, before, after),
	}}
	if w.action == Update {
		for _, attribute := range []string{"app_image", "image", "resources", "container_resources", "containers"} {
			if differs(before.at(attribute), after.at(attribute)) {
				p.causes = append(p.causes, "parties."+p.Key+"."+attribute)
			}
		}
	}
	p.Effect = w.effect(p.causes, after.value, id.domain, id.role)
	switch {
	case w.action != Update || before.key == "" || !differs(before.at("replicas"), after.at("replicas")):
	case p.Replicas.After == "0":
		p.Effect = worse(p.Effect, EffectStops)
	case p.Effect == EffectNone:
		p.Effect = EffectScales
	}
	if p.Effect != EffectNone && p.Action == None {
		p.Action = Update
	}
	if p.Effect == EffectSteps {
		p.Steps, _ = w.steps(id.domain, id.role)
	}
	p.Image = w.image(before.value, after.value, p.Effect)
	return p
}

func (w workload) partyAction(before, after keyed) Action {
	switch {
	case w.action != Update && w.action != Replace:
		return w.action
	case before.key == "" && w.before.at("parties").exists():
		return Create
	case after.key == "" && w.after.at("parties").raw != nil:
		return Delete
	case w.action == Replace:
		return Replace
	}
	return None
}

// model is the model of a party, before and after. A write-only configuration
// shows only its version.
func (w workload) model(domain string, before, after keyed) Pair {
	side := func(v value, c config, party keyed) string {
		version := v.at(w.config + "_wo_version")
		switch {
		case party.key == "":
			return ""
		case version.exists():
			return "write-only, version " + version.text()
		case !c.known: // a text that is not JSON has no model, and may have anything in it
			if text := v.at(w.config).text(); text == sensitiveText || text == unknownText {
				return text
			}
			return ""
		}
		return c.model(domain)
	}
	return Pair{Before: side(w.before, w.text.before, before), After: side(w.after, w.text.after, after)}
}

// image is the container image of a party: what the resource says, else that of
// its app image, as far as it is in the plan.
func (w workload) image(before, after value, effect Effect) Pair {
	side := func(p value, after bool) string {
		name := p.at("app_image").text()
		image, ok := w.images[name]
		// The image of a replaced serving is unknown also if its app image stays.
		if own := p.at("image"); own.exists() && (!own.isUnknown() || !ok || image.changed()) {
			return imageText(own)
		}
		switch {
		case !ok:
			return name
		case after:
			return image.After
		}
		return image.Before
	}
	changes := effect != EffectNone && effect != EffectScales
	return Pair{Before: side(before, false), After: side(after, changes)}
}

// appImages are the container images of the app images in the plan.
func (b *builder) appImages() map[string]Pair {
	all := map[string]Pair{}
	for _, o := range b.byKind["kuscia_app_image"] {
		if name := o.latest().at("name").name(); name != "" {
			all[name] = Pair{Before: imageText(o.before.at("image")), After: imageText(o.after.at("image"))}
		}
	}
	return all
}

// imageText is an image as one text.
func imageText(image value) string {
	name := image.at("name")
	if name.raw == nil {
		return image.text()
	}
	text := name.text()
	if tag := image.at("tag").text(); tag != "" {
		text += ":" + tag
	}
	if id := image.at("id").text(); id != "" {
		text += "@" + id
	}
	return text
}

// noteOldImage notes a serving that does not change while its app image gets another image.
func (b *builder) noteOldImage(w workload) {
	parties := w.after.at("parties")
	for _, key := range parties.keys() {
		p := parties.at(key)
		name := p.at("app_image").text()
		image := w.images[name]
		if image.Before == "" || !image.changed() || p.at("image").exists() && imageText(p.at("image")) == image.After {
			continue
		}
		until := say(" does not restart: it keeps the old one until its next change.")
		if w.kind == "kuscia_serving" {
			until = say(" does not restart: it keeps the old one until something restarts it (follow_app_image, redeploy_triggers).")
		}
		b.report.Notes = append(b.report.Notes, concat(say("The app image "), show(name), say(" gets another image, and the serving "), show(w.name), until))
		return
	}
}
