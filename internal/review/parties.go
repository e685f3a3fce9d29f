package review

import (
	"cmp"
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/appconfig"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/category"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/plan"
)

// partyChange is a party with the attributes that restart it.
type partyChange struct {
	Party
	pair   partyPair
	causes []string
	// restarts: it gets new pods.
	restarts bool
}

// keyed is a party with its key, which is only a name in the configuration.
type keyed struct {
	key string
	// isHidden: all parties are sensitive, and so are their keys.
	isHidden bool
	plan.Value
}

// partyPair is a party before and after the change.
type partyPair struct{ before, after keyed }

// key is that of the configuration.
func (p partyPair) key() string { return cmp.Or(p.after.key, p.before.key) }

// domain is the domain of a party: its key if it does not name another.
func (k keyed) domain() plan.Value {
	if domain := k.At("domain_id"); domain.Exists() {
		return domain
	}
	return plan.Value{Raw: k.key, Hidden: [2]any{k.isHidden, nil}}
}

// partiesOf are all parties, also those that are not to be shown.
func partiesOf(v plan.Value) []keyed {
	parties := v.At("parties")
	var all []keyed
	for _, key := range parties.AllKeys() {
		all = append(all, keyed{key: key, isHidden: parties.WholeSensitive(), Value: parties.At(key)})
	}
	return all
}

// partyPairs puts parties before and after the change together: by domain and role, and by
// their keys where one of these is not known.
func (w workload) partyPairs() []partyPair {
	before, after := partiesOf(w.Before), partiesOf(w.After)
	if parties := w.After.At("parties"); parties.IsUnknown() {
		after = nil
		for _, old := range before {
			after = append(after, keyed{key: old.key, isHidden: old.isHidden, Value: parties.At(old.key)})
		}
	}
	var pairs []partyPair
	for _, party := range after {
		pairs = append(pairs, partyPair{after: party})
	}
	taken := make([]bool, len(before))
	match := func(isKnown bool, key func(p keyed) string) {
		places := map[string][]int{}
		for i, old := range before {
			if !taken[i] {
				places[key(old)] = append(places[key(old)], i)
			}
		}
		for i, p := range pairs {
			if found := places[key(p.after)]; p.before.key == "" && p.after.isKnown() == isKnown && len(found) > 0 {
				pairs[i].before, taken[found[0]], places[key(p.after)] = before[found[0]], true, found[1:]
			}
		}
	}
	match(true, func(p keyed) string { return p.domain().ID() + "/" + p.At("role").ID() })
	match(false, func(p keyed) string { return p.key })
	for i, old := range before {
		if !taken[i] {
			pairs = append(pairs, partyPair{before: old})
		}
	}
	return pairs
}

// isKnown reports whether the domain and the role of a party are known.
func (k keyed) isKnown() bool { return !k.domain().IsUnknown() && !k.At("role").IsUnknown() }

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
	before, after := p.before.At(podRevision), p.after.At(podRevision)
	return p.before.Exists() && p.after.Exists() && plan.Differs(before, after) && (before.Exists() || after.Text() != "1")
}

func (w workload) party(p partyPair) partyChange {
	latest := p.after
	if !latest.Exists() || latest.IsUnknown() && p.before.Exists() {
		latest = p.before
	}
	change := partyChange{pair: p, Party: Party{
		Key: p.key(), Domain: latest.domain().Text(), Role: latest.At("role").Text(), Action: w.partyAction(p.before, p.after),
		AppImage: plan.NewPair(p.before.At("app_image"), p.after.At("app_image")),
		Replicas: plan.NewPair(p.before.At("replicas"), p.after.At("replicas")),
		Model:    w.model(latest.domain().Text(), p.before, p.after),
	}}
	if w.Action == plan.Update {
		for _, attribute := range templateAttributes {
			if plan.Differs(p.before.At(attribute), p.after.At(attribute)) {
				change.causes = append(change.causes, w.partyPath(p, attribute))
			}
		}
		if len(change.causes)+len(w.restartAll) == 0 && newPods(p) {
			change.causes = append(change.causes, w.partyPath(p, podRevision))
		}
		change.causes = compact(change.causes)
		if change.restarts = p.before.Exists() && p.after.Exists() && w.restarts(p, change.causes); !change.restarts {
			change.causes = nil
		}
	}
	change.Effect = w.effect(p, change.causes)
	if change.Effect != EffectNone && change.Action == plan.None {
		change.Action = plan.Update
	}
	if change.Effect == EffectSteps {
		change.Steps, _ = w.steps(p)
	}
	change.Image = w.image(p.before.Value, p.after.Value, change.Effect)
	change.onlyApp = w.knowsOnlyApp(latest.Value)
	return change
}

// partyPath is the path of an attribute of a party, as far as it may be shown and is known.
func (w workload) partyPath(p partyPair, attribute string) string {
	whole := func(before, after plan.Value) bool {
		return before.WholeSensitive() || after.WholeSensitive() || after.IsUnknown()
	}
	switch {
	case whole(w.Before.At("parties"), w.After.At("parties")):
		return "parties"
	case whole(p.before.Value, p.after.Value):
		return "parties." + p.key()
	}
	return "parties." + p.key() + "." + attribute
}

func (w workload) partyAction(before, after keyed) plan.Action {
	switch {
	case w.Action != plan.Update && w.Action != plan.Replace:
		return w.Action
	case before.key == "" && w.Before.At("parties").Exists():
		return plan.Create
	case after.key == "" && w.After.At("parties").Raw != nil:
		return plan.Delete
	case w.Action == plan.Replace:
		return plan.Replace
	}
	return plan.None
}

// model is the model of a party, before and after. A write-only configuration
// shows only its version.
func (w workload) model(domain string, before, after keyed) plan.Pair {
	side := func(v plan.Value, c appconfig.Config, party keyed) string {
		version := v.At(w.config + "_wo_version")
		switch {
		case party.key == "":
			return ""
		case version.Exists():
			return "write-only, version " + version.Text()
		case !c.Known: // a text that is not JSON has no model, and may have anything in it
			if text := v.At(w.config).Text(); text == plan.SensitiveText || text == plan.UnknownText {
				return text
			}
			return ""
		}
		return c.Model(domain)
	}
	return plan.Pair{Before: side(w.Before, w.text.Before, before), After: side(w.After, w.text.After, after)}
}

// image is the container image of a party: what the resource says, else that of
// its app image, as far as it is in the plan.
func (w workload) image(before, after plan.Value, effect Effect) plan.Pair {
	side := func(p plan.Value, after bool) string {
		name := p.At("app_image").Text()
		image, ok := w.images[appImageID{w.Provider, p.At("app_image").ID()}]
		// The image of a replaced serving is unknown also if its app image stays.
		if own := p.At("image"); own.Exists() && (!own.IsUnknown() || !ok || image.Changed()) {
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
	return plan.Pair{Before: side(before, false), After: side(after, changes)}
}

// knowsOnlyApp reports whether the image of a party is not in the plan.
func (w workload) knowsOnlyApp(p plan.Value) bool {
	_, ok := w.images[appImageID{w.Provider, p.At("app_image").ID()}]
	own := p.At("image")
	return !ok && (!own.Exists() || own.IsUnknown()) && p.At("app_image").Name() != ""
}

// appImageID identifies an app image of one Kuscia.
type appImageID struct{ provider, name string }

// appImages are the container images of the app images in the plan.
func (b *builder) appImages() map[appImageID]plan.Pair {
	all := map[appImageID]plan.Pair{}
	for _, o := range b.byKind["kuscia_app_image"] {
		if name := o.Latest().At("name").ID(); name != "" && !o.Deposed {
			all[appImageID{o.Provider, name}] = plan.Pair{Before: imageText(o.Before.At("image")), After: imageText(o.After.At("image"))}
		}
	}
	return all
}

// imageText is an image as one text.
func imageText(image plan.Value) string {
	name := image.At("name")
	if name.Raw == nil {
		return image.Text()
	}
	text := name.Text()
	if tag := image.At("tag").Text(); tag != "" {
		text += ":" + tag
	}
	if id := image.At("id").Text(); id != "" {
		text += "@" + id
	}
	return text
}

// otherPrograms are the app images of which more changes of what runs than the image.
func (b *builder) otherPrograms() map[appImageID]bool {
	all := map[appImageID]bool{}
	for _, o := range b.byKind["kuscia_app_image"] {
		isOther := func(d plan.Difference) bool {
			return d.Path[0] != "image" && slices.Contains(b.differenceCategories(*o, d), category.Code)
		}
		if b.alters(*o) && slices.ContainsFunc(b.changesOf(asChange(*o)), isOther) {
			all[appImageID{o.Provider, o.After.At("name").ID()}] = true
		}
	}
	return all
}

// useImages keeps which app images a serving uses after the change. One that is forgotten stays.
func (b *builder) useImages(w workload) {
	side := w.After
	if w.Action == plan.Forget {
		side = w.Before
	}
	for _, p := range partiesOf(side) {
		id := appImageID{w.Provider, p.At("app_image").Name()}
		if users := b.usedImages[id]; id.name != "" && (len(users) == 0 || users[len(users)-1] != w.name) {
			b.usedImages[id] = append(users, w.name)
		}
	}
}

// isImageRemoved reports whether the plan deletes the app image with this name.
func (b *builder) isImageRemoved(id appImageID) bool {
	isSame := func(o *plan.Object) bool { return o.Provider == id.provider }
	isDeleted := func(o *plan.Object) bool { return isSame(o) && (o.Action == plan.Delete || o.Action == plan.Replace) }
	return slices.ContainsFunc(b.uses.appsWere[id.name], isDeleted) && !slices.ContainsFunc(b.uses.apps[id.name], isSame)
}

// findRemovedImage finds that an app image is deleted which servings use: Kuscia needs it to query them, and to
// start their pods again.
func (b *builder) findRemovedImage(o plan.Object, f Finding) bool {
	id := appImageID{o.Provider, o.Before.At("name").Name()}
	users := b.usedImages[id]
	if o.Kind != "kuscia_app_image" || o.Deposed || len(users) == 0 || !b.isImageRemoved(id) {
		return false
	}
	f.kind, f.Categories = imageRemoved, append([]category.Category{category.Code}, f.Categories...)
	f.subject = phrase.Say("{} (used by {})", phrase.Show(id.name), phrase.Brief(", ", maxNamed, phrase.Values(users, phrase.Everything)...))
	b.find(f)
	return true
}

// noteRemovedImage notes that a serving uses an app image that the plan removes, and tells its parties.
func (b *builder) noteRemovedImage(w workload) bool {
	var removed []phrase.Phrase
	for _, p := range partiesOf(w.After) {
		name := p.At("app_image")
		if !b.isImageRemoved(appImageID{w.Provider, name.ID()}) {
			continue
		}
		removed = append(removed, plan.Shown(name.Text()))
		b.agree(phrase.Say("Keep the app image {} elsewhere: pods of the serving {} may not start again without it", plan.Shown(name.Text()), phrase.Show(w.name)), p.domain().Text())
	}
	if len(removed) == 0 {
		return false
	}
	b.report.Notes = append(b.report.Notes, phrase.Say("The app image {} is removed, and the serving {} uses it: Kuscia cannot query a serving without it, and its pods may not start again.", removed[0], phrase.Show(w.name)))
	return true
}

// noteOldImage notes a serving that does not change while its app image does.
func (b *builder) noteOldImage(w workload, others map[appImageID]bool) {
	parties := w.After.At("parties")
	for _, key := range parties.Keys() {
		p := parties.At(key)
		name := p.At("app_image")
		id := appImageID{w.Provider, name.ID()}
		image := w.images[id]
		hasNew := p.At("image").Exists() && imageText(p.At("image")) == image.After
		if !others[id] && (image.Before == "" || image.After == "" || !image.Changed() || hasNew) {
			continue
		}
		text := phrase.Words("The app image {} changes, and {} does not restart: it keeps what it runs until its next change.")
		if w.Kind == "kuscia_serving" {
			text = "The app image {} changes, and the serving {} does not restart: it keeps what it runs until something restarts it (follow_app_image, redeploy_triggers)."
		}
		b.report.Notes = append(b.report.Notes, phrase.Say(text, plan.Shown(name.Text()), phrase.Show(w.name)))
		return
	}
}
