package review

import (
	"cmp"
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
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
	// Effect is one of begins, changes, ends, replaced, redirected, lost, no longer
	// managed, none.
	Effect string `json:"effect"`

	cause     phrase.Phrase
	withData  bool // it is replaced with its data
	stateOnly bool // nothing but its state changes
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
}

// places are the attributes that say where data is.
var places = []string{"datasource_id", "relative_uri"}

// grantEndpoints are the attributes of a grant that say which data it gives to whom.
var grantEndpoints = []string{"domain_id", "domaindata_id", "grant_domain"}

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
		data := newData(o)
		if data == nil {
			continue
		}
		all = append(all, data)
		if id, ok := dataOf(o.Before); ok {
			byID[id] = append(byID[id], data)
		}
	}
	for _, o := range b.byKind["kuscia_domain_data_grant"] {
		lost, gives := false, o.Action != plan.Delete && !o.Redirected(grantEndpoints...)
		for _, data := range dataOfGrant(o, byID) {
			if data.Action != plan.Update || gives {
				data.Grants++
			}
			lost = lost || data.Action != plan.Update
		}
		if g := newGrant(o, lost); g.Effect != "none" {
			b.report.Grants = append(b.report.Grants, g)
			b.findGrant(g)
		}
	}
	for _, data := range all {
		b.report.Data = append(b.report.Data, *data)
		b.findData(*data)
	}
}

// dataOfGrant is the data that a grant gives before the change: that of its provider
// configuration, else each that may be it.
func dataOfGrant(o *plan.Object, byID map[dataID][]*Data) []*Data {
	id, ok := dataOf(o.Before)
	if !ok {
		return nil
	}
	var possible []*Data
	for _, data := range byID[id] {
		switch plan.SameProvider(o.Provider, data.provider) {
		case plan.Yes:
			return []*Data{data}
		case plan.Maybe:
			possible = append(possible, data)
		}
	}
	return possible
}

// newData is nil for data whose grants stay as they are.
func newData(o *plan.Object) *Data {
	data := &Data{Address: o.Address, Action: o.Action, Owner: o.Before.At("domain_id").Text(), Cause: o.Cause(), provider: o.Provider}
	data.Name = cmp.Or(o.Before.At("domaindata_id").Text(), o.Address)
	switch {
	case o.Action == plan.Replace, o.Action == plan.Delete:
		return data
	case o.Action != plan.Update:
		return nil
	}
	var moves []phrase.Phrase
	for _, place := range places {
		if o.Changes(place) {
			moves = append(moves, phrase.Concat(phrase.Show(place), phrase.Say(" "), o.Both(place).Phrase()))
		}
	}
	if data.Cause = phrase.Join(", ", moves...); len(data.Cause) == 0 {
		return nil
	}
	return data
}

// besidePlace are the attributes of a data source that do not say where its data is.
var besidePlace = []string{
	"id", "name", "database.password", "database.password_wo_version",
	"oss.access_key_id", "oss.access_key_id_wo_version", "oss.access_key_secret", "oss.access_key_secret_wo_version",
	"odps.access_key_id", "odps.access_key_id_wo_version", "odps.access_key_secret", "odps.access_key_secret_wo_version",
}

// repoints reports whether a change of a data source, or of the entry that has its access
// information, makes other data of what is in it.
func (b *builder) repoints(o plan.Object) bool {
	if o.Action != plan.Update && o.Action != plan.Replace {
		return false
	}
	switch o.Kind {
	case "kuscia_domain_data_source":
		return o.ChangesBeside(slices.Concat(plan.OnlyInState, besidePlace)...)
	case "kuscia_config":
		return slices.ContainsFunc(b.byKind["kuscia_domain_data_source"], func(source *plan.Object) bool {
			key := source.Before.At("info_key").ID()
			return key != "" && key == o.Before.At("key").ID() && plan.SameProvider(source.Provider, o.Provider) != plan.No
		})
	}
	return false
}

func newGrant(o *plan.Object, withData bool) Grant {
	g := Grant{
		Address: o.Address, Action: o.Action, Data: o.Both("domaindata_id"), Owner: o.Both("domain_id"), Reader: o.Both("grant_domain"),
		Until: o.Both("limit", "expiration_time"), Uses: o.Both("limit", "use_count"), Limits: limitsOf(o), Effect: "none", cause: o.Cause(), withData: withData,
	}
	switch o.Action {
	case plan.Create:
		g.Effect = "begins"
	case plan.Update:
		g.Effect, g.Changed, g.stateOnly = "changes", plan.ChangedPaths(o.Before, o.After, 6), !o.Sends() && !withData
	case plan.Replace:
		g.Effect = "replaced"
		if o.Redirected(grantEndpoints...) {
			g.Effect = "redirected"
		}
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
		all = append(all, phrase.Join(" ", phrase.Say(name), limit))
	}
	return phrase.Join(", ", all...)
}

// phrase says what happens to a grant, and how it is limited.
func (g Grant) phrase() phrase.Phrase {
	if len(g.Limits) == 0 {
		return g.effect()
	}
	return phrase.Concat(g.effect(), phrase.Say("; limited to "), g.Limits)
}

func (g Grant) effect() phrase.Phrase {
	switch g.Effect {
	case "changes":
		if len(g.Changed) == 0 {
			return phrase.Say("changes")
		}
		return phrase.Concat(phrase.Say("changes: "), phrase.Join(", ", phrase.Values(g.Changed, 5)...))
	case "lost":
		return phrase.Say("ends with its data, although the plan keeps it")
	case "replaced":
		if g.withData {
			return phrase.Say("ends and begins again, with its data")
		}
		if len(g.cause) > 0 {
			return phrase.Concat(phrase.Say("ends and begins again, because of "), g.cause)
		}
		return phrase.Say("ends and begins again")
	case "redirected":
		if len(g.cause) > 0 {
			return phrase.Concat(phrase.Say("ends, and another begins, because of "), g.cause)
		}
		return phrase.Say("ends, and another begins")
	case "no longer managed":
		return phrase.Say("stays, no longer managed")
	}
	return phrase.Say(grantWords[g.Effect])
}

var grantWords = map[string]phrase.Words{"begins": "begins", "ends": "ends"}

func (b *builder) findGrant(g Grant) {
	of := func(data, reader string) phrase.Phrase {
		return phrase.Concat(phrase.Say("of "), plan.Shown(data), phrase.Say(" to "), plan.Shown(reader))
	}
	f := Finding{Address: g.Address, Effect: g.phrase(), subject: of(g.Data.Latest(), g.Reader.Latest())}
	if g.stateOnly {
		f.kind = otherChanged
		b.find(f)
		return
	}
	switch g.Effect {
	case "begins":
		f.kind, f.Categories = grantBegins, []Category{Granted}
	case "changes":
		f.kind, f.Categories = grantChanges, []Category{Granted}
	case "replaced":
		f.kind, f.Categories = grantChanges, []Category{Granted, Replaced}
	case "redirected":
		ends := f
		ends.kind, ends.Categories, ends.subject = grantEnds, []Category{Revoked, Replaced}, of(g.Data.Before, g.Reader.Before)
		b.find(ends)
		f.kind, f.Categories = grantBegins, []Category{Granted}
	case "ends":
		f.kind, f.Categories = grantEnds, []Category{Revoked, Destroy}
	case "lost":
		f.kind, f.Categories = grantEnds, []Category{Revoked}
	default:
		f.kind, f.Categories, f.subject = otherForgotten, []Category{Forgotten}, phrase.Show(g.Address)
	}
	b.find(f)
}

// findData adds what happens to data. The grants of data may be in other configurations, so
// that of any data counts as one of granted data.
func (b *builder) findData(d Data) {
	f := Finding{Address: d.Address, kind: dataReplaced, Categories: []Category{Replaced, Revoked}, Effect: d.phrase(), subject: plan.Shown(d.Name)}
	switch d.Action {
	case plan.Delete:
		f.kind, f.Categories = dataRemoved, []Category{Destroy, Revoked}
	case plan.Update:
		f.kind, f.Categories = dataMoved, []Category{Granted}
	}
	b.find(f)
}

// phrase says what happens to data.
func (d Data) phrase() phrase.Phrase {
	if d.Action == plan.Update {
		text := phrase.Concat(phrase.Say("becomes other data: "), d.Cause, phrase.Say("; "))
		if d.Grants == 0 {
			return phrase.Concat(text, phrase.Say("any grants of other configurations give it"))
		}
		return phrase.Concat(text, phrase.Count(d.Grants, "grant gives", "grants give"), phrase.Say(" it"))
	}
	text := phrase.Say("removed")
	if d.Action == plan.Replace {
		text = phrase.Say("replaced")
		if len(d.Cause) > 0 {
			text = phrase.Concat(phrase.Say("replaced, because of "), d.Cause)
		}
	}
	if d.Grants == 0 {
		return phrase.Concat(text, phrase.Say("; any grants of other configurations end with it"))
	}
	return phrase.Concat(text, phrase.Say("; takes "), phrase.Count(d.Grants, "grant", "grants"), phrase.Say(" with it"))
}
