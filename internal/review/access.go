package review

import (
	"cmp"
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/category"
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
	// Change is one of gained, changed, lost, kept.
	Change string        `json:"change"`
	Before phrase.Phrase `json:"before"`
	After  phrase.Phrase `json:"after"`

	// subject is the data in words, and what tells data, data sources and features apart.
	subject phrase.Phrase
	what    string
}

// readerPhrase names a reader.
func readerPhrase(name string) phrase.Phrase {
	if name == "" {
		return phrase.Say("whoever has a grant")
	}
	return plan.Shown(name)
}

// The changes of an access, the first first in a review.
var accessChanges = []string{gained, changed, lost, kept}

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
	slices.SortStableFunc(b.report.Access, func(x, y Access) int {
		return cmp.Or(
			cmp.Compare(slices.Index(accessChanges, x.Change), slices.Index(accessChanges, y.Change)),
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

// redirects reports whether a grant gives other data, or to another reader, as a replacement or as
// what others have changed.
func redirects(o *plan.Object) bool {
	return (o.Action == plan.Replace || o.Action == plan.Update) && slices.ContainsFunc(grantEndpoints, func(end string) bool { return o.Changes(end) })
}

// accessRow is what a grant gives to a reader before and after the change.
type accessRow struct {
	grant         *plan.Object
	who           readerOf
	before, after phrase.Phrase
	// ends and begins: there is nothing after or before.
	ends, begins bool
}

func (b *builder) accessByGrants() {
	before, after := map[readerOf]bool{}, map[readerOf]bool{}
	var rows []accessRow
	for _, o := range b.byKind["kuscia_domain_data_grant"] {
		was, is := newReaderOf(o, o.Before), newReaderOf(o, o.After)
		if o.Before.Exists() {
			before[was] = true
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
			Change: changed, Before: row.before, After: row.after,
		}
		a.subject = phrase.Say("{} of {}", plan.Shown(a.Data), plan.Shown(a.Owner))
		switch {
		case row.ends && after[row.who]:
			a.After = phrase.Say("none by this grant, another one stays")
		case row.begins && before[row.who]:
			a.Before = phrase.Say("none by this grant, another one was there")
		case row.grant.Action == plan.Forget:
			a.Change = kept
		case !before[row.who]:
			a.Change = gained
		case !after[row.who]:
			a.Change = lost
		}
		b.report.Access = append(b.report.Access, a)
	}
}

// endsWithData reports whether Kuscia deletes a grant with its data, although the plan keeps it.
func (b *builder) endsWithData(o *plan.Object) bool { return o.Action == plan.None && b.withData[o] }

// accessRows are none for a grant that gives what it gave.
func (b *builder) accessRows(o *plan.Object, was, is readerOf) []accessRow {
	none := phrase.Say("none")
	from, to := grantedBy(o.Before), grantedBy(o.After)
	row := accessRow{grant: o, who: was, before: from, after: to}
	moved := b.movedData[o]
	switch {
	case o.Action == plan.Create:
		return []accessRow{{grant: o, who: is, before: none, after: to, begins: true}}
	case o.Action == plan.Delete:
		return []accessRow{{grant: o, who: was, before: from, after: none, ends: true}}
	case o.Action == plan.Forget:
		row.after = phrase.Say("{}; stays, no longer managed", from)
	case redirects(o):
		return []accessRow{{grant: o, who: was, before: from, after: none, ends: true}, {grant: o, who: is, before: none, after: to, begins: true}}
	case o.Action == plan.Replace:
		row.after = phrase.Say("{}; {}", to, newGrant(o, b.withData[o]).effect())
	case b.endsWithData(o):
		row.ends, row.after = true, phrase.Say("none: ends with its data, although the plan keeps it")
	case len(moved) == 0 && (o.Action == plan.None || !o.Sends()):
		return nil
	}
	if len(moved) > 0 {
		row.after = phrase.Say("{}; the data changes: {}", row.after, moved)
	}
	return []accessRow{row}
}

// grantedBy is what a grant gives; "none" without one.
func grantedBy(v plan.Value) phrase.Phrase {
	if !v.Exists() {
		return phrase.Say("none")
	}
	limit := v.At("limit")
	if limit.IsUnknown() {
		return phrase.Say("known after apply")
	}
	all := []phrase.Phrase{phrase.Say("no end")}
	if until := limit.At("expiration_time"); until.Exists() {
		all[0] = phrase.Say("until {}", plan.Shown(until.Text()))
	}
	switch uses := limit.At("use_count"); {
	case uses.IsUnknown():
		all = append(all, phrase.Say("uses: {}", plan.Shown(uses.Text())))
	case uses.Raw == 1.0:
		all = append(all, phrase.Say("once"))
	case uses.Exists() && uses.Raw != 0.0:
		all = append(all, phrase.Say("{} times", plan.Shown(uses.Text())))
	}
	for _, name := range []string{"components", "flow_id", "initiator", "input_config"} {
		value := limit.At(name)
		if isEmpty := isUnset(value) || len(value.AllKeys()) == 0 && value.Text() == "[]"; isEmpty {
			continue
		}
		if name == "input_config" && !value.IsSensitive() && !value.IsUnknown() { // is not shown, as that of a serving
			all = append(all, phrase.Say("one configuration"))
			continue
		}
		all = append(all, phrase.Say("{} {}", phrase.Show(name), plan.Shown(value.Text())))
	}
	return phrase.Join(", ", all...)
}

// accessToSources adds what all readers of a data source see otherwise, and of data without a grant
// in the plan.
func (b *builder) accessToSources() {
	for _, d := range b.report.Data {
		if d.Action != plan.Update || d.Grants > 0 {
			continue
		}
		b.report.Access = append(b.report.Access, Access{
			Address: d.Address, Owner: d.Owner, Data: d.Name, Change: changed, Before: phrase.Say("any grants of other configurations"), After: d.Cause,
			subject: phrase.Say("{} of {}", plan.Shown(d.Name), plan.Shown(d.Owner)),
		})
	}
	for i := range b.objects {
		o := &b.objects[i]
		if !b.repoints(*o) {
			continue
		}
		name, owner := o.Name("datasource_id", "key"), o.Latest().At("domain_id").Text()
		var before, after []phrase.Phrase
		for _, d := range o.Differences() {
			if categories, ok := category.Of(o.Kind, d.Path, false); ok && !slices.Contains(categories, category.Granted) && o.Kind != "kuscia_config" {
				continue
			}
			v := shownDifference(*o, d)
			before, after = append(before, phrase.Say("{} {}", phrase.Show(v.Path), v.before())), append(after, phrase.Say("{} {}", phrase.Show(v.Path), v.after()))
		}
		b.report.Access = append(b.report.Access, Access{
			Address: o.Address, Owner: owner, Data: name, Change: changed,
			Before: phrase.Join(", ", phrase.First(before, 4)...), After: phrase.Join(", ", phrase.First(after, 4)...), what: "source", subject: phrase.Say("all data of the data source {}", phrase.Show(name)),
		})
	}
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
			if before == after || w.Action == plan.Forget {
				continue
			}
			change := changed
			switch {
			case before == "":
				change = gained
			case after == "":
				change = lost
			}
			b.report.Access = append(b.report.Access, Access{
				Address: w.Address, Reader: p.Domain, Owner: p.Domain, Data: w.name, Change: change, Before: orNone(before), After: orNone(after),
				what: "features", subject: phrase.Say("features of the serving {}", phrase.Show(w.name)),
			})
		}
	}
}

func orNone(text string) phrase.Phrase {
	if text == "" {
		return phrase.Say("none")
	}
	return phrase.Show(text)
}
