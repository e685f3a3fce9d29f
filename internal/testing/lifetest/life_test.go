package lifetest_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// attrs is an object in a configuration; missing attributes are null.
type attrs = protocol.Object

// life declares the life of the objects of a resource type.
type life struct {
	// servers starts what the provider needs.
	servers func(t *testing.T) *servers
	// prepare makes what an object with a name needs; may be nil.
	prepare func(s *servers, name string)
	// minimal is a configuration with the required attributes only.
	minimal func(name string) attrs
	// id is the import ID of an object with a name and a state; nil: the attribute id.
	id func(name string, state protocol.State) string
	// variants are further attributes by what they show; together they have every attribute.
	variants map[string]variant
	// cli is the variant of the life with the CLI.
	cli string
	// ofName are variants that have the name of the object.
	ofName map[string]func(name string) variant
	// replaced are the attributes whose change replaces the object; "*" is every one. Attributes
	// below them are, too.
	replaced []string
	// replacements are changes of minimal that replace the object.
	replacements map[string]func(name string) attrs
	// besides is a change that a type with write-only attributes allows beside each of them.
	besides func(name string) attrs
	// lookup are arguments of the data source besides the identity.
	lookup attrs
	// lists starts what a list needs besides; nil: servers.
	lists func(t *testing.T) *servers
	// settled reports whether the server has added to a new object, in its time, what it
	// computes; nil: at once.
	settled func(state protocol.State) bool
	// unread are further attributes that the server does not return, so that no drift of them is
	// seen and no import reads them.
	unread []string
	// uncovered are attributes that no variant has, with the reason.
	uncovered map[string]string
	// bad are changes of minimal that are refused before anything is sent, by name.
	bad map[string]badInput
	// warns are parts of warnings that are expected.
	warns []string
}

// variant is a configuration with many attributes, and another value for each.
type variant struct {
	full, changed attrs
	// from are changes of minimal in the configuration from and to which full is an update; may be nil.
	from attrs
	// spelled are other spellings of values in full; may be nil.
	spelled attrs
	// together are attributes that are valid only when they change together: the first parts
	// of their paths.
	together [][]string
	// replaced are attributes whose change in this variant replaces the object.
	replaced []string
	// replacedBack are attributes whose change from changed to full replaces the object.
	replacedBack []string
	// driftAs are the paths of drift where they are others than those of the configuration,
	// by the name of the step.
	driftAs map[string][]string
	// hidden are attributes that an import reads, although the configuration has their
	// write-only form.
	hidden []string
}

// planted is a secret in bad input, which no error shows.
const planted = "planted"

// badInput is a change of a valid configuration, and the error.
type badInput struct {
	with attrs
	// at is the path of the attribute, as in the configuration.
	at   string
	says string
}

// lives are the lives by resource type, with ", " and what is special where a type has
// several; the files kind_* add theirs.
var lives = map[string]life{}

// others are the types without a standard life, and the reason.
var others = map[string]string{
	"kuscia_rollout_approval": "it is no object: a create approves a step, and a read finds nothing",
}

// TestLife: every resource type of the provider has a standard life.
func TestLife(t *testing.T) {
	t.Parallel()
	for typeName := range schemas.ResourceSchemas {
		if _, ok := lives[typeName]; ok == (others[typeName] != "") {
			t.Errorf("%s has a life: %t; a type has one (a file kind_*) or is in others", typeName, ok)
		}
	}
	for name, l := range lives {
		typeName := typeOf(name)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l.checkCoverage(t, typeName)
			for stage, live := range map[string]func(*object){
				"minimal": (*object).testMinimal, "replacement": (*object).testReplacements, "bad input": (*object).testBadInput,
				"refused": (*object).testRefused, "data source": (*object).testDataSource, "list": (*object).testList,
			} {
				t.Run(stage, func(t *testing.T) {
					t.Parallel()
					live(newObject(t, typeName, l))
				})
			}
			for name := range l.variantsOf("") {
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					o := newObject(t, typeName, l)
					o.testVariant(l.variantsOf(o.name)[name])
				})
			}
		})
	}
}

// typeOf is the resource type of a life.
func typeOf(name string) string {
	typeName, _, _ := strings.Cut(name, ",")
	return typeName
}

// variantsOf are all variants, for an object with a name.
func (l life) variantsOf(name string) map[string]variant {
	all := map[string]variant{}
	maps.Copy(all, l.variants)
	for what, of := range l.ofName {
		all[what] = of(name)
	}
	return all
}

// checkCoverage checks that the variants have every attribute, with two values.
func (l life) checkCoverage(t *testing.T, typeName string) {
	t.Helper()
	attributes := schemas.ResourceSchemas[typeName].Block.Attributes
	covered := map[string]bool{}
	for name := range l.minimal("name") {
		covered[name] = true
	}
	for _, v := range l.variantsOf("name") {
		cover(covered, "", attributes, v.full, v.changed)
	}
	for _, path := range settable("", attributes) {
		if _, known := l.uncovered[path]; covered[path] == known {
			t.Errorf("%s is changed in a variant: %t; it is, or has a reason in uncovered", path, covered[path])
		}
	}
}

// from, full and changed are the configurations of a variant.
func (o *object) from(v variant) attrs    { return with(o.minimal(), v.from) }
func (o *object) full(v variant) attrs    { return with(o.minimal(), v.full) }
func (o *object) changed(v variant) attrs { return with(o.minimal(), v.changed) }

var with = protocol.With[attrs]

// merged is a configuration with other values within its objects.
func merged(config, more attrs) attrs {
	out := maps.Clone(config)
	for name, value := range more {
		before, within := out[name].(attrs)
		if values, ok := value.(attrs); ok && within {
			value = merged(before, values)
		}
		out[name] = value
	}
	return out
}

// leaf is a difference of two configurations.
type leaf struct {
	path          []any
	before, after any
}

func (l leaf) String() string {
	var parts []string
	for _, part := range l.path {
		parts = append(parts, fmt.Sprint(part))
	}
	return strings.Join(parts, ".")
}

// leaves are the differences between two configurations, as deep as possible.
func leaves(path []any, before, after any) (found []leaf) {
	switch a := before.(type) {
	case attrs:
		if b, ok := after.(attrs); ok && a != nil && b != nil {
			names := slices.Sorted(maps.Keys(with(a, b)))
			for _, name := range names {
				found = append(found, leaves(append(slices.Clone(path), name), a[name], b[name])...)
			}
			return found
		}
	case []any:
		if b, ok := after.([]any); ok && len(a) == len(b) {
			for i := range a {
				found = append(found, leaves(append(slices.Clone(path), i), a[i], b[i])...)
			}
			return found
		}
	}
	if fmt.Sprint(before) == fmt.Sprint(after) {
		return nil
	}
	return []leaf{{path, before, after}}
}

// change is a configuration with one value of another one.
func (l leaf) in(config any) any { return put(config, l.path, l.after) }

func put(config any, path []any, value any) any {
	if len(path) == 0 {
		return value
	}
	switch at := path[0].(type) {
	case string:
		object, _ := config.(attrs)
		changed := with(object, attrs{at: put(object[at], path[1:], value)})
		maps.DeleteFunc(changed, func(_ string, value any) bool { return value == nil }) // a map has no null
		return changed
	case int:
		list := slices.Clone(config.([]any))
		list[at] = put(list[at], path[1:], value)
		return list
	}
	return config
}

// steps are the smallest valid changes from full to changed, by the paths that they change.
func (v variant) steps(full, changed attrs) map[string][]leaf {
	steps := map[string][]leaf{}
	for _, l := range leaves(nil, full, changed) {
		name := l.String()
		for _, group := range v.together {
			if slices.ContainsFunc(group, func(prefix string) bool { return below(l.String(), prefix) }) {
				name = strings.Join(group, ", ")
			}
		}
		steps[name] = append(steps[name], l)
	}
	return steps
}

// below reports whether a path is another one or below it.
func below(path, other string) bool { return path == other || strings.HasPrefix(path, other+".") }

func anyBelow(path string, others []string) bool {
	return slices.ContainsFunc(others, func(other string) bool { return other == "*" || below(path, other) })
}
