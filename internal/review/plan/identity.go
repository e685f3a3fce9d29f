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

// counterparts finds for each object that begins the first one that ends with the same identity, and that no
// other has taken. Identities are those of the sides of the change.
func counterparts(objects []Object, ends, begins func(o Object) (side Value, is bool), isSameProvider func(x, y string) bool, found func(end, begin int)) {
	left := map[ID][]int{}
	for i, o := range objects {
		side, is := ends(o)
		if id, ok := o.Identify(side); ok && is {
			left[id] = append(left[id], i)
		}
	}
	for i, o := range objects {
		side, is := begins(o)
		id, ok := o.Identify(side)
		if !ok || !is {
			continue
		}
		at := slices.IndexFunc(left[id], func(end int) bool { return isSameProvider(objects[end].Provider, o.Provider) })
		if at >= 0 {
			end := left[id][at]
			left[id] = slices.Delete(left[id], at, at+1)
			found(end, i)
		}
	}
}

// isCreated is a begin, with the identity after the change.
func isCreated(o Object) (Value, bool) { return o.After, o.Action == Create }

// Paired puts an object that is deleted at one address and created at another one together: it is
// replaced, like one whose block stays. Without the provider configuration of both, the two may be
// objects of different installations, and stay two.
func Paired(objects []Object) []Object {
	isDeleted := func(o Object) (Value, bool) { return o.Before, o.Action == Delete && !o.Deposed }
	isSame := func(x, y string) bool { return x == y }
	gone := make([]bool, len(objects))
	counterparts(objects, isDeleted, isCreated, isSame, func(end, begin int) {
		was, both := objects[end], &objects[begin]
		gone[end] = true
		both.Action, both.Renamed, both.other = Replace, was.Address, Value{}
		both.Before, both.After = bothHidden(was.Before, both.After)
	})
	var all []Object
	for i, o := range objects {
		if !gone[i] {
			o.Index = len(all)
			all = append(all, o)
		}
	}
	return all
}

// isForgotten is an end.
func isForgotten(o Object) (Value, bool) { return o.Before, o.Action == Forget }

// TakeOver notes in objects that are created what those had that the plan forgets at other addresses, or that
// others have removed: they are others to those who use them. What runs is told of by its parties, of which each
// is new.
func TakeOver(objects, removed []Object) {
	isSame := func(x, y string) bool { return SameProvider(x, y) == Yes }
	all := slices.Clone(objects)
	for _, o := range removed {
		o.Action = Forget // the plan does nothing with it
		all = append(all, o)
	}
	counterparts(all, isForgotten, isCreated, isSame, func(end, begin int) {
		was, o := all[end], &objects[begin]
		if end < len(objects) {
			o.TakesFrom = was.Address
		}
		if !was.Before.At("parties").Exists() {
			o.takes, o.After = bothHidden(was.Before, o.After)
		}
	})
}

// Readopted are the objects that a plan forgets at one address and imports at another one, as far as
// others have changed them: an object that is forgotten is not read, so the plan does not show it.
func Readopted(objects []Object) []Object {
	isImported := func(o Object) (Value, bool) { return o.Before, o.Imported }
	isSame := func(x, y string) bool { return SameProvider(x, y) != No }
	var all []Object
	counterparts(objects, isForgotten, isImported, isSame, func(end, begin int) {
		was, is := objects[end].Before, objects[begin].Before
		if Differs(was, is) {
			changed := objects[begin].Unchanged()
			changed.Action = Update
			changed.Before, changed.After = bothHidden(was, is)
			all = append(all, changed)
		}
	})
	return all
}

// bothHidden are two values, each without what the plan hides of it before or after the change.
func bothHidden(before, after Value) (hiddenBefore, hiddenAfter Value) {
	hidden := [2]any{before.Hidden[0], after.Hidden[1]}
	before.Hidden, after.Hidden = hidden, hidden
	return before, after
}
