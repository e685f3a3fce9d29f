package review

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/category"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/plan"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/planconfig"
)

// Other is an object without a table of its own.
type Other struct {
	Address string      `json:"address"`
	Kind    string      `json:"type"`
	Action  plan.Action `json:"action"`
	// Changed are the attributes that change, or that cause a replacement.
	Changed List[string] `json:"changed"`
	// Cause is why it is replaced or deferred.
	Cause phrase.Phrase `json:"cause"`

	// title is what a sentence calls it, beside its address.
	title    phrase.Phrase
	imported bool
	moved    string
	deposed  bool
	program  bool // it may run any program
	ofOthers bool // it is a resource of another provider
	image    plan.Pair
	template bool
	effect   Effect // of an edge deployment
}

// notInTemplate are the attributes of an edge deployment whose change leaves its
// instances as they are, besides OnlyInState.
var notInTemplate = []string{"description"}

// sendsTemplate reports whether the whole template of an edge deployment is sent.
func sendsTemplate(o plan.Object) bool {
	return o.Kind == "kuscia_edge_deployment" && o.Action == plan.Update && o.ChangesBeside(slices.Concat(category.OnlyInState, notInTemplate)...)
}

// newInstances reports whether all instances of an edge deployment are replaced: the plan says so where it
// has their revision.
func newInstances(o plan.Object) plan.Certainty {
	before, after := o.Before.At(instanceRevision), o.After.At(instanceRevision)
	isOther := sendsTemplate(o) && o.ChangesBeside(slices.Concat(category.OnlyInState, notInTemplate, []string{"replicas"})...)
	if before.Exists() && after.Exists() {
		isOther = plan.Differs(before, after)
	}
	switch {
	case !isOther:
		return plan.No
	case after.IsUnknown():
		return plan.Maybe
	}
	return plan.Yes
}

// instanceRevision is the attribute of an edge deployment that rises with its instances.
const instanceRevision = "instance_revision"

// edgeEffect is what happens to the instances of an edge deployment. In which order IEF replaces several,
// nothing says.
func edgeEffect(o plan.Object) Effect {
	switch {
	case o.Kind != "kuscia_edge_deployment":
		return EffectNone
	case o.Action == plan.Delete, o.Action == plan.Replace:
		return EffectInterrupted
	case o.Action != plan.Update:
		return EffectNone
	}
	replicas := o.Before.At("replicas")
	isOnly := replicas.Is(func(raw any) bool { return raw == nil || raw == 1.0 })
	effect := scaling(replicas, o.After.At("replicas"))
	switch replaces := newInstances(o); {
	case replaces == plan.No, replicas.Raw == 0.0:
		return effect
	case replaces == plan.Yes && isOnly == plan.Yes:
		return worse(effect, EffectInterrupted)
	}
	return worse(effect, EffectMayInterrupt)
}

var actionWords = map[plan.Action]phrase.Words{
	plan.None: "nothing", plan.Create: "created", plan.Update: "changed", plan.Replace: "replaced", plan.Delete: "removed", plan.Forget: "stays, no longer managed", plan.Lookup: "read in the apply",
}

// ownTable are the types that have a table of their own.
var ownTable = map[string]bool{
	"kuscia_serving": true, "kuscia_deployment": true, "kuscia_domain_data_grant": true, "kuscia_domain_route": true, rolloutKind: true, approvalKind: true, trafficKind: true,
}

// others reports what has no table of its own, and what is imported, moved or left over.
func (b *builder) others() {
	for i := range b.objects {
		o := b.objects[i]
		own := ownTable[o.Kind] || o.Kind == "kuscia_domain_data" && (o.Action == plan.Replace || o.Action == plan.Delete)
		beside := o.Imported || o.MovedFrom != "" || o.Deposed
		if !o.Touched() && !beside || own && !beside {
			continue
		}
		other := newOther(o)
		b.report.Others = append(b.report.Others, other)
		f := Finding{Address: o.Address, Effect: other.phrase()}
		switch {
		case !o.Touched():
			f.kind, f.subject = otherMoved, o.Title()
			if o.Imported {
				f.kind = otherImported
			}
			b.find(f)
		case o.Kind == "kuscia_domain" && b.findControl(o) && (o.Action == plan.Update || o.Action == plan.Create && b.isAdded(o)): // has its finding
		case !own:
			b.findOther(o, f)
		}
	}
}

// madeOfValues are providers whose resources are only values in the state. Their data sources may ask any address.
var madeOfValues = regexp.MustCompile(`^(?:terraform\.io/builtin/terraform|registry\.(?:terraform\.io|opentofu\.org)/hashicorp/(?:null|random|time|tls))$`)

// otherProvider reports a resource of another provider, or a data source that is read in the apply: what it
// does, and to whom, this program does not know. A resource of Kubernetes may be a custom resource of Kuscia,
// and a data source may send a request that changes something.
func (b *builder) otherProvider(o plan.Object, provider string) {
	b.report.OtherProviders.add(o.Action)
	if !o.Touched() {
		return
	}
	b.report.Everyone = b.report.Everyone || o.Action == plan.Lookup || !madeOfValues.MatchString(provider)
	other := Other{Address: o.Address, Kind: o.Kind, Action: o.Action, ofOthers: true}
	f := Finding{Address: o.Address, kind: otherProviderChanges, subject: phrase.Show(o.Address), Effect: other.phrase()}
	values := b.addOtherValues(o, f.Effect)
	switch {
	case b.isDrift:
		b.report.Drift = append(b.report.Drift, other)
	case o.Action == plan.Lookup:
		b.findRead(&f, o.Kind, values)
	default:
		f.Categories = []category.Category{category.Unknown}
	}
	b.find(f)
}

// findRead completes a finding of a data source that is read in the apply, with these arguments.
func (b *builder) findRead(f *Finding, kind string, arguments []ValueDiff) {
	said := argumentsPhrase(arguments)
	f.kind, f.Categories = otherProviderReads, []category.Category{category.Unknown}
	if len(said) > 0 {
		f.long = phrase.Say("{} ({})", f.subject, said)
	}
	if planconfig.IsProgram(kind) {
		f.kind, f.Categories, f.Effect = programRuns, runs(), phrase.Say("runs a program when it is read")
		if len(said) > 0 {
			f.long = phrase.Say("{} (data source: {})", f.subject, said)
		}
		f.subject = phrase.Say("{} (data source)", f.subject)
	}
}

// argumentsPhrase says arguments, so many: those that are no part of others first, so that no part of a long one
// hides another.
func argumentsPhrase(arguments []ValueDiff) phrase.Phrase {
	const most = 12
	isPart := func(d ValueDiff) int { return min(strings.Count(d.Path, "."), 1) }
	var said []phrase.Phrase
	for _, d := range slices.SortedStableFunc(slices.Values(arguments), func(x, y ValueDiff) int { return cmp.Compare(isPart(x), isPart(y)) }) {
		said = append(said, phrase.Say("{} {}", phrase.Show(d.Path), d.after()))
	}
	return phrase.Join(", ", phrase.First(said, most)...)
}

func newOther(o plan.Object) Other {
	other := Other{Address: o.Address, Kind: o.Kind, Action: o.Action, Cause: o.Cause(), imported: o.Imported, moved: o.MovedFrom, deposed: o.Deposed, template: sendsTemplate(o), effect: edgeEffect(o)}
	if o.Action == plan.Update {
		other.Changed = plan.ChangedPaths(o.Before, o.After, 6)
	}
	if o.Kind == "kuscia_app_image" {
		other.image = plan.Pair{Before: imageText(o.Before.At("image")), After: imageText(o.After.At("image"))}
	}
	return other
}

// findOther completes a finding by the action of an object.
func (b *builder) findOther(o plan.Object, f Finding) {
	f.subject = o.Title()
	domain := o.Kind == "kuscia_domain"
	edge := o.Kind == "kuscia_edge_deployment"
	switch o.Action {
	case plan.Create:
		f.kind = otherCreated
		switch {
		case b.hasData(o): // has its finding
			return
		case domain:
			f.kind, f.subject = domainAdded, phrase.Show(o.Name("domain_id"))
		case b.repoints(o):
			b.findRepointed(o, &f)
		case !edge && slices.Contains(b.attributeCategories(o), category.Code):
			f.kind, f.subject = codeChanges, phrase.Show(o.Name("name"))
		}
	case plan.Delete, plan.Replace:
		f.kind, f.Categories = otherRemoved, []category.Category{category.Destroy}
		if o.Action == plan.Replace {
			f.kind, f.Categories = otherReplaced, []category.Category{category.Replaced}
		}
		switch {
		case domain:
			b.findDomain(o, f)
			return
		case b.findRemovedImage(o, f) && o.Action == plan.Delete: // has its finding
			return
		case edge:
			f.kind, f.subject, f.Categories = edgeInterrupted, phrase.Show(o.Name("name")), append([]category.Category{category.Interrupted}, f.Categories...)
			if o.Action == plan.Delete {
				f.kind = edgeEnds
			}
		case o.Kind == "kuscia_app_image" && o.Action == plan.Delete && !o.Deposed:
			f.kind, f.subject = imageRemoved, phrase.Show(o.Name("name"))
		case slices.Contains(b.attributeCategories(o), category.Code):
			f.kind, f.subject = codeChanges, phrase.Show(o.Name("name"))
		case b.repoints(o):
			b.findRepointed(o, &f)
		}
		b.findRemoved(o, &f)
	case plan.Forget:
		f.kind, f.Categories = otherForgotten, []category.Category{category.Forgotten}
	default:
		b.findUpdate(o, f)
		return
	}
	b.find(f)
}

// findUpdate completes a finding of an update.
func (b *builder) findUpdate(o plan.Object, f Finding) {
	switch {
	case sendsTemplate(o):
		f.kind, f.subject, f.Categories = edgeRestarts, phrase.Show(o.Name("name")), []category.Category{category.Restarted}
		if effect := edgeEffect(o); effect.interrupts() {
			f.kind, f.Categories = edgeInterrupted, []category.Category{category.Interrupted, category.Restarted}
			if effect.mayInterrupt() {
				f.kind = edgeMayStop
			}
		}
	case b.repoints(o):
		b.findRepointed(o, &f)
	// A change of a credential, or of the place of data, has its finding.
	case len(credentialsOf(o)) > 0, b.hasData(o):
		return
	case slices.Contains(b.attributeCategories(o), category.Code):
		f.kind, f.subject = codeChanges, phrase.Show(o.Name("name"))
	default:
		f.kind = otherChanged
	}
	b.find(f)
}

// findRepointed completes a finding of a data source, or of its access information, whose data is
// elsewhere.
func (b *builder) findRepointed(o plan.Object, f *Finding) {
	f.kind, f.subject, f.Categories = sourceMoved, phrase.Show(o.Name("datasource_id")), append([]category.Category{category.Granted}, f.Categories...)
	if o.Kind == "kuscia_config" {
		f.kind, f.subject = entryMayMove, phrase.Show(o.Name("key"))
		if b.sourcesOf(&o)[0].key != "" {
			f.kind = entryChanges
		}
	}
}

// findRemoved completes a finding of a data source, or of its access information, whose data can no
// longer be read.
func (b *builder) findRemoved(o plan.Object, f *Finding) {
	ended := b.endedSources(&o)
	if len(ended) == 0 {
		return
	}
	f.Categories = append([]category.Category{category.Revoked}, f.Categories...)
	f.kind, f.subject = sourceRemoved, phrase.Show(o.Name("datasource_id"))
	if ended[0].key != "" {
		f.kind, f.subject = entryRemoved, phrase.Show(o.Name("key"))
	}
}

// hasData reports whether the report of data has an object.
func (b *builder) hasData(o plan.Object) bool {
	return slices.ContainsFunc(b.report.Data, func(d Data) bool { return d.Address == o.Address && d.Action == o.Action })
}

// masterOf is the domain whose master runs a domain: itself, if it names none.
func masterOf(v plan.Value) plan.Value {
	if master := v.At("master_domain_id"); !plan.IsUnset(master) {
		return master
	}
	return v.At("domain_id")
}

// findControl finds who controls a domain from then on, and how its nodes are authenticated, if that
// changes, or is new and not as usual. What a new domain may read, its grants say.
func (b *builder) findControl(o plan.Object) bool {
	was, is := o.Before, o.After
	if o.Action == plan.Forget || !is.Exists() {
		return false
	}
	id, master := is.At("domain_id").Text(), masterOf(is)
	distrust := func(agree phrase.Words, about ...phrase.Phrase) {
		b.distrust(o.Address, is.At("domain_id"), !was.Exists(), phrase.Say(agree, about...))
	}
	domain, found := plan.Shown(id), false
	isChanged := o.Changes("master_domain_id") && plan.Differs(masterOf(was), master)
	if !was.Exists() {
		isChanged = !plan.IsUnset(is.At("master_domain_id")) && plan.Differs(is.At("domain_id"), master)
	}
	if isChanged {
		how, old := domainPhrase(master.Text()), masterOf(was).Text()
		distrust("Agree that {} controls {}", how, domain)
		f := Finding{Address: o.Address, kind: masterBegins, Categories: []category.Category{category.Granted}, subject: phrase.Say("{} ({})", domain, phrase.Say("its master: {}", how))}
		if was.Exists() {
			how = phrase.Say("{} instead of {}", how, domainPhrase(old))
			f.kind, f.subject = masterChanges, phrase.Say("{} ({})", domain, how)
		}
		f.Effect = phrase.Say("its master: {}", how)
		b.expose(f, phrase.Say("Agree who controls {} as its master, what runs there, who joins and who gets its data: {}", domain, how), id, old, master.Text())
		found = true
	}
	auth, method := o.Both("auth_center", "authentication_type"), o.Both("auth_center", "token_gen_method")
	isNone := func(v plan.Value) bool {
		return v.At("auth_center", "authentication_type").Is(plan.Equals(noAuthentication)) == plan.Yes
	}
	switch {
	case isNone(is) && !isNone(was):
		how := phrase.Say("its nodes do not authenticate")
		distrust("Agree that anyone may act as {}", domain)
		b.expose(Finding{
			Address: o.Address, kind: anyoneActs, Categories: []category.Category{category.Granted, category.Secret}, Effect: how, subject: phrase.Say("{} ({})", domain, how),
		}, phrase.Say("Agree that anyone may act as {}: {}", domain, how), id, master.Text())
		return true
	case was.Exists() && (auth.Changed() || method.Changed()):
		how := auth.Phrase()
		if auth.Changed() {
			distrust("Agree that the nodes of {} authenticate in another way ({})", domain, how)
		}
		if method.Changed() {
			how = phrase.Join(", ", how, method.Phrase())
		}
		b.expose(Finding{
			Address: o.Address, kind: nodesAuthenticate, Categories: []category.Category{category.Secret}, Effect: phrase.Say("its nodes authenticate in another way: {}", how), subject: phrase.Say("{} ({})", domain, how),
		}, phrase.Say("Let the nodes of {} authenticate in another way: {}", domain, how), id)
		return true
	}
	return found
}

// isAdded reports whether a domain has the finding that it is new, under a master.
func (b *builder) isAdded(o plan.Object) bool {
	return slices.ContainsFunc(b.findingsAt[o.Address], func(i int) bool { return b.report.Findings[i].kind == masterBegins })
}

// findDomain completes a finding of a domain that is removed or replaced.
func (b *builder) findDomain(o plan.Object, f Finding) {
	f.kind, f.subject = domainReplaced, phrase.Show(o.Name("domain_id"))
	if isRemoved(&o) {
		b.distrust(o.Address, o.Before.At("domain_id"), false, nil)
	}
	if o.Action == plan.Delete {
		f.kind = domainRemoved
	}
	b.find(f)
}

// name is the address, with what a sentence calls the object.
func (o Other) name() phrase.Phrase {
	address := phrase.Show(o.Address)
	if len(o.title) == 0 || o.title.Plain(phrase.English) == address.Plain(phrase.English) {
		return address
	}
	return phrase.Say("{} ({})", address, o.title)
}

// phrase says what happens to an object.
func (o Other) phrase() phrase.Phrase {
	text := phrase.Say(actionWords[o.Action])
	switch {
	case o.ofOthers:
		text = phrase.Say("{}, a resource of another provider", text)
		if o.Action == plan.Lookup {
			text = phrase.Say("{}, a data source of another provider", phrase.Say(actionWords[o.Action]))
		}
	case o.deposed:
		text = phrase.Say("a leftover of an earlier replacement is removed")
	case o.image.Before != "" && o.image.Changed() && (o.Action != plan.Delete || len(o.Cause) == 0):
		text = phrase.Say("{}: image {}", text, o.image.Phrase())
	case len(o.Changed) > 0:
		text = phrase.Say("{}: {}", text, phrase.Join(", ", phrase.Values(o.Changed, 5)...))
	case len(o.Cause) > 0:
		text = phrase.Say("{}, because of {}", text, o.Cause)
	case o.Action == plan.Replace:
		text = phrase.Say("{}; the plan does not say why", text)
	}
	switch {
	case !o.template:
	case o.effect == EffectInterrupted:
		text = phrase.Say("{}; interrupted: all instances are replaced", text)
	case o.effect == EffectMayInterrupt:
		text = phrase.Say("{}; may be interrupted: all instances are replaced", text)
	default:
		text = phrase.Say("{}; the whole template is sent, which may restart every instance", text)
	}
	if o.imported {
		text = phrase.Say("imported; {}", text)
	}
	if o.moved != "" {
		text = phrase.Say("moved from {}; {}", phrase.Show(o.moved), text)
	}
	return text
}
