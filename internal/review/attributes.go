package review

import (
	"slices"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/category"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/plan"
)

// knowsImages reports whether the images of all parties of a serving are known.
func (b *builder) knowsImages(o plan.Object) bool {
	w := b.workloadOf(o)
	return w != nil && !slices.ContainsFunc(w.parties, func(p partyChange) bool { return p.Image.After == plan.UnknownText })
}

// programs are the types that run a program of their own.
var programs = []string{"kuscia_serving", "kuscia_deployment", "kuscia_edge_deployment"}

// attributes adds to the findings of objects the categories of their attributes that change.
func (b *builder) attributes() {
	for i := range b.objects {
		o := &b.objects[i]
		b.findRemoval(o)
		found, is := b.attributeCategories(*o), *o
		if whole, isHalf := o.Whole(); isHalf { // it has what a replacement has, too
			found = category.Add(found, append(b.attributeCategories(whole), category.Destroy, category.Replaced)...)
			if len(credentialsOf(whole)) > 0 {
				found = category.Add(found, category.Secret)
			}
			if o.Action == plan.Create {
				is = whole
			}
		}
		if unknown := b.unknownAttributes(is); len(unknown) > 0 {
			b.find(Finding{
				Address: o.Address, Categories: []category.Category{category.Unknown}, kind: valueUnknown,
				Effect: phrase.Say("known after apply: {}", phrase.Join(", ", phrase.Values(unknown, 5)...)),
			})
		}
		if b.mayTakeOver(*o) {
			b.find(Finding{
				Address: o.Address, Categories: []category.Category{category.Unknown}, kind: valueUnknown,
				Effect: phrase.Say("its id is known after apply: it may be an object that others use"),
			})
		}
		if o.Touched() && !category.Knows(o.Kind) {
			found = category.Add(found, category.Unknown)
		}
		if o.Renamed != "" { // it may be deleted last, and then it is gone
			found = category.Add(found, category.Destroy)
		}
		b.addCategories(o, found)
		b.nameOf(o)
		if !o.Sends() {
			b.findStateOnly(o)
		}
	}
}

// nameOf notes that the name of an object which others may name becomes free, or is taken. What is forgotten
// stays as it is, and its name is not free.
func (b *builder) nameOf(o *plan.Object) {
	if b.isDrift || len(category.OfEnd(o.Kind)) == 0 {
		return
	}
	for _, i := range b.findingsAt[o.Address] {
		f := &b.report.Findings[i]
		if !f.kind.isChange() {
			continue
		}
		if isRemoved(o) {
			f.frees = o.Unchanged().Title()
		}
		if o.Action == plan.Create {
			f.takes = o.Title()
		}
		return
	}
}

// removal is what a change of an object may remove although no plan shows it, since allow_removal_of names it.
type removal struct {
	fields     []string
	categories []category.Category
}

// removalBy is the removal by a change of an object that is sent.
func (b *builder) removalBy(o *plan.Object) removal {
	list := o.After.At("allow_removal_of")
	switch {
	case b.isDrift, !b.alters(*o), !o.Sends(), !list.Exists(), o.After.Unknown == true:
		return removal{}
	case list.IsUnknown(), list.WholeSensitive():
		categories, _ := category.OfRemoval(o.Kind, "")
		return removal{[]string{list.Text()}, categories}
	}
	var known, others []string // what is known is first, which the others cannot hide
	var r removal
	for _, key := range list.AllKeys() {
		field := list.At(key)
		found, ok := category.OfRemoval(o.Kind, field.ID())
		r.categories = category.Add(r.categories, found...)
		if ok {
			known = append(known, field.Text())
		} else {
			others = append(others, field.Text())
		}
	}
	r.fields = slices.Concat(compact(known), compact(others))
	return r
}

// ofAccess reports whether a field decides who may read what.
func (r removal) ofAccess() bool { return slices.Contains(r.categories, category.Granted) }

// list names the fields.
func (r removal) list() phrase.Phrase {
	var all []phrase.Phrase
	for _, field := range r.fields {
		all = append(all, plan.Shown(field))
	}
	return phrase.Join(", ", phrase.First(all, maxListed)...)
}

// phrase is nil for no fields.
func (r removal) phrase() phrase.Phrase {
	if len(r.fields) == 0 {
		return nil
	}
	return phrase.Say("{} may be removed", r.list())
}

// findRemoval finds what a change may remove. What decides who may read data is in the findings of grants and data.
func (b *builder) findRemoval(o *plan.Object) {
	r := b.removalBy(o)
	hasOwn := o.Kind == "kuscia_domain_data_grant" || o.Kind == "kuscia_domain_data"
	if len(r.fields) == 0 || hasOwn && r.ofAccess() {
		return
	}
	b.find(Finding{Address: o.Address, Categories: r.categories, kind: fieldsRemoved, Effect: r.phrase(), subject: phrase.Say("{} ({})", o.Title(), r.list())})
}

// findStateOnly says of an object whose update sends nothing that only its state changes.
func (b *builder) findStateOnly(o *plan.Object) {
	for _, i := range b.findingsAt[o.Address] {
		if f := &b.report.Findings[i]; f.kind.isChange() && len(f.Categories) == 0 {
			f.kind, f.subject = stateChanges, o.Title()
		}
	}
}

// findUses finds what is in use: objects that stay, or that others replace, refer to it, or the plan deletes
// or forgets it elsewhere.
func (b *builder) findUses() {
	for _, o := range slices.Concat(b.objects, b.removed) {
		var used []plan.ID
		_, isHalf := o.Whole()
		if o.Action != plan.Delete || isHalf {
			for _, id := range o.References(o.Before) {
				used = append(append(used, id), id.WithoutNames()...)
			}
		}
		if id, ok := o.Identify(o.Before); ok && (o.Action == plan.Delete || o.Action == plan.Forget) {
			if used = append(used, id); !isHalf { // what takes its place is another one, also where its names are not known
				used = append(used, id.WithoutNames()...)
			}
		}
		for _, id := range used {
			if !slices.Contains(b.inUse[id], o.Provider) {
				b.inUse[id] = append(b.inUse[id], o.Provider)
			}
		}
	}
}

// takesOver reports whether an object is created that others use already, or of which there may be
// one: what it has is another value to them. What others have removed may be created as it was.
func (b *builder) takesOver(o plan.Object) bool {
	if from := o.AsChange(); o.WasRemoved() && len(b.changesOf(from)) == 0 {
		return false
	}
	id, ok := o.Identify(o.After)
	return ok && o.Action == plan.Create && b.isInUse(id, o.Provider) || b.mayTakeOver(o)
}

// isInUse reports whether others use an object, or the plan gives it up.
func (b *builder) isInUse(id plan.ID, provider string) bool {
	return slices.ContainsFunc(b.inUse[id], func(other string) bool { return plan.SameProvider(other, provider) != plan.No })
}

// mayTakeOver reports whether an object is created whose identity the configuration sets and only the
// apply knows, or that is hidden, and which may be one that is in use.
func (b *builder) mayTakeOver(o plan.Object) bool {
	attributes := plan.Identity(o.Kind)
	if _, ok := o.Identify(o.After); ok || o.Action != plan.Create || len(attributes) == 0 {
		return false
	}
	block, names := b.blocks.Of(o.Address), make([]string, len(attributes))
	for i, attribute := range attributes {
		names[i] = o.After.At(attribute).ID()
		if names[i] == "" && !block.MaySet(attribute) {
			return false // the server makes it
		}
	}
	return b.isInUse(plan.IDOf(o.Kind, names...), o.Provider)
}

// alters reports whether the attributes of an object are other ones to those who use it.
func (b *builder) alters(o plan.Object) bool {
	return o.Action == plan.Update || o.Action == plan.Replace || b.takesOver(o)
}

// addCategories adds the categories that no finding of an object has to the first of them.
func (b *builder) addCategories(o *plan.Object, found []category.Category) {
	at := -1
	for _, i := range b.findingsAt[o.Address] {
		f := b.report.Findings[i]
		found = slices.DeleteFunc(found, func(c category.Category) bool { return slices.Contains(f.Categories, c) })
		if at < 0 && f.kind.isChange() {
			at = i
		}
	}
	if len(found) == 0 {
		return
	}
	if at < 0 {
		b.find(Finding{Address: o.Address, Categories: found, kind: otherChanged, Effect: newOther(*o).phrase(), subject: o.Title()})
		return
	}
	f := &b.report.Findings[at]
	f.Categories = category.Add(f.Categories, found...)
}

// attributeCategories are those of the attributes of an object that change.
func (b *builder) attributeCategories(o plan.Object) []category.Category {
	var found []category.Category
	if isRemoved(&o) {
		found = category.Add(found, category.OfEnd(o.Kind)...)
	}
	switch {
	case o.Action == plan.Create && slices.Contains(programs, o.Kind):
		found = category.Add(found, category.Code)
		if w := b.workloadOf(o); w != nil && w.text.ReadsFeatures() {
			found = category.Add(found, category.Granted)
		}
		return found
	case !b.alters(o):
		return found
	}
	from := asChange(o)
	for _, d := range b.changesOf(from) {
		found = category.Add(found, b.differenceCategories(from, d)...)
	}
	// Whether anything restarts follows from what happens to an object: a text may be spelled in
	// another way.
	return without(found, category.Restarted)
}

// differenceCategories are those of a part of an object that changes.
func (b *builder) differenceCategories(o plan.Object, d plan.Difference) []category.Category {
	categories, ok := category.Of(o.Kind, d.Path, d.After.Unknown == true)
	switch {
	case !ok:
		return []category.Category{category.Unknown}
	case slices.Contains(certificates, d.Path[len(d.Path)-1]) && sameCertificates(d.Before, d.After):
		return without(without(categories, category.Secret), category.Granted)
	case slices.Equal(d.Path, routeHost) && (plan.IsUnset(d.After) || o.IsKnownAnother()): // no other one
		return without(categories, category.Granted)
	case slices.Contains(routeAuthorities, strings.Join(d.Path, ".")) && o.IsKnownAnother():
		return without(categories, category.Granted)
	case o.Kind == "kuscia_domain" && d.Path[0] == "cert" && !b.isOtherKey(o):
		return without(categories, category.Granted)
	case !slices.Contains(configTexts, d.Path[0]) || len(d.Path) > 1:
		return categories
	}
	if w := b.workloadOf(o); w != nil { // a text that is read says what it decides
		return w.textCategories(categories)
	}
	return categories
}

// workloadOf is the serving or deployment that an object is; nil for another.
func (b *builder) workloadOf(o plan.Object) *workload {
	return b.workloadsAt[o.Index]
}

// differences are the smallest parts of an object that change, or may change: what they decide, and
// their values, are reported one after the other.
func (b *builder) differences(o plan.Object) []plan.Difference {
	found, known := b.differencesAt[o.Index]
	if !known {
		found = b.findDifferences(o)
		b.differencesAt[o.Index] = found
	}
	return found
}

// findDifferences finds them. The key of a party is only a name, and its image is known where that of
// the app image is.
func (b *builder) findDifferences(o plan.Object) []plan.Difference {
	w := b.workloadOf(o)
	if w == nil || len(w.parties) == 0 {
		return o.Differences()
	}
	found := slices.DeleteFunc(o.Differences(), func(d plan.Difference) bool { return d.Path[0] == "parties" })
	for _, p := range w.parties {
		for _, d := range plan.Differences(p.pair.before.Value, p.pair.after.Value) {
			if len(d.Path) == 1 && d.Path[0] == "image" && d.After.IsUnknown() && !p.Image.Changed() {
				continue
			}
			d.Path = append([]string{"parties", p.Key}, d.Path...)
			found = append(found, d)
		}
	}
	return found
}

func without(list []category.Category, c category.Category) []category.Category {
	return slices.DeleteFunc(slices.Clone(list), func(other category.Category) bool { return other == c })
}

// textCategories are the categories of a change of the configuration text.
func (w workload) textCategories(all []category.Category) []category.Category {
	switch {
	case !w.text.Differs:
		return nil
	case !w.text.Known():
		return all
	case w.text.ChangesFeatures():
		return all
	}
	return without(all, category.Granted)
}

// unknownAttributes are the attributes that are known after apply and that not only the server
// sets, as far as they may be shown. An image is known where that of the app image is.
func (b *builder) unknownAttributes(o plan.Object) []string {
	if !o.After.Exists() {
		return nil
	}
	var found []string
	for _, path := range o.After.UnknownPaths() {
		isImage := len(path) == 3 && path[0] == "parties" && path[2] == "image"
		if !category.ByServer(o.Kind, path, o.Action == plan.Create) && (!isImage || !b.knowsImages(o)) {
			found = append(found, strings.Join(o.Visible(path), "."))
		}
	}
	return compact(found)
}
