package faulttest_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// generatedConfig is a random configuration, by address.
type generatedConfig map[string]generatedResource

func (c generatedConfig) resources() []resource {
	var list []resource
	for _, address := range slices.Sorted(maps.Keys(c)) {
		list = append(list, c[address].resource())
	}
	return list
}

// names are the names of all resources of a type, sorted.
func (c generatedConfig) names(typeName string) []string {
	var names []string
	for _, one := range c {
		if one.typeName == typeName {
			names = append(names, one.name)
		}
	}
	slices.Sort(names)
	return names
}

// objectsIn formats the objects that a message mentions.
func (c generatedConfig) objectsIn(message any) string {
	var text strings.Builder
	for _, address := range slices.Sorted(maps.Keys(c)) {
		if strings.Contains(fmt.Sprint(message), address) {
			fmt.Fprintf(&text, "%s %v\n", address, c[address].config)
		}
	}
	return text.String()
}

// fullConfig generates a configuration of all kinds of objects. It keeps most
// resources of the previous one, some of them with changed attributes.
func (g generator) fullConfig(previous generatedConfig) generatedConfig {
	config := generatedConfig{}
	for _, kind := range objectKinds() {
		kind.generate(g, config, func(one generatedResource) {
			old, existed := previous[one.address()]
			switch {
			case existed && g.chance(50):
				one = old // unchanged
			case existed && g.chance(60):
				one = g.edited(old, one)
			}
			if config.hasReferences(one) {
				config[one.address()] = one
			}
		})
	}
	return config
}

// hasReferences reports whether the resources that a resource refers to exist,
// and still fit.
func (c generatedConfig) hasReferences(one generatedResource) bool {
	for _, value := range one.config {
		to, is := value.(reference)
		if !is || to.address == "" {
			continue
		}
		if _, exists := c[to.address]; !exists || to.attribute == "key" && !isSourceInfo(c[to.address].config) {
			return false
		}
	}
	return true
}

// some adds up to count resources, each with a probability of 70 percent.
func (g generator) some(count int, add func(generatedResource), generate func(i int) generatedResource) {
	for i := range count {
		if g.chance(70) {
			add(generate(i))
		}
	}
}

// edited is an object with some of the attributes of another object.
func (g generator) edited(object, other generatedResource) generatedResource {
	config := maps.Clone(object.config)
	for _, name := range slices.Sorted(maps.Keys(other.config)) {
		if !slices.Contains(kindOfType(object.typeName).identity, name) && g.chance(30) {
			config[name] = other.config[name]
		}
	}
	edit := generatedResource{object.typeName, object.name, config}
	if !valid(edit) {
		return other
	}
	return edit
}

// valid reports whether validation and the plan of a create accept a resource. With an unknown
// endpoint the plan waits for no server.
func valid(one generatedResource) bool {
	o := &outcome{actions: map[string]string{}}
	w := newTerraform(attrs{"endpoint": protocol.Unknown{}}).begin(o)
	r := one.resource()
	config := r.config(func(string, string) any { return "somewhere" })
	r.config = func(func(string, string) any) attrs { return config }
	_, ok := w.planOne(&r, nil)
	return ok
}

// respellAll returns an equivalent configuration of all resources.
func (g generator) respellAll(config generatedConfig) generatedConfig {
	out := generatedConfig{}
	for _, address := range slices.Sorted(maps.Keys(config)) {
		out[address] = g.respell(config[address])
	}
	return out
}

// respell returns an equivalent configuration.
func (g generator) respell(one generatedResource) generatedResource {
	kind := kindOfType(one.typeName)
	config := maps.Clone(one.config)
	for name := range kind.same { // top-level attributes that are left out
		if _, given := config[name]; !given && !strings.Contains(name, ".") {
			config[name] = nil
		}
	}
	config, _ = g.respellValue(kind, "", config).(attrs)
	if kind.respell != nil {
		kind.respell(g, config)
	}
	return generatedResource{one.typeName, one.name, config}
}

func (g generator) respellValue(kind objectKind, at string, value any) any {
	switch value := value.(type) {
	case attrs:
		out := attrs{}
		for _, name := range slices.Sorted(maps.Keys(value)) {
			out[name] = g.respellValue(kind, strings.TrimPrefix(at+"."+name, "."), value[name])
		}
		return out
	case []any:
		out := make([]any, len(value))
		for i := range value {
			out[i] = g.respellValue(kind, at, value[i])
		}
		return out
	}
	for _, class := range kind.same[at] {
		if slices.Contains(class, value) {
			return pick(g, class...)
		}
	}
	return value
}
