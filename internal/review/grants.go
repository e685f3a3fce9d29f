package review

import (
	"cmp"
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/category"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/grantlimit"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/place"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/plan"
)

// Grant is a kuscia_domain_data_grant that changes, or ends with its data.
type Grant struct {
	Address string      `json:"address"`
	Action  plan.Action `json:"action"`
	Data    plan.Pair   `json:"data"`
	Owner   plan.Pair   `json:"owner"`
	Reader  plan.Pair   `json:"reader"`
	// Until is the time at which it ends, Uses how often it may be used; "" for no
	// limit.
	Until plan.Pair `json:"until"`
	Uses  plan.Pair `json:"uses"`
	// Limits are the other limits.
	Limits phrase.Phrase `json:"limits"`
	// Changed are the attributes that change in place.
	Changed List[string] `json:"changed"`
	// Effect is one of begins, changes, ends, replaced, lost, no longer managed, none.
	Effect string `json:"effect"`

	title      phrase.Phrase
	cause      phrase.Phrase
	withData   bool // it is replaced with its data
	sameAccess bool // nothing changes of who may read what
	widens     bool // a limit is lifted or raised
	// removes are limits that no plan shows and that may be removed.
	removes phrase.Phrase
}

// Data is a kuscia_domain_data that is replaced or deleted, with which Kuscia
// deletes its grants, or that becomes other data.
type Data struct {
	Address string      `json:"address"`
	Action  plan.Action `json:"action"`
	Name    string      `json:"name"`
	Owner   string      `json:"owner"`
	// Grants is the number of grants in the plan that end with it, or give the other data.
	// Other configurations may have more.
	Grants int           `json:"grants"`
	Cause  phrase.Phrase `json:"cause"`

	provider string
	subject  phrase.Phrase
	changes  []dataChange
	isNew    bool // what was there before is not known
}

// dataID identifies the data of a domain.
type dataID struct{ domain, data string }

// dataOf identifies data, or that of a grant; ok is false if it cannot.
func dataOf(v plan.Value) (id dataID, ok bool) {
	id = dataID{domain: v.At("domain_id").ID(), data: v.At("domaindata_id").ID()}
	return id, id.domain != "" && id.data != ""
}

// grants reports grants, and data that take grants with them or become other data.
func (b *builder) grants() {
	byID := map[dataID][]*Data{}
	var all []*Data
	for _, o := range b.byKind["kuscia_domain_data"] {
		data := b.newData(o)
		if data == nil {
			continue
		}
		all = append(all, data)
		side := o.Before
		if o.Action == plan.Create {
			side = o.After
		}
		if id, ok := dataOf(side); ok {
			byID[id] = append(byID[id], data)
		}
	}
	given := map[dataOfProvider]*givenData{}
	of := func(o *plan.Object, side plan.Value) *givenData {
		id, ok := dataOf(side)
		key := dataOfProvider{o.Provider, id}
		if ok && given[key] == nil {
			given[key] = newGivenData(byID[id], o.Provider)
		}
		return cmp.Or(given[key], &givenData{})
	}
	for _, o := range b.byKind["kuscia_domain_data_grant"] {
		was := of(o, o.Before)
		if was.grants++; o.Action != plan.Delete {
			was.gives++
		}
		if moved := of(o, o.After).changes; len(moved) > 0 {
			b.movedData[o] = moved
		}
		lost := was.ends
		b.withData[o] = lost
		g := newGrant(o, lost)
		g.removes = b.limitsRemoved(o)
		if g.Effect != "none" {
			b.report.Grants = append(b.report.Grants, g)
			b.findGrant(g)
		}
	}
	for _, g := range given {
		g.count()
	}
	for _, data := range all {
		data.subject = b.in(data.Address, phrase.Say("{} of {}", plan.Shown(data.Name), domainPhrase(data.Owner)))
		b.report.Data = append(b.report.Data, *data)
		b.findData(*data)
	}
}

// dataOfProvider identifies what grants of a provider configuration give.
type dataOfProvider struct {
	provider string
	dataID
}

// givenData is the data that grants give, which many grants may give: that of their provider configuration, else each
// that may be it.
type givenData struct {
	possible []*Data
	// ends: Kuscia deletes the grants of some of it.
	ends    bool
	changes []dataChange
	// grants are those that gave it, and gives those that go on.
	grants, gives int
}

func newGivenData(all []*Data, provider string) *givenData {
	g := &givenData{}
	for _, data := range all {
		same := plan.SameProvider(provider, data.provider)
		if same == plan.Yes {
			g.possible = []*Data{data}
			break
		}
		if same == plan.Maybe {
			g.possible = append(g.possible, data)
		}
	}
	for _, data := range g.possible {
		g.ends = g.ends || data.endsGrants()
		if len(data.changes) > 0 {
			g.changes = data.changes
		}
	}
	return g
}

// count adds the grants to the data.
func (g *givenData) count() {
	for _, data := range g.possible {
		if data.endsGrants() {
			data.Grants += g.grants
		} else {
			data.Grants += g.gives
		}
	}
}

// endsGrants reports whether Kuscia deletes the grants of the data.
func (d Data) endsGrants() bool { return d.Action == plan.Delete || d.Action == plan.Replace }

// newData is nil for data whose grants stay as they are.
func (b *builder) newData(o *plan.Object) *Data {
	latest := o.Before
	if o.Action == plan.Create {
		latest = o.After
	}
	data := &Data{Address: o.Address, Action: o.Action, Owner: latest.At("domain_id").Text(), Cause: o.Cause(), provider: o.Provider}
	data.Name = cmp.Or(latest.At("domaindata_id").Text(), o.Address)
	switch {
	case o.Action == plan.Replace:
		data.changes = append(otherData(*o), b.dataRemoved(o)...)
		return data
	case data.endsGrants():
		return data
	case !b.alters(*o):
		return nil
	}
	from := asChange(*o)
	data.changes, data.isNew = append(dataChanges(from), b.dataRemoved(o)...), from.Action == plan.Create
	if data.Cause = joined(data.changes); len(data.Cause) == 0 {
		return nil
	}
	return data
}

// dataRemoved is what a change of data may remove of how it is read.
func (b *builder) dataRemoved(o *plan.Object) []dataChange {
	r := b.removalBy(o)
	if len(r.fields) == 0 {
		return nil
	}
	return []dataChange{{attribute: "allow_removal_of", weight: place.How, text: r.phrase(), before: phrase.Say("{} as it is", r.list()), after: r.phrase()}}
}

// otherData are the changes of data that is created again, nil if it is the same described in another
// way.
func otherData(o plan.Object) []dataChange {
	all := dataChanges(o)
	isOther := func(c dataChange) bool { return c.attribute != "type" && c.attribute != "file_format" }
	if !slices.ContainsFunc(all, isOther) {
		return nil
	}
	return all
}

// dataChange is a change of what can be read of data, or what of it is there.
type dataChange struct {
	attribute           string
	weight              place.Weight
	text, before, after phrase.Phrase
	// more: nothing is taken or moved.
	more bool
}

// newDataChange is that of a difference of an object.
func newDataChange(o plan.Object, d plan.Difference) dataChange {
	v := shownDifference(o, d)
	name := phrase.Show(v.Path)
	return dataChange{
		attribute: d.Path[0], weight: place.Of(d.Path),
		text: phrase.Say("{} {}", name, v.Phrase()), before: phrase.Say("{} {}", name, v.before()), after: phrase.Say("{} {}", name, v.after()),
	}
}

func (c dataChange) saysText() phrase.Phrase { return c.text }

func (c dataChange) saysBefore() phrase.Phrase { return c.before }

func (c dataChange) saysAfter() phrase.Phrase { return c.after }

// maxDataChanges is the number of changes of data that are named. Those that say where it is, and its columns,
// all are.
const maxDataChanges = 6

// decisiveOf is what changes say, where the data is first.
func decisiveOf(changes []dataChange, says func(dataChange) phrase.Phrase) []phrase.Phrase {
	changes = slices.Clone(changes)
	slices.SortStableFunc(changes, func(x, y dataChange) int { return cmp.Compare(x.weight, y.weight) })
	var all []phrase.Phrase
	decisive := 0
	for _, c := range changes {
		all = append(all, says(c))
		if c.weight <= place.Columns {
			decisive++
		}
	}
	return phrase.First(all, max(maxDataChanges, decisive))
}

func joined(changes []dataChange) phrase.Phrase {
	return phrase.Join(", ", decisiveOf(changes, dataChange.saysText)...)
}

func onlyMore(changes []dataChange) bool {
	return !slices.ContainsFunc(changes, func(c dataChange) bool { return !c.more })
}

// dataChanges are the changes of what can be read of data: where it is, its columns, and how they
// are read.
func dataChanges(o plan.Object) []dataChange {
	var all []dataChange
	saidColumns := false
	for _, d := range o.Differences() {
		if !isGranted(o, d) {
			continue
		}
		if d.Path[0] == "columns" {
			if !saidColumns {
				all = append(all, columnChange(o))
			}
			saidColumns = true
			continue
		}
		all = append(all, newDataChange(o, d))
	}
	return all
}

// asChange is an object that takes over another one as a change of that. One that the plan forgets was not
// read, and is known only if what can be read changes.
func asChange(o plan.Object) plan.Object {
	from := o.AsChange()
	if o.WasRemoved() || slices.ContainsFunc(from.Differences(), func(d plan.Difference) bool { return isGranted(from, d) }) {
		return from
	}
	return o
}

// isGranted reports whether a difference of an object decides what can be read; of a new one not what
// identifies it.
func isGranted(o plan.Object, d plan.Difference) bool {
	if o.Action == plan.Create && (slices.Contains(plan.Identity(o.Kind), d.Path[0]) || plan.IsUnset(d.After)) {
		return false
	}
	categories, ok := category.Of(o.Kind, d.Path, d.After.Unknown == true)
	return !ok || slices.Contains(categories, category.Granted)
}

// changesAccess reports whether a difference of an object decides who can read what.
func changesAccess(o *plan.Object) bool {
	return slices.ContainsFunc(o.Differences(), func(d plan.Difference) bool { return isGranted(*o, d) })
}

// columnChange is what changes of the columns: those that can be read in addition, or no longer.
func columnChange(o plan.Object) dataChange {
	before, after := dataColumns(o.Before), dataColumns(o.After)
	counted := func(list []column) map[string]int {
		counts := map[string]int{}
		for _, c := range list {
			counts[c.name]++
		}
		return counts
	}
	were, are := counted(before), counted(after)
	more := only(after, func(c column) bool { return were[c.name] == 0 })
	fewer := only(before, func(c column) bool { return are[c.name] == 0 })
	var repeated []column // those of which there is another number
	for _, c := range after {
		if were[c.name] > 0 && were[c.name] != are[c.name] {
			repeated, were[c.name] = append(repeated, c), 0
		}
	}
	c := dataChange{weight: place.Columns, before: phrase.Say("columns {}", columnList(before)), after: phrase.Say("columns {}", columnList(after))}
	switch {
	case o.After.At("columns").IsUnknown():
		c.text, c.after = phrase.Say("columns that are known after apply"), phrase.Say("columns that are known after apply")
	case len(more)+len(fewer) == 0 && len(repeated) > 0:
		c.text = phrase.Say("another number of the columns {}", columnList(repeated))
	case len(more)+len(fewer) == 0:
		c.text = phrase.Say("the same columns, described in another way")
	case len(fewer) == 0:
		c.text, c.more = phrase.Say("new columns {}", columnList(more)), true
	case len(more) == 0:
		c.text = phrase.Say("without the columns {}", columnList(fewer))
	default:
		c.text = phrase.Say("new columns {}, without the columns {}", columnList(more), columnList(fewer))
	}
	return c
}

// column is one of data, by its name and by what may be shown of that.
type column struct{ name, shown string }

// columnList names columns.
func columnList(columns []column) phrase.Phrase {
	var names []phrase.Phrase
	for _, c := range columns {
		names = append(names, plan.Shown(c.shown))
	}
	return phrase.Names(", ", names...)
}

func dataColumns(v plan.Value) []column {
	columns := v.At("columns")
	var all []column
	for _, key := range columns.AllKeys() {
		name := columns.At(key, "name")
		all = append(all, column{cmp.Or(name.ID(), name.Text()), name.Text()})
	}
	return all
}

// repoints reports whether a change of a data source, or of the entry that has its access
// information, makes other data of what is in it.
func (b *builder) repoints(o plan.Object) bool {
	isSource := o.Kind == "kuscia_domain_data_source" || o.Kind == "kuscia_config"
	return isSource && b.alters(o) && slices.Contains(b.attributeCategories(o), category.Granted)
}

func newGrant(o *plan.Object, withData bool) Grant {
	g := Grant{
		Address: o.Address, Action: o.Action, Data: o.Both("domaindata_id"), Owner: o.Both("domain_id"), Reader: o.Both("grant_domain"),
		Until: o.Both("limit", "expiration_time"), Uses: o.Both("limit", "use_count"), Limits: limitsOf(o), Effect: "none", title: o.Title(), cause: o.Cause(), withData: withData,
	}
	g.widens = grantlimit.Change(o).More
	switch o.Action {
	case plan.Create:
		g.Effect = "begins"
	case plan.Update:
		g.Effect, g.Changed, g.sameAccess = "changes", plan.ChangedPaths(o.Before, o.After, 6), !changesAccess(o) && !withData
	case plan.Replace:
		g.Effect = "replaced"
	case plan.Delete:
		g.Effect = "ends"
	case plan.Forget:
		g.Effect = "no longer managed"
	case plan.None:
		if withData {
			g.Effect = "lost"
		}
	}
	return g
}

// limitsOf are the limits of a grant beside its end and the number of uses. The
// configuration to which one is limited is not shown, as that of a serving.
func limitsOf(o *plan.Object) phrase.Phrase {
	var all []phrase.Phrase
	for _, name := range []phrase.Words{"components", "flow_id", "initiator", "input_config"} {
		p := o.Both("limit", string(name))
		for _, text := range []*string{&p.Before, &p.After} {
			if *text == "[]" {
				*text = ""
			}
		}
		limit := p.Of(o.Action)
		switch {
		case len(limit) == 0:
			continue
		case name == "input_config" && p.After == "" && o.Action != plan.Delete:
			limit = phrase.Say("→ none")
		case name == "input_config":
			limit = nil
		}
		all = append(all, phrase.Say("{} {}", phrase.Say(name), limit))
	}
	return phrase.Join(", ", all...)
}

// phrase says what happens to a grant, and how it is limited.
func (g Grant) phrase() phrase.Phrase {
	if len(g.Limits) == 0 {
		return g.effect()
	}
	return phrase.Say("{}; limited to {}", g.effect(), g.Limits)
}

func (g Grant) effect() phrase.Phrase {
	switch {
	case g.Effect == "changes" && len(g.Changed) > 0:
		return phrase.Say("changes: {}", phrase.Join(", ", phrase.Values(g.Changed, 5)...))
	case g.Effect == "replaced" && g.withData:
		return phrase.Say("deleted and created again, with its data")
	case g.Effect == "replaced" && len(g.cause) > 0:
		return phrase.Say("deleted and created again, because of {}", g.cause)
	case g.Effect == "ends" && len(g.cause) > 0:
		return phrase.Say("ends, because of {}", g.cause)
	}
	return phrase.Say(grantWords[g.Effect])
}

var grantWords = map[string]phrase.Words{
	"begins": "begins", "ends": "ends", "changes": "changes", "lost": "ends with its data, although the plan keeps it", "replaced": "deleted and created again",
	"no longer managed": "stays, no longer managed",
}

// limitsRemoved are what a change of a grant may remove of what decides who may read what, nil for nothing.
func (b *builder) limitsRemoved(o *plan.Object) phrase.Phrase {
	if r := b.removalBy(o); r.ofAccess() {
		return r.phrase()
	}
	return nil
}

func (b *builder) findGrant(g Grant) {
	of := func(data, reader string) phrase.Phrase {
		return b.in(g.Address, phrase.Say("{} to {}", readerPhrase(reader), dataPhrase(data)))
	}
	f := Finding{Address: g.Address, Effect: phrase.Join("; ", g.phrase(), g.removes), subject: of(g.Data.Latest(), g.Reader.Latest())}
	if g.sameAccess && len(g.removes) == 0 {
		f.kind, f.subject = otherChanged, g.title
		b.find(f)
		return
	}
	switch g.Effect {
	case "begins":
		f.kind, f.Categories = grantBegins, []category.Category{category.Granted}
	case "changes":
		f.kind, f.Categories = grantChanges, []category.Category{category.Granted}
	case "replaced":
		f.kind, f.Categories = grantAgain, []category.Category{category.Granted, category.Replaced}
	case "ends":
		f.kind, f.Categories = grantEnds, []category.Category{category.Revoked, category.Destroy}
	case "lost":
		f.kind, f.Categories = grantEnds, []category.Category{category.Revoked}
	default:
		f.kind, f.Categories = grantForgotten, []category.Category{category.Forgotten}
	}
	switch stays := f.kind == grantChanges || f.kind == grantAgain; {
	case stays && g.widens:
		f.kind = grantWidens
	case stays && len(g.removes) > 0:
		f.kind = grantMayWiden
	}
	b.find(f)
}

// findData adds what happens to data. The grants of data may be in other configurations, so
// that of any data counts as one of granted data.
func (b *builder) findData(d Data) {
	f := Finding{Address: d.Address, kind: dataReplaced, Categories: []category.Category{category.Replaced, category.Revoked}, Effect: d.phrase(), subject: b.in(d.Address, plan.Shown(d.Name))}
	switch d.Action {
	case plan.Delete:
		f.kind, f.Categories = dataRemoved, []category.Category{category.Destroy, category.Revoked}
	case plan.Create, plan.Update:
		f.kind, f.Categories = dataMoved, []category.Category{category.Granted}
		if onlyMore(d.changes) {
			f.kind = dataWidens
		}
	}
	b.find(f)
}

// phrase says what happens to data.
func (d Data) phrase() phrase.Phrase {
	switch {
	case !d.endsGrants() && d.Grants == 0:
		return phrase.Say("changes: {}; who reads it by grants of other configurations is not known here", d.Cause)
	case !d.endsGrants():
		return phrase.Say("changes: {}; {}", d.Cause, phrase.Count(d.Grants, "{} grant gives it", "{} grants give it"))
	}
	text := phrase.Say(actionWords[d.Action])
	if len(d.Cause) > 0 {
		text = phrase.Say("{}, because of {}", text, d.Cause)
	}
	if d.Grants == 0 {
		return phrase.Say("{}; grants of other configurations end with it, which are not known here", text)
	}
	return phrase.Say("{}; {}", text, phrase.Count(d.Grants, "{} grant ends with it", "{} grants end with it"))
}
