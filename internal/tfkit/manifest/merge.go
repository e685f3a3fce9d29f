package manifest

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Carried are the fields of an object, or of each object in a list, that the KusciaAPI carries and
// returns. nil is a value that it carries as a whole.
type Carried map[string]Carried

// Whole is a member of Carried for an object that is removed with all that it has if the desired
// values leave it out. Without it, such an object stays for what the KusciaAPI does not carry.
const Whole = "."

// Text is in Carried for a value that the KusciaAPI returns as "" unless it is a text, such as the
// port of a probe, which can be a number.
var Text = Carried{number: nil}

// Amount is in Carried for an amount, which can be a number and has several spellings.
var Amount = Carried{amount: nil}

const number, amount = "#", "~"

// Has reports whether there is a field at a path without indexes.
func (c Carried) Has(path string) bool {
	name, rest, nested := strings.Cut(path, ".")
	inner, has := c[name]
	return has && (!nested || inner.Has(rest))
}

func (c Carried) isAmount() bool {
	_, is := c[amount]
	return is
}

// isHidden reports whether the KusciaAPI returns "" for a value.
func (c Carried) isHidden(value any) bool {
	_, text := c[number]
	_, is := value.(int64)
	return text && is
}

// Merged is a specification with the desired values and all that the KusciaAPI does not carry.
type Merged struct {
	Spec Object
	// Kept are the fields that the KusciaAPI would remove; Lost are those whose
	// container or other owner the desired values no longer have.
	Kept, Lost []Found

	known Fields
}

// Merge combines the current specification of an object with the desired one. before is the desired
// one of the last change: a field that the KusciaAPI accepts and does not return is removed only if
// that had it.
func Merge(current, desired, before Object, carried Carried, known Fields) *Merged {
	m := &Merged{known: known}
	m.Spec = m.object(current, desired, before, carried, "")
	sortFound(m.Kept)
	sortFound(m.Lost)
	return m
}

// All returns what an object has that the KusciaAPI does not carry.
func All(current Object, carried Carried, known Fields) []Found {
	m := Merge(current, Object{}, nil, carried, known)
	all := slices.Concat(m.Kept, m.Lost)
	sortFound(all)
	return all
}

func (m *Merged) keep(at string, value any) { m.Kept = m.note(m.Kept, at, value) }
func (m *Merged) lose(at string, value any) { m.Lost = m.note(m.Lost, at, value) }

func (m *Merged) note(to []Found, at string, value any) []Found {
	field := m.known.Of(withoutIndexes(at))
	if field != nil && (field.Controller || field.Written != nil && field.Written(value)) {
		return to
	}
	return append(to, Found{at, field})
}

func (m *Merged) value(current, desired, before any, of Carried, at string) any {
	if of.isHidden(current) && desired == "" {
		m.keep(at, current)
		return current
	}
	if of == nil {
		return desired
	}
	switch desired := desired.(type) {
	case Object:
		now, _ := current.(Object)
		last, _ := before.(Object)
		return m.object(now, desired, last, of, at)
	case []any:
		now, _ := current.([]any)
		return m.list(now, desired, of, at)
	}
	return desired
}

func (m *Merged) object(current, desired, before Object, of Carried, within string) Object {
	out := maps.Clone(desired)
	for name, value := range current {
		inner, isCarried := of[name]
		at := name
		if within != "" {
			at = within + "." + name
		}
		wanted, isSet := desired[name]
		_, wasSet := before[name]
		switch {
		case !isCarried && (isSet || wasSet): // what is accepted and not returned
		case !isCarried && setsValue(desired) && name == "valueFrom":
			m.lose(at, value) // a variable has one source
		case !isCarried:
			out[name] = value
			m.keep(at, value)
		case isSet:
			out[name] = m.value(value, wanted, before[name], inner, at)
		case inner.isHidden(value):
			m.lose(at, value)
		case inner != nil:
			m.removed(value, before[name], inner, at, out, name)
		}
	}
	return out
}

// removed handles a field that the desired values leave out: an object stays for
// what else it has, the elements of a list go.
func (m *Merged) removed(value, before any, of Carried, at string, out Object, name string) {
	switch value := value.(type) {
	case Object:
		last, _ := before.(Object)
		if _, whole := of[Whole]; whole {
			gone := &Merged{known: m.known}
			gone.object(value, Object{}, last, of, at)
			m.Lost = append(m.Lost, gone.all()...)
			return
		}
		if rest := m.object(value, Object{}, last, of, at); len(rest) > 0 {
			out[name] = rest
		}
	case []any:
		m.list(value, nil, of, at)
	}
}

func (m *Merged) all() []Found { return slices.Concat(m.Kept, m.Lost) }

// list pairs elements by their keys, those of the same index first.
func (m *Merged) list(current, desired []any, of Carried, at string) []any {
	out := slices.Clone(desired)
	taken := make([]bool, len(current))
	pair := func(i, j int) bool {
		if j >= len(current) || taken[j] || !reflect.DeepEqual(keyOf(current[j]), keyOf(desired[i])) {
			return false
		}
		taken[j] = true
		out[i] = m.value(current[j], desired[i], nil, of, fmt.Sprintf("%s[%d]", at, i))
		return true
	}
	paired := make([]bool, len(desired))
	for i := range desired {
		paired[i] = pair(i, i)
	}
	for i := range desired {
		for j := 0; j < len(current) && !paired[i]; j++ {
			paired[i] = pair(i, j)
		}
	}
	for j, element := range current {
		if !taken[j] {
			gone := &Merged{known: m.known}
			gone.value(element, Object{}, nil, of, fmt.Sprintf("%s[%d]", at, j))
			m.Lost = append(m.Lost, gone.all()...)
		}
	}
	return out
}

// keyOf identifies an element of a list: by its name, or by the object from which
// variables come.
func keyOf(element any) any {
	fields, _ := element.(Object)
	if name, named := fields["name"]; named {
		return name
	}
	key := []any{fields["prefix"]}
	for _, source := range []string{"configMapRef", "secretRef"} {
		reference, _ := fields[source].(Object)
		key = append(key, reference["name"])
	}
	return key
}

// setsValue reports whether a variable of the environment has a value.
func setsValue(variable Object) bool { return variable["value"] != nil }
