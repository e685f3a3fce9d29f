package review

import (
	"cmp"
	"slices"
)

// Grant is a kuscia_domain_data_grant that changes, or ends with its data.
type Grant struct {
	Address string `json:"address"`
	Action  Action `json:"action"`
	Data    Pair   `json:"data"`
	Owner   Pair   `json:"owner"`
	Reader  Pair   `json:"reader"`
	// Until is the time at which it ends, Uses how often it may be used; "" for no
	// limit.
	Until Pair `json:"until"`
	Uses  Pair `json:"uses"`
	// Limits are the other limits.
	Limits phrase `json:"limits"`
	// Changed are the attributes that change in place.
	Changed List[string] `json:"changed"`
	// Effect is one of begins, changes, ends, replaced, redirected, lost, no longer
	// managed, none.
	Effect string `json:"effect"`

	cause     phrase
	withData  bool // it is replaced with its data
	stateOnly bool // nothing but its state changes
}

// Data is a kuscia_domain_data that is replaced or deleted, with which Kuscia
// deletes its grants, or that becomes other data.
type Data struct {
	Address string `json:"address"`
	Action  Action `json:"action"`
	Name    string `json:"name"`
	Owner   string `json:"owner"`
	// Grants is the number of grants in the plan that end with it, or give the other data.
	// Other configurations may have more.
	Grants int    `json:"grants"`
	Cause  phrase `json:"cause"`

	provider string
}

// places are the attributes that say where data is.
var places = []string{"datasource_id", "relative_uri"}

// grantEndpoints are the attributes of a grant that say which data it gives to whom.
var grantEndpoints = []string{"domain_id", "domaindata_id", "grant_domain"}

// dataID identifies the data of a domain.
type dataID struct{ domain, data string }

// dataOf identifies data, or that of a grant; ok is false if it cannot.
func dataOf(v value) (id dataID, ok bool) {
	id = dataID{domain: v.at("domain_id").id(), data: v.at("domaindata_id").id()}
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
		if id, ok := dataOf(o.before); ok {
			byID[id] = append(byID[id], data)
		}
	}
	for _, o := range b.byKind["kuscia_domain_data_grant"] {
		lost, gives := false, o.action != Delete && !o.redirected(grantEndpoints...)
		for _, data := range dataOfGrant(o, byID) {
			if data.Action != Update || gives {
				data.Grants++
			}
			lost = lost || data.Action != Update
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
func dataOfGrant(o *object, byID map[dataID][]*Data) []*Data {
	id, ok := dataOf(o.before)
	if !ok {
		return nil
	}
	var possible []*Data
	for _, data := range byID[id] {
		switch sameProvider(o.provider, data.provider) {
		case yes:
			return []*Data{data}
		case maybe:
			possible = append(possible, data)
		}
	}
	return possible
}

// newData is nil for data whose grants stay as they are.
func newData(o *object) *Data {
	data := &Data{Address: o.address, Action: o.action, Owner: o.before.at("domain_id").text(), Cause: o.cause(), provider: o.provider}
	data.Name = cmp.Or(o.before.at("domaindata_id").text(), o.address)
	switch {
	case o.action == Replace, o.action == Delete:
		return data
	case o.action != Update:
		return nil
	}
	var moves []phrase
	for _, place := range places {
		if o.changes(place) {
			moves = append(moves, concat(show(place), say(" "), o.both(place).phrase()))
		}
	}
	if data.Cause = join(", ", moves...); len(data.Cause) == 0 {
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
func (b *builder) repoints(o object) bool {
	if o.action != Update && o.action != Replace {
		return false
	}
	switch o.kind {
	case "kuscia_domain_data_source":
		return o.changesBeside(slices.Concat(OnlyInState, besidePlace)...)
	case "kuscia_config":
		return slices.ContainsFunc(b.byKind["kuscia_domain_data_source"], func(source *object) bool {
			key := source.before.at("info_key").id()
			return key != "" && key == o.before.at("key").id() && sameProvider(source.provider, o.provider) != no
		})
	}
	return false
}

func newGrant(o *object, withData bool) Grant {
	g := Grant{
		Address: o.address, Action: o.action, Data: o.both("domaindata_id"), Owner: o.both("domain_id"), Reader: o.both("grant_domain"),
		Until: o.both("limit", "expiration_time"), Uses: o.both("limit", "use_count"), Limits: limitsOf(o), Effect: "none", cause: o.cause(), withData: withData,
	}
	switch o.action {
	case Create:
		g.Effect = "begins"
	case Update:
		g.Effect, g.Changed, g.stateOnly = "changes", changedPaths(o.before, o.after, 6), !o.sends() && !withData
	case Replace:
		g.Effect = "replaced"
		if o.redirected(grantEndpoints...) {
			g.Effect = "redirected"
		}
	case Delete:
		g.Effect = "ends"
	case Forget:
		g.Effect = "no longer managed"
	case None:
		if withData {
			g.Effect = "lost"
		}
	}
	return g
}

// limitsOf are the limits of a grant beside its end and the number of uses. The
// configuration to which one is limited is not shown, as that of a serving.
func limitsOf(o *object) phrase {
	var all []phrase
	for _, name := range []words{"components", "flow_id", "initiator", "input_config"} {
		p := o.both("limit", string(name))
		for _, text := range []*string{&p.Before, &p.After} {
			if *text == "[]" {
				*text = ""
			}
		}
		limit := p.of(o.action)
		switch {
		case len(limit) == 0:
			continue
		case name == "input_config" && p.After == "" && o.action != Delete:
			limit = say("→ none")
		case name == "input_config":
			limit = nil
		}
		all = append(all, join(" ", say(name), limit))
	}
	return join(", ", all...)
}

// phrase says what happens to a grant, and how it is limited.
func (g Grant) phrase() phrase {
	if len(g.Limits) == 0 {
		return g.effect()
	}
	return concat(g.effect(), say("; limited to "), g.Limits)
}

func (g Grant) effect() phrase {
	switch g.Effect {
	case "changes":
		if len(g.Changed) == 0 {
			return say("changes")
		}
		return concat(say("changes: "), join(", ", values(g.Changed, 5)...))
	case "lost":
		return say("ends with its data, although the plan keeps it")
	case "replaced":
		if g.withData {
			return say("ends and begins again, with its data")
		}
		if len(g.cause) > 0 {
			return concat(say("ends and begins again, because of "), g.cause)
		}
		return say("ends and begins again")
	case "redirected":
		if len(g.cause) > 0 {
			return concat(say("ends, and another begins, because of "), g.cause)
		}
		return say("ends, and another begins")
	case "no longer managed":
		return say("stays, no longer managed")
	}
	return say(grantWords[g.Effect])
}

var grantWords = map[string]words{"begins": "begins", "ends": "ends"}

func (b *builder) findGrant(g Grant) {
	of := func(data, reader string) phrase { return concat(say("of "), shown(data), say(" to "), shown(reader)) }
	f := Finding{Address: g.Address, Effect: g.phrase(), subject: of(g.Data.latest(), g.Reader.latest())}
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
		f.kind, f.Categories, f.subject = otherForgotten, []Category{Forgotten}, show(g.Address)
	}
	b.find(f)
}

// findData adds what happens to data. The grants of data may be in other configurations, so
// that of any data counts as one of granted data.
func (b *builder) findData(d Data) {
	f := Finding{Address: d.Address, kind: dataReplaced, Categories: []Category{Replaced, Revoked}, Effect: d.phrase(), subject: shown(d.Name)}
	switch d.Action {
	case Delete:
		f.kind, f.Categories = dataRemoved, []Category{Destroy, Revoked}
	case Update:
		f.kind, f.Categories = dataMoved, []Category{Granted}
	}
	b.find(f)
}

// phrase says what happens to data.
func (d Data) phrase() phrase {
	if d.Action == Update {
		text := concat(say("becomes other data: "), d.Cause, say("; "))
		if d.Grants == 0 {
			return concat(text, say("any grants of other configurations give it"))
		}
		return concat(text, count(d.Grants, "grant gives", "grants give"), say(" it"))
	}
	text := say("removed")
	if d.Action == Replace {
		text = say("replaced")
		if len(d.Cause) > 0 {
			text = concat(say("replaced, because of "), d.Cause)
		}
	}
	if d.Grants == 0 {
		return concat(text, say("; any grants of other configurations end with it"))
	}
	return concat(text, say("; takes "), count(d.Grants, "grant", "grants"), say(" with it"))
}
