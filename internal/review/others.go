package review

import (
	"cmp"
	"slices"
)

// Other is an object without a table of its own.
type Other struct {
	Address string `json:"address"`
	Kind    string `json:"type"`
	Action  Action `json:"action"`
	// Changed are the attributes that change, or that cause a replacement.
	Changed List[string] `json:"changed"`
	// Cause is why it is replaced or deferred.
	Cause phrase `json:"cause"`

	imported bool
	moved    string
	deposed  bool
	image    Pair
	template bool
}

// notInTemplate are the attributes of an edge deployment whose change leaves its
// instances as they are, besides OnlyInState.
var notInTemplate = []string{"description"}

// sendsTemplate reports whether the whole template of an edge deployment is sent.
func (o object) sendsTemplate() bool {
	return o.kind == "kuscia_edge_deployment" && o.action == Update && o.changesBeside(slices.Concat(OnlyInState, notInTemplate)...)
}

var actionWords = map[Action]words{
	None: "nothing", Create: "created", Update: "changed", Replace: "replaced", Delete: "removed", Forget: "stays, no longer managed",
}

// ownTable are the types that have a table of their own.
var ownTable = map[string]bool{
	"kuscia_serving": true, "kuscia_deployment": true, "kuscia_domain_data_grant": true, "kuscia_domain_route": true, rolloutKind: true, approvalKind: true, trafficKind: true,
}

// others reports what has no table of its own, and what is imported, moved or left over.
func (b *builder) others() {
	for i := range b.objects {
		o := b.objects[i]
		own := ownTable[o.kind] || o.kind == "kuscia_domain_data" && (o.action == Replace || o.action == Delete)
		beside := o.imported || o.movedFrom != "" || o.deposed
		if !o.touched() && !beside || own && !beside {
			continue
		}
		other := newOther(o)
		b.report.Others = append(b.report.Others, other)
		f := Finding{Address: o.address, Effect: other.phrase()}
		switch {
		case !o.touched():
			f.kind = otherChanged
			b.find(f)
		case !own:
			b.findOther(o, f)
		}
	}
}

func newOther(o object) Other {
	other := Other{Address: o.address, Kind: o.kind, Action: o.action, Cause: o.cause(), imported: o.imported, moved: o.movedFrom, deposed: o.deposed, template: o.sendsTemplate()}
	if o.action == Update {
		other.Changed = changedPaths(o.before, o.after, 6)
	}
	if o.kind == "kuscia_app_image" {
		other.image = Pair{Before: imageText(o.before.at("image")), After: imageText(o.after.at("image"))}
	}
	return other
}

// findOther completes a finding by the action of an object.
func (b *builder) findOther(o object, f Finding) {
	domain := o.kind == "kuscia_domain"
	edge := o.kind == "kuscia_edge_deployment"
	switch o.action {
	case Create:
		f.kind = otherCreated
		if domain {
			f.kind, f.subject = domainAdded, show(o.name("domain_id"))
		}
	case Delete, Replace:
		f.kind, f.Categories = otherRemoved, []Category{Destroy}
		if o.action == Replace {
			f.kind, f.Categories = otherReplaced, []Category{Replaced}
		}
		switch {
		case domain:
			b.findDomain(o, f)
			return
		case edge:
			f.kind, f.subject, f.Categories = edgeInterrupted, show(o.name("name")), append([]Category{Interrupted}, f.Categories...)
		case b.repoints(o):
			f.kind, f.subject, f.Categories = sourceMoved, show(o.name("datasource_id")), append([]Category{Granted}, f.Categories...)
		}
	case Forget:
		f.kind, f.Categories, f.subject = otherForgotten, []Category{Forgotten}, show(o.address)
	default:
		b.findUpdate(o, f)
		return
	}
	b.find(f)
}

// findUpdate completes a finding of an update.
func (b *builder) findUpdate(o object, f Finding) {
	isMoved := func(d Data) bool { return d.Address == o.address }
	switch {
	case o.sendsTemplate():
		f.kind, f.subject, f.Categories = edgeRestarts, show(o.name("name")), []Category{Restarted}
		if scaling(o.before.at("replicas"), o.after.at("replicas")).rank() >= EffectMayStop.rank() {
			f.kind, f.Categories = edgeInterrupted, []Category{Interrupted, Restarted}
		}
	case b.repoints(o):
		f.kind, f.subject, f.Categories = sourceMoved, show(o.name("datasource_id", "key")), []Category{Granted}
	// A change of a credential, or of the place of data, has its finding.
	case len(credentialsOf(o)) > 0, slices.ContainsFunc(b.report.Data, isMoved):
		return
	default:
		f.kind = otherChanged
	}
	b.find(f)
}

// findDomain completes a finding of a domain that is removed or replaced.
func (b *builder) findDomain(o object, f Finding) {
	f.kind, f.subject = domainReplaced, show(o.name("domain_id"))
	switch {
	case o.action == Delete:
		f.kind = domainRemoved
	case o.redirected("domain_id"):
		added := Finding{Address: f.Address, Effect: f.Effect, kind: domainAdded, subject: f.subject}
		b.find(added)
		f.kind, f.Categories, f.subject = domainRemoved, []Category{Destroy, Replaced}, show(cmp.Or(o.before.at("domain_id").name(), o.address))
	}
	b.find(f)
}

// phrase says what happens to an object.
func (o Other) phrase() phrase {
	text := say(actionWords[o.Action])
	switch {
	case o.deposed:
		text = say("a leftover of an earlier replacement is removed")
	case o.image.Before != "" && o.image.changed():
		text = concat(text, say(": image "), o.image.phrase())
	case len(o.Changed) > 0:
		text = concat(text, say(": "), join(", ", values(o.Changed, 5)...))
	case len(o.Cause) > 0:
		text = concat(text, say(", because of "), o.Cause)
	}
	if o.template {
		text = concat(text, say("; the whole template is sent, which may restart every instance"))
	}
	if o.imported {
		text = concat(say("imported; "), text)
	}
	if o.moved != "" {
		text = concat(say("moved from "), show(o.moved), say("; "), text)
	}
	return text
}
