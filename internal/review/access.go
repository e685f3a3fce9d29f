package review

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/grantlimit"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/plan"
)

// Access is what a reader may see of data before and after the change.
type Access struct {
	Address string `json:"address"`
	// Reader is a domain, or "" for whoever has a grant.
	Reader string `json:"reader"`
	Owner  string `json:"owner"`
	Data   string `json:"data"`
	// Provider is the provider configuration of the object, "" if the plan does not say it.
	Provider string `json:"provider"`
	// Change is one of gained, changed, lost, kept, and Way says more of it: one of gained, more, other,
	// maybe, features, again, conditions, another, lost, kept.
	Change string        `json:"change"`
	Way    string        `json:"way"`
	Before phrase.Phrase `json:"before"`
	After  phrase.Phrase `json:"after"`

	// subject is the data in words, detail what a line at the top says of it, and what tells data, data
	// sources and features apart.
	subject, detail phrase.Phrase
	what            string
}

// domainPhrase names a domain.
func domainPhrase(name string) phrase.Phrase {
	return named(name, "a domain that is known after apply", "a domain that is sensitive")
}

// readerPhrase names a reader.
func readerPhrase(name string) phrase.Phrase {
	if name == "" {
		return phrase.Say("readers that this plan does not know")
	}
	return named(name, "a reader that is known after apply", "a reader that is sensitive")
}

// dataPhrase names data.
func dataPhrase(name string) phrase.Phrase {
	return named(name, "data that is known after apply", "data that is sensitive")
}

// named is a name, or words for one that is not known or not to be shown.
func named(name string, unknown, sensitive phrase.Words) phrase.Phrase {
	switch name {
	case plan.UnknownText:
		return phrase.Say(unknown)
	case plan.SensitiveText:
		return phrase.Say(sensitive)
	}
	return plan.Shown(name)
}

// ownedPhrase names data of a domain.
func ownedPhrase(data, owner string) phrase.Phrase {
	of := domainPhrase(owner)
	switch data {
	case plan.UnknownText:
		return phrase.Say("data of {} that is known after apply", of)
	case plan.SensitiveText:
		return phrase.Say("data of {} that is sensitive", of)
	}
	return phrase.Say("{} of {}", plan.Shown(data), of)
}

// wayWords are what a line at the top and a table say of an access that changes in a way.
type wayWords struct {
	way         string
	line, table phrase.Words
}

// The ways in which an access changes beside those of Change.
const (
	seesMore      = "more"
	seesOther     = "other"
	maySeeOther   = "maybe"
	readsFeatures = "features"
	givenAgain    = "again"
	conditions    = "conditions"
	anotherStays  = "another"
)

// ways are all of them, the most dangerous first.
var ways = []wayWords{
	{gained, "Gains access: {}", "gains access"},
	{seesMore, "Sees more, or may use it more: {}", "sees more"},
	{seesOther, "Sees other data: {}", "sees other data"},
	{maySeeOther, "May see other data: {}", "may see other data"},
	{readsFeatures, "Reads features from another place: {}", "reads from another place"},
	{kept, "Keeps access that this configuration can no longer take away: {}", "stays, no longer managed"},
	{givenAgain, "Loses access until the grant is created again: {}", "is interrupted"},
	{conditions, "May use it under other conditions: {}", "other conditions"},
	{anotherStays, "Another grant of the same data gives access too: {}", "another grant gives it too"},
	{lost, "Loses access, as far as this plan knows: {}", "loses access"},
}

func wayIndex(way string) int {
	return slices.IndexFunc(ways, func(w wayWords) bool { return w.way == way })
}

// tells reports whether somebody who may see data is given more, or other data.
func (a Access) tells() bool {
	return slices.Contains([]string{gained, seesMore, seesOther, maySeeOther, readsFeatures}, a.Way)
}

// The changes of an access.
const (
	gained  = "gained"
	changed = "changed"
	lost    = "lost"
	kept    = "kept"
)

// access reports who may see what before and after the change.
func (b *builder) access() {
	b.accessByGrants()
	b.accessToSources()
	b.accessToFeatures()
	for i := range b.report.Access {
		a := &b.report.Access[i]
		a.Provider, a.subject = b.providerOf(a.Address), b.in(a.Address, a.subject)
	}
	slices.SortStableFunc(b.report.Access, func(x, y Access) int {
		return cmp.Or(
			cmp.Compare(wayIndex(x.Way), wayIndex(y.Way)),
			cmp.Compare(x.Reader, y.Reader), cmp.Compare(x.Owner, y.Owner), cmp.Compare(x.Data, y.Data),
		)
	})
}

// readerOf identifies who may read which data by a grant.
type readerOf struct{ provider, owner, data, reader string }

func newReaderOf(o *plan.Object, v plan.Value) readerOf {
	id := func(attribute string) string { return cmp.Or(v.At(attribute).ID(), v.At(attribute).Text()) }
	return readerOf{provider: o.Provider, owner: id("domain_id"), data: id("domaindata_id"), reader: id("grant_domain")}
}

// accessRow is what a grant gives to a reader before and after the change.
type accessRow struct {
	grant         *plan.Object
	who           readerOf
	before, after phrase.Phrase
	// ends and begins: there is nothing after or before.
	ends, begins bool
	// way and detail are those of an access that stays.
	way    string
	detail phrase.Phrase
}

func (b *builder) accessByGrants() {
	before, after := map[readerOf][]plan.Value{}, map[readerOf]bool{}
	var rows []accessRow
	for _, o := range b.byKind["kuscia_domain_data_grant"] {
		was, is := newReaderOf(o, o.Before), newReaderOf(o, o.After)
		if o.Before.Exists() {
			before[was] = append(before[was], o.Before)
		}
		switch {
		case o.Action == plan.Forget: // stays
			after[was] = true
		case o.After.Exists() && !b.endsWithData(o):
			after[is] = true
		}
		rows = append(rows, b.accessRows(o, was, is)...)
	}
	for _, row := range rows {
		side := row.grant.Before
		if row.begins {
			side = row.grant.After
		}
		a := Access{
			Address: row.grant.Address, Reader: side.At("grant_domain").Text(), Owner: side.At("domain_id").Text(), Data: side.At("domaindata_id").Text(),
			Change: changed, Way: row.way, Before: row.before, After: row.after, detail: row.detail,
		}
		a.subject = ownedPhrase(a.Data, a.Owner)
		switch {
		case row.ends && after[row.who]:
			a.Way, a.After = anotherStays, phrase.Say("none by this grant, another one stays")
			b.retell(row.grant.Address, grantEnds, grantEndsOne)
		case row.begins && len(before[row.who]) > 0:
			b.beginsBeside(row, before[row.who], &a)
		case row.grant.Action == plan.Forget:
			a.Change, a.Way, a.detail = kept, kept, row.before
		case len(before[row.who]) == 0:
			a.Change, a.Way = gained, gained
			a.After = phrase.Join("; ", append([]phrase.Phrase{a.After}, b.contentOf(row.grant)...)...)
			a.detail = a.After
		case !after[row.who]:
			a.Change, a.Way = lost, lost
		}
		b.report.Access = append(b.report.Access, a)
	}
}

// beginsBeside completes the access by a grant that begins while its reader has others of the same
// data: it gives more where its limits are wider than those of each of them, or the data changes.
func (b *builder) beginsBeside(row accessRow, others []plan.Value, a *Access) {
	moved, isMoved := b.movedData[row.grant]
	limits := grantlimit.Compare(others[0], row.grant.After)
	isWider := !slices.ContainsFunc(others, func(other plan.Value) bool { return grantlimit.Covers(other, row.grant.After) })
	switch {
	case isWider || isMoved && onlyMore(moved):
		a.Way = seesMore
		b.retell(row.grant.Address, grantBegins, grantWidens)
	case isMoved:
		a.Way = seesOther
		b.retell(row.grant.Address, grantBegins, grantChanges)
	default:
		a.Way, a.Before = anotherStays, phrase.Say("none by this grant, another one was there")
		b.retell(row.grant.Address, grantBegins, grantChanges)
		return
	}
	var data, beside phrase.Phrase
	if isMoved {
		data = phrase.Say("the data changes: {}", joined(moved))
	}
	if !limits.More && isWider {
		limits.Text, beside = nil, phrase.Say("its uses are added to those of another grant")
	}
	a.Before = grantlimit.Of(others[0])
	a.After = phrase.Join("; ", row.after, limits.Lifted, beside, data)
	a.detail = phrase.Join("; ", limits.Text, beside, data)
}

// retell says of a grant, whose reader has others of the same data, what that makes of its finding.
func (b *builder) retell(address string, from, to findingKind) {
	for _, i := range b.findingsAt[address] {
		if f := &b.report.Findings[i]; f.kind == from {
			f.kind = to
		}
	}
}

// endsWithData reports whether Kuscia deletes a grant with its data, although the plan keeps it.
func (b *builder) endsWithData(o *plan.Object) bool { return o.Action == plan.None && b.withData[o] }

// accessRows are none for a grant that gives what it gave.
func (b *builder) accessRows(o *plan.Object, was, is readerOf) []accessRow {
	none := phrase.Say("none")
	from, to := grantlimit.Of(o.Before), grantlimit.Of(o.After)
	row := accessRow{grant: o, who: was, before: from, after: to}
	moved, isMoved := b.movedData[o]
	removes := b.limitsRemoved(o)
	switch {
	case o.Action == plan.Create:
		return []accessRow{{grant: o, who: is, before: none, after: to, begins: true}}
	case o.Action == plan.Delete:
		return []accessRow{{grant: o, who: was, before: from, after: none, ends: true}}
	case o.Action == plan.Forget:
		row.after = phrase.Say("{}; stays, no longer managed", from)
		return []accessRow{row}
	case o.Action == plan.Update && o.ChangesIdentity(): // what others have changed
		return []accessRow{{grant: o, who: was, before: from, after: none, ends: true}, {grant: o, who: is, before: none, after: to, begins: true}}
	case b.endsWithData(o):
		row.ends, row.after = true, phrase.Say("none: ends with its data, although the plan keeps it")
		return []accessRow{row}
	case !isMoved && len(removes) == 0 && (o.Action == plan.None || o.Action == plan.Update && !changesAccess(o)):
		return nil
	}
	limits := grantlimit.Change(o)
	row.way = conditions
	var again, data phrase.Phrase
	if o.Action == plan.Replace {
		row.way, again = givenAgain, newGrant(o, b.withData[o]).effect()
	}
	if isMoved {
		row.way, data = seesOther, phrase.Say("the data changes: {}", joined(moved))
	}
	if limits.More || len(removes) > 0 || isMoved && onlyMore(moved) {
		row.way = seesMore
	}
	row.detail = phrase.Join("; ", limits.Text, removes, again, data)
	row.after = phrase.Join("; ", to, limits.Lifted, removes, again, data)
	return []accessRow{row}
}

// accessToSources adds what all readers of a data source see otherwise, and of data without a grant
// in the plan.
func (b *builder) accessToSources() {
	for _, d := range b.report.Data {
		if d.Grants > 0 {
			continue
		}
		if d.endsGrants() {
			b.dataEnds(d)
			continue
		}
		a := Access{
			Address: d.Address, Owner: d.Owner, Data: d.Name, Change: changed, Way: seesOther, detail: d.Cause,
			subject: ownedPhrase(d.Name, d.Owner),
		}
		if onlyMore(d.changes) {
			a.Way = seesMore
		}
		a.Before, a.After = phrase.Join(", ", decisiveOf(d.changes, dataChange.saysBefore)...), phrase.Join(", ", decisiveOf(d.changes, dataChange.saysAfter)...)
		if d.isNew {
			a.Before = phrase.Say(notKnown)
		}
		b.report.Access = append(b.report.Access, a)
	}
	told, ended := often{}, often{}
	for i := range b.objects {
		o := &b.objects[i]
		if b.repoints(*o) {
			b.eachSource(o, b.sourcesOf(o), told, b.accessToSource)
		}
		b.eachSource(o, b.endedSources(o), ended, b.accessEnds)
	}
}

// maxOften is the number of objects with one name of which the review lists each reader: there would be more
// rows than the plan has objects.
const maxOften = 5

// often counts objects by what identifies them in a provider configuration.
type often map[[3]string]int

// adds counts an object and reports whether there are more of its name than those with their readers.
func (n often) adds(provider string, id sourceID) bool {
	key := [3]string{provider, id.domain, id.source}
	n[key]++
	return n[key] > maxOften
}

// eachSource tells of each data source what a change of an object, itself or its entry, does to its readers.
// Of a data source or an entry that the plan has too often it is one row for all of them.
func (b *builder) eachSource(o *plan.Object, entries []*entry, known often, tell func(o, source *plan.Object, many *entry)) {
	for _, e := range entries {
		if e.key != "" && known.adds(o.Provider, sourceID{source: e.key}) {
			tell(o, e.sources[0], e)
			continue
		}
		for _, source := range e.sources {
			var many *entry
			if known.adds(source.Provider, sourceOf(source.Latest())) {
				many = newEntry("", source)
			}
			tell(o, source, many)
		}
	}
}

// accessToSource adds what those who read the data of a data source see otherwise: the readers in the
// plan, and those that it does not know. many are the data sources of one row.
func (b *builder) accessToSource(o, source *plan.Object, many *entry) {
	isEntry := o.Kind == "kuscia_config"
	var changes []dataChange
	hidden := false
	from := asChange(*o)
	for _, d := range from.Differences() {
		if !isEntry && !isGranted(from, d) {
			continue
		}
		hidden = hidden || shownDifference(from, d).After == plan.SensitiveText
		changes = append(changes, newDataChange(from, d))
	}
	name, owner := source.Name("datasource_id"), source.Latest().At("domain_id").Text()
	subject := phrase.Say("all data of the data source {} of {}", phrase.Show(name), domainPhrase(owner))
	if source.Kind == "kuscia_config" {
		name = o.Name("key")
		subject = phrase.Say("all data of data sources with the entry {}, which this plan does not have", phrase.Show(name))
	}
	a := Access{
		Address: o.Address, Owner: owner, Data: name, Change: changed, Way: seesOther, what: "source",
		Before: phrase.Join(", ", decisiveOf(changes, dataChange.saysBefore)...), After: phrase.Join(", ", decisiveOf(changes, dataChange.saysAfter)...),
		subject: subject,
	}
	a.detail = phrase.Say("{} instead of {}", a.After, a.Before)
	if from.Action == plan.Create {
		a.Before, a.detail = phrase.Say(notKnown), a.After
	}
	if (hidden || source == o) && isEntry {
		a.Way = maySeeOther
		a.After = phrase.Say("{}; it is hidden whether only a password changes, or the place of the data", a.After)
		a.detail = phrase.Say("the entry {} changes; it is hidden whether only a password changes, or the place of the data", phrase.Show(o.Name("key")))
	}
	if many != nil {
		b.accessOfMany(a, o, many)
		return
	}
	b.accessOf(a, b.dataIn(source, source.Latest()))
}

// accessOf adds a row for each reader of data sources with data, and one for those that the plan does not know.
func (b *builder) accessOf(a Access, in readable) {
	if len(in.data) > 0 {
		a.subject = phrase.Say("{}, in this plan {}", a.subject, phrase.Join(", ", phrase.Values(in.data, 5)...))
	}
	for _, a.Reader = range slices.Concat(in.readers, []string{""}) {
		b.report.Access = append(b.report.Access, a)
	}
}

// accessOfMany adds one row for the readers of data sources of an object of which the plan has too many, for each
// owner of few.
func (b *builder) accessOfMany(a Access, o *plan.Object, many *entry) {
	const more = "{} (the readers in this plan, too)"
	if len(many.sources) == 1 {
		a.subject = phrase.Say(more, a.subject)
		b.report.Access = append(b.report.Access, a)
		return
	}
	a.Data = o.Name("key")
	add := func(owner string, n int, whose phrase.Phrase) {
		a.Owner, a.subject = owner, phrase.Say("all data of {} of {} with the entry {}", phrase.Count(n, "{} data source", "{} data sources"), whose, phrase.Show(a.Data))
		a.subject = phrase.Say(more, a.subject)
		b.report.Access = append(b.report.Access, a)
	}
	if len(many.owners) > maxOften {
		add("", len(many.sources), phrase.Count(len(many.owners), "{} domain", "{} domains"))
		return
	}
	for _, owner := range slices.Sorted(maps.Keys(many.owners)) {
		add(owner, many.owners[owner], domainPhrase(owner))
	}
}

// isRemoved reports whether nothing has the identity of an object any longer.
func isRemoved(o *plan.Object) bool { return o.Action == plan.Delete && !o.Deposed }

// endedSources are the data sources that cannot be read any longer since an object is removed: itself, or
// those that stay and have their access information in it.
func (b *builder) endedSources(o *plan.Object) []*entry {
	isSource := o.Kind == "kuscia_domain_data_source"
	if !isSource && o.Kind != "kuscia_config" || !isRemoved(o) {
		return nil
	}
	if isSource {
		return []*entry{newEntry("", o)}
	}
	if e := b.entryOf(entryID{provider: o.Provider, key: o.Before.At("key").ID(), isKept: true}); e != nil {
		return []*entry{e}
	}
	return nil
}

// accessEnds adds who cannot read the data of a data source any longer: none, if all its data that the
// plan knows is removed too. many are the data sources of one row.
func (b *builder) accessEnds(o, source *plan.Object, many *entry) {
	in := source.After
	a := Access{Address: o.Address, Change: lost, Way: lost, what: "source", Before: phrase.Say("as grants give it")}
	if source == o {
		in, a.detail = source.Before, phrase.Say("the data source is removed")
	} else {
		a.detail = phrase.Say("the entry {} of the data source is removed", phrase.Show(o.Before.At("key").Text()))
	}
	a.After = phrase.Say("none: {}", a.detail)
	a.Owner, a.Data = in.At("domain_id").Text(), in.At("datasource_id").Text()
	a.subject = phrase.Say("all data of the data source {} of {}", plan.Shown(a.Data), domainPhrase(a.Owner))
	if many != nil {
		b.accessOfMany(a, o, many)
		return
	}
	if found := b.dataIn(source, in); len(found.data) > 0 || !b.hadData(source) {
		b.accessOf(a, found)
	}
}

// dataEnds adds that those cannot read data any longer who have grants of other configurations.
func (b *builder) dataEnds(d Data) {
	a := Access{
		Address: d.Address, Owner: d.Owner, Data: d.Name, Change: lost, Way: lost, Before: phrase.Say("as grants give it"),
		subject: ownedPhrase(d.Name, d.Owner), detail: phrase.Say("the data is removed"),
	}
	if d.Action == plan.Replace {
		a.detail = phrase.Say("the data is replaced")
	}
	a.After = phrase.Say("none: {}", a.detail)
	b.report.Access = append(b.report.Access, a)
}

// hadData reports whether the plan has data that was in a data source.
func (b *builder) hadData(source *plan.Object) bool {
	return len(ofProvider(b.uses.wereIn[sourceOf(source.Before)], source.Provider)) > 0
}

// accessToFeatures adds the features that parties of servings read.
func (b *builder) accessToFeatures() {
	for _, w := range b.workloads {
		if !w.Touched() {
			continue
		}
		for _, p := range w.shown() {
			before, after := w.text.Before.Features(p.Domain), w.text.After.Features(p.Domain)
			if p.Action == plan.Create {
				before = ""
			}
			if w.Action == plan.Delete || p.Action == plan.Delete || w.Action == plan.Forget {
				after = ""
			}
			other := w.text.FeatureChanges(p.Domain)
			if before == after && (before == "" || len(other) == 0) || w.Action == plan.Forget {
				continue
			}
			change, way := changed, readsFeatures
			switch {
			case before == "":
				change = gained
			case after == "":
				change, way = lost, lost
			}
			a := Access{
				Address: w.Address, Reader: p.Domain, Owner: p.Domain, Data: w.name, Change: change, Way: way, Before: orNone(before), After: orNone(after),
				what: "features", subject: phrase.Say("features of the serving {}", phrase.Show(w.name)),
			}
			if after != "" {
				a.detail = phrase.Say("its pods ask {}; whose data that is, this review does not know", phrase.Show(after))
			}
			if before == after { // what of them is read changes, or a part that is not shown
				a.After = phrase.Join("; ", append([]phrase.Phrase{a.After}, changesOfText(other)...)...)
			}
			if strings.Contains(after, "http://") {
				a.detail = phrase.Say("its pods ask {}, without encryption; whose data that is, this review does not know", phrase.Show(after))
			}
			b.report.Access = append(b.report.Access, a)
		}
	}
}

// changesOfText are differences of a text, in the part of a domain.
func changesOfText(all []plan.Difference) []phrase.Phrase {
	var changes []phrase.Phrase
	for _, d := range all {
		v := ValueDiff{Differs: true, Pair: plan.Pair{Before: shownText(d.Path, d.Before, nil), After: shownText(d.Path, d.After, nil)}}
		changes = append(changes, phrase.Say("{} {}", phrase.Show(strings.Join(d.Path[2:], ".")), v.Phrase()))
	}
	return phrase.First(changes, maxDataChanges)
}

func orNone(text string) phrase.Phrase {
	if text == "" {
		return phrase.Say("none")
	}
	return phrase.Show(text)
}
