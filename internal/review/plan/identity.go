package plan

import (
	"slices"
	"strings"
)

// ID identifies an object of one Kuscia: its type, and its name.
type ID struct{ Kind, Name string }

// IDOf is an object of a type with names in the order of Identity, of which "" is not known.
func IDOf(kind string, names ...string) ID { return ID{kind, strings.Join(names, "\x00")} }

// WithoutNames are the object as it is named where some of its names, or all, are not known.
func (id ID) WithoutNames() []ID {
	partly := [][]string{nil}
	for _, name := range strings.Split(id.Name, "\x00") {
		var longer [][]string
		for _, names := range partly {
			longer = append(longer, append(slices.Clone(names), name), append(slices.Clone(names), ""))
		}
		partly = longer
	}
	var all []ID
	for _, names := range partly[1:] { // the first one has all names
		all = append(all, IDOf(id.Kind, names...))
	}
	return all
}

// identities are the attributes that identify an object of a type, as in the schemas of the provider
// but where the server makes the id: a grant is whose data it gives to whom.
var identities = map[string][]string{
	"kuscia_app_image":          {"name"},
	"kuscia_config":             {"key"},
	"kuscia_deployment":         {"name"},
	"kuscia_domain":             {"domain_id"},
	"kuscia_domain_data":        {"domain_id", "domaindata_id"},
	"kuscia_domain_data_grant":  {"domain_id", "domaindata_id", "grant_domain"},
	"kuscia_domain_data_source": {"domain_id", "datasource_id"},
	"kuscia_domain_route":       {"source", "destination"},
	"kuscia_edge_deployment":    {"name"},
	"kuscia_rollout":            {"namespace", "name"},
	"kuscia_serving":            {"serving_id"},
	"kuscia_traffic_routing":    {"namespace", "name"},
}

// Identity are the attributes that identify an object of a type, none if it has no such.
func Identity(kind string) []string { return identities[kind] }

// identify is the object of a type that attributes of a value name; ok is false if one of them is
// not known.
func identify(kind string, v Value, attributes ...string) (id ID, ok bool) {
	var names []string
	for _, attribute := range attributes {
		name := v.At(attribute).ID()
		if name == "" {
			return ID{}, false
		}
		names = append(names, name)
	}
	return IDOf(kind, names...), len(names) > 0
}

// Identify is what the object is before or after the change.
func (o Object) Identify(side Value) (id ID, ok bool) {
	return identify(o.Kind, side, identities[o.Kind]...)
}

// references are what an object of a type refers to, with its attributes in the order of the
// identity of what they name. Those of "" are of all types.
var references = map[string][]struct {
	to         string
	attributes []string
}{
	"":                          {{"kuscia_domain", []string{"domain_id"}}, {"kuscia_domain", []string{"grant_domain"}}},
	"kuscia_domain_data":        {{"kuscia_domain_data_source", []string{"domain_id", "datasource_id"}}},
	"kuscia_domain_data_grant":  {{"kuscia_domain_data", []string{"domain_id", "domaindata_id"}}},
	"kuscia_domain_data_source": {{"kuscia_config", []string{"info_key"}}},
	"kuscia_domain_route":       {{"kuscia_domain", []string{"source"}}, {"kuscia_domain", []string{"destination"}}},
}

// References are the objects to which the object refers before or after the change.
func (o Object) References(side Value) []ID {
	var all []ID
	add := func(to string, v Value, attributes ...string) {
		if id, ok := identify(to, v, attributes...); ok {
			all = append(all, id)
		}
	}
	for _, kind := range []string{"", o.Kind} {
		for _, r := range references[kind] {
			add(r.to, side, r.attributes...)
		}
	}
	for _, key := range side.At("parties").AllKeys() {
		p := side.At("parties", key)
		add("kuscia_app_image", p, "app_image")
		if domain := p.At("domain_id"); domain.Exists() {
			add("kuscia_domain", p, "domain_id")
		} else {
			all = append(all, ID{"kuscia_domain", key})
		}
	}
	return all
}

// Paired puts an object that is deleted at one address and created at another one together: it is
// replaced, like one whose block stays. Without the provider configuration of both, the two may be
// objects of different installations, and stay two.
func Paired(objects []Object) []Object {
	type place struct {
		provider string
		ID
	}
	at := func(o Object, side Value) (place, bool) {
		id, ok := o.Identify(side)
		return place{o.Provider, id}, ok
	}
	created := map[place][]int{}
	for i, o := range objects {
		if p, ok := at(o, o.After); ok && o.Action == Create {
			created[p] = append(created[p], i)
		}
	}
	gone := make([]bool, len(objects))
	for i, o := range objects {
		p, ok := at(o, o.Before)
		if !ok || o.Action != Delete || o.Deposed || len(created[p]) == 0 {
			continue
		}
		both := &objects[created[p][0]]
		created[p], gone[i] = created[p][1:], true
		both.Action, both.Renamed = Replace, o.Address
		both.Before, both.After = bothHidden(o.Before, both.After)
	}
	var all []Object
	for i, o := range objects {
		if !gone[i] {
			o.Index = len(all)
			all = append(all, o)
		}
	}
	return all
}

// TakeOver notes in objects that are created what those had that the plan forgets at other addresses: they are
// others to those who use them. What runs is told of by its parties, of which each is new.
func TakeOver(objects []Object) {
	forgotten := map[ID][]Object{}
	for _, o := range objects {
		if id, ok := o.Identify(o.Before); ok && o.Action == Forget && !o.Before.At("parties").Exists() {
			forgotten[id] = append(forgotten[id], o)
		}
	}
	for i := range objects {
		o := &objects[i]
		id, ok := o.Identify(o.After)
		if !ok || o.Action != Create {
			continue
		}
		for _, was := range forgotten[id] {
			if SameProvider(was.Provider, o.Provider) == Yes {
				o.takes, o.After = bothHidden(was.Before, o.After)
				break
			}
		}
	}
}

// Readopted are the objects that a plan forgets at one address and imports at another one, as far as
// others have changed them: an object that is forgotten is not read, so the plan does not show it.
func Readopted(objects []Object) []Object {
	known := map[ID][]Object{}
	for _, o := range objects {
		if id, ok := o.Identify(o.Before); ok && o.Action == Forget {
			known[id] = append(known[id], o)
		}
	}
	var all []Object
	for _, o := range objects {
		id, ok := o.Identify(o.Before)
		if !ok || !o.Imported {
			continue
		}
		isSame := func(was Object) bool { return SameProvider(was.Provider, o.Provider) != No }
		at := slices.IndexFunc(known[id], isSame)
		if at < 0 {
			continue
		}
		was := known[id][at]
		known[id] = slices.Delete(known[id], at, at+1)
		if Differs(was.Before, o.Before) {
			changed := o.Unchanged()
			changed.Action = Update
			changed.Before, changed.After = bothHidden(was.Before, o.Before)
			all = append(all, changed)
		}
	}
	return all
}

// bothHidden are two values, each without what the plan hides of it before or after the change.
func bothHidden(before, after Value) (hiddenBefore, hiddenAfter Value) {
	hidden := [2]any{before.Hidden[0], after.Hidden[1]}
	before.Hidden, after.Hidden = hidden, hidden
	return before, after
}
