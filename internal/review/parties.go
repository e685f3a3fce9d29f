package review

import (
	"cmp"
	"slices"
)

// partyChange is a party with the attributes that restart it.
type partyChange struct {
	Party
	causes []string
}

// keyed is a party with its key, which is only a name in the configuration.
type keyed struct {
	key string
	value
}

// partyPair is a party before and after the change.
type partyPair struct{ before, after keyed }

// key is that of the configuration.
func (p partyPair) key() string { return cmp.Or(p.after.key, p.before.key) }

// domain is the domain of a party: its key if it does not name another.
func (k keyed) domain() value {
	if domain := k.at("domain_id"); domain.exists() {
		return domain
	}
	return value{raw: k.key, hidden: k.hidden}
}

// partiesOf are all parties, also those that are not to be shown.
func partiesOf(v value) []keyed {
	parties := v.at("parties")
	var all []keyed
	for _, key := range parties.allKeys() {
		all = append(all, keyed{key: key, value: parties.at(key)})
	}
	return all
}

// partyPairs puts parties before and after the change together: by domain and role, and by
// their keys where one of these is not known.
func (w workload) partyPairs() []partyPair {
	before, after := partiesOf(w.before), partiesOf(w.after)
	if parties := w.after.at("parties"); parties.isUnknown() {
		after = nil
		for _, old := range before {
			after = append(after, keyed{key: old.key, value: parties.at(old.key)})
		}
	}
	var pairs []partyPair
	for _, party := range after {
		pairs = append(pairs, partyPair{after: party})
	}
	take := func(i int, fits func(old keyed) bool) {
		if at := slices.IndexFunc(before, fits); at >= 0 && pairs[i].before.key == "" {
			pairs[i].before = before[at]
			before = slices.Delete(before, at, at+1)
		}
	}
	for i, p := range pairs {
		if domain, role := p.after.domain(), p.after.at("role"); !domain.isUnknown() && !role.isUnknown() {
			take(i, func(old keyed) bool { return old.domain().id() == domain.id() && old.at("role").id() == role.id() })
		}
	}
	for i, p := range pairs {
		if p.after.domain().isUnknown() || p.after.at("role").isUnknown() {
			take(i, func(old keyed) bool { return old.key == p.after.key })
		}
	}
	for _, old := range before {
		pairs = append(pairs, partyPair{before: old})
	}
	return pairs
}

// partyChanges are the changes of parties, sorted by domain and role.
func (w workload) partyChanges() []partyChange {
	var all []partyChange
	for _, p := range w.partyPairs() {
		all = append(all, w.party(p))
	}
	slices.SortStableFunc(all, func(x, y partyChange) int {
		return cmp.Or(cmp.Compare(x.Domain, y.Domain), cmp.Compare(x.Role, y.Role), cmp.Compare(x.Key, y.Key))
	})
	return all
}

// templateAttributes are those of a party whose change restarts its pods.
var templateAttributes = []string{"app_image", "image", "resources", "container_resources", "containers"}

// podRevision is the attribute that rises with the pods of a party, also where only the resources
// of its app image change.
const podRevision = "pod_revision"

// newPods reports whether the revision of a party's pods rises, or may do so. A state from before
// the attribute gets the first one.
func newPods(p partyPair) bool {
	before, after := p.before.at(podRevision), p.after.at(podRevision)
	return p.before.exists() && p.after.exists() && differs(before, after) && (before.exists() || after.text() != "1")
}

func (w workload) party(p partyPair) partyChange {
	latest := p.after
	if !latest.exists() || latest.isUnknown() && p.before.exists() {
		latest = p.before
	}
	change := partyChange{Party: Party{
		Key: p.key(), Domain: latest.domain().text(), Role: latest.at("role").text(), Action: w.partyAction(p.before, p.after),
		AppImage: pair(p.before.at("app_image"), p.after.at("app_image")),
		Replicas: pair(p.before.at("replicas"), p.after.at("replicas")),
		Model:    w.model(latest.domain().text(), p.before, p.after),
	}}
	if w.action == Update {
		for _, attribute := range templateAttributes {
			if differs(p.before.at(attribute), p.after.at(attribute)) {
				change.causes = append(change.causes, w.partyPath(p, attribute))
			}
		}
		if len(change.causes)+len(w.restartAll) == 0 && newPods(p) {
			change.causes = append(change.causes, w.partyPath(p, podRevision))
		}
		change.causes = compact(change.causes)
	}
	change.Effect = w.effect(p, change.causes)
	if change.Effect != EffectNone && change.Action == None {
		change.Action = Update
	}
	if change.Effect == EffectSteps {
		change.Steps, _ = w.steps(p)
	}
	change.Image = w.image(p.before.value, p.after.value, change.Effect)
	return change
}

// partyPath is the path of an attribute of a party, as far as it may be shown and is known.
func (w workload) partyPath(p partyPair, attribute string) string {
	whole := func(before, after value) bool {
		return before.wholeSensitive() || after.wholeSensitive() || after.isUnknown()
	}
	switch {
	case whole(w.before.at("parties"), w.after.at("parties")):
		return "parties"
	case whole(p.before.value, p.after.value):
		return "parties." + p.key()
	}
	return "parties." + p.key() + "." + attribute
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
		image, ok := w.images[appImageID{w.provider, p.at("app_image").id()}]
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

// appImageID identifies an app image of one Kuscia.
type appImageID struct{ provider, name string }

// appImages are the container images of the app images in the plan.
func (b *builder) appImages() map[appImageID]Pair {
	all := map[appImageID]Pair{}
	for _, o := range b.byKind["kuscia_app_image"] {
		if name := o.latest().at("name").id(); name != "" && !o.deposed {
			all[appImageID{o.provider, name}] = Pair{Before: imageText(o.before.at("image")), After: imageText(o.after.at("image"))}
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
		name := p.at("app_image")
		image := w.images[appImageID{w.provider, name.id()}]
		if image.Before == "" || !image.changed() || p.at("image").exists() && imageText(p.at("image")) == image.After {
			continue
		}
		until := say(" does not restart: it keeps the old one until its next change.")
		if w.kind == "kuscia_serving" {
			until = say(" does not restart: it keeps the old one until something restarts it (follow_app_image, redeploy_triggers).")
		}
		b.report.Notes = append(b.report.Notes, concat(say("The app image "), shown(name.text()), say(" gets another image, and the serving "), show(w.name), until))
		return
	}
}
