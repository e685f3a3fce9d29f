package faulttest_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// generatedConfig is a random configuration, by address.
type generatedConfig map[string]generatedResource

func (d generatedConfig) resources() []resource {
	var list []resource
	for _, address := range slices.Sorted(maps.Keys(d)) {
		list = append(list, d[address].resource())
	}
	return list
}

// names are the names of all resources of a type, sorted.
func (d generatedConfig) names(typeName string) []string {
	var names []string
	for _, one := range d {
		if one.typeName == typeName {
			names = append(names, one.name)
		}
	}
	slices.Sort(names)
	return names
}

// whole generates a configuration. It keeps most resources of the previous one, some of
// them with changed attributes.
func (a generator) whole(before generatedConfig) generatedConfig {
	d := generatedConfig{}
	add := func(one generatedResource) {
		was, existed := before[one.address()]
		switch {
		case existed && a.chance(50):
			one = was // unchanged
		case existed && a.chance(60):
			one = a.edited(was, one)
		}
		for _, value := range one.config {
			if to, is := value.(reference); is && to.address != "" {
				_, there := d[to.address]
				if !there || to.attribute == "key" && !slices.Contains(keysOf(d), d[to.address].name) {
					return // it refers to a resource that is removed or no longer fits
				}
			}
		}
		d[one.address()] = one
	}
	wanted := func() bool { return a.chance(70) }
	for i := range 3 {
		if wanted() {
			add(a.domain(fmt.Sprint("domain-", i)))
		}
		if wanted() {
			add(a.entry(fmt.Sprint("entry-", i)))
		}
	}
	var domains []any
	for _, name := range d.names("kuscia_domain") {
		domains = append(domains, reference{"kuscia_domain." + name, "domain_id"})
	}
	ends := append([]any{"bob", "carol"}, domains...)
	for i := range ends {
		for j := range ends {
			// Kuscia itself creates the routes of alice.
			if i != j && a.chance(25) {
				add(a.route(fmt.Sprintf("route-%s-%s", nameOf(ends[i]), nameOf(ends[j])), ends[i], ends[j]))
			}
		}
	}
	for i := range 4 {
		if wanted() {
			add(a.source(fmt.Sprint("source-", i), keysOf(d)))
		}
	}
	for i := range 5 {
		if wanted() {
			add(a.data(fmt.Sprint("data-", i), d.names("kuscia_domain_data_source")))
		}
	}
	grantees := append([]any{"bob", "carol", "nobody"}, domains...)
	for i := range 5 {
		if data := d.names("kuscia_domain_data"); len(data) > 0 && wanted() {
			add(a.grant(fmt.Sprint("grant-", i), pick(a, data...), grantees))
		}
	}
	return d
}

func nameOf(end any) string {
	if to, is := end.(reference); is {
		return strings.TrimPrefix(to.address, "kuscia_domain.")
	}
	return end.(string)
}

// keysOf are the config entries whose value is a valid info of a data source.
func keysOf(d generatedConfig) []string {
	return slices.DeleteFunc(d.names("kuscia_config"), func(name string) bool {
		config := d["kuscia_config."+name].config
		for _, form := range []string{"value", "value_wo"} {
			if text, _ := config[form].(string); strings.HasPrefix(text, "{\"endpoint") {
				return false
			}
		}
		return true
	})
}

// identities are the attributes that an edit does not change.
var identities = []string{"domain_id", "key", "source", "destination", "datasource_id", "domaindata_id", "domaindatagrant_id"}

// edited is an object with some of the attributes of another object.
func (a generator) edited(object, other generatedResource) generatedResource {
	config := maps.Clone(object.config)
	for _, name := range slices.Sorted(maps.Keys(other.config)) {
		isData := object.typeName == "kuscia_domain_data" && name == "datasource_id"
		if (!slices.Contains(identities, name) || isData) && a.chance(30) {
			config[name] = other.config[name]
		}
	}
	edit := generatedResource{object.typeName, object.name, config}
	if !valid(edit) {
		return other
	}
	return edit
}

// valid reports whether validation and the plan of a create accept a resource.
func valid(one generatedResource) bool {
	o := &outcome{actions: map[string]string{}}
	w := newTerraform(attrs{"endpoint": "http://127.0.0.1:9"}).begin(o)
	r := one.resource()
	config := r.config(func(string, string) any { return "somewhere" })
	r.config = func(func(string, string) any) attrs { return config }
	_, ok := w.planOne(&r, nil)
	return ok
}
