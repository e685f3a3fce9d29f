package definition

import (
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/path"
)

// Unconvertible are the parts of a value that cannot be converted to the wire type.
type Unconvertible struct {
	// Unknown are unknown values.
	Unknown []path.Path
	// Null are null elements of lists and maps.
	Null []path.Path
	// OutOfRange are numbers that are not whole or too large.
	OutOfRange []path.Path
}

// All are all of these parts.
func (u *Unconvertible) All() []path.Path { return slices.Concat(u.Unknown, u.Null, u.OutOfRange) }

// Reader reads the attributes of one object by name, for the conversion to the
// wire type, and records what is unconvertible. Unknown, null and missing values
// are read as the zero value, so that a conversion need not check for them. The
// zero Reader reads a missing object. A name that is no attribute, or an attribute of another
// type, panics.
type Reader struct {
	fields, config map[string]Value
	// at returns the path of the object; only unconvertible parts need it. nil: the root.
	at            func() path.Path
	unconvertible *Unconvertible
}

// Read returns the reader of an object. config is the configuration that it was
// planned from, or null.
func Read(value, config Value) (Reader, *Unconvertible) {
	found := &Unconvertible{}
	return Reader{fields: FieldsOf(value), config: FieldsOf(config), unconvertible: found}, found
}

// attribute is the path of an attribute.
func (r Reader) attribute(name string) path.Path {
	if r.at == nil {
		return path.Root(name)
	}
	return r.at().AtName(name)
}

// field returns an attribute, and whether the object has it: a missing object has none. A name
// that is no attribute is a mistake in the code and panics.
func (r Reader) field(name string) (value Value, ok bool) {
	if value, ok = r.fields[name]; !ok && r.fields != nil {
		panic(fmt.Sprintf("%q is no attribute: there are %q", name, slices.Sorted(maps.Keys(r.fields))))
	}
	return value, ok
}

// known returns an attribute that has a value.
func (r Reader) known(name string) (Value, bool) {
	value, ok := r.field(name)
	if !ok {
		return Value{}, false
	}
	if !value.IsKnown() {
		r.unconvertible.Unknown = append(r.unconvertible.Unknown, r.attribute(name))
		return Value{}, false
	}
	return value, !value.IsNull()
}

// typed returns an attribute of a type. Another type is a mistake in the code and panics.
func (r Reader) typed(t Type, name string) Value {
	value, ok := r.field(name)
	if ok && !t.describes(value.Type()) {
		panic(fmt.Sprintf("attribute %q is read as another type than %s", name, value.Type()))
	}
	return value
}

// of is known for an attribute of a type.
func (r Reader) of(t Type, name string) (Value, bool) {
	_ = r.typed(t, name)
	return r.known(name)
}

// Has reports whether an attribute is set and not null.
func (r Reader) Has(name string) bool {
	_, ok := r.known(name)
	return ok
}

// Known reports whether an attribute is known, null or not. It records nothing.
func (r Reader) Known(name string) bool {
	value, _ := r.field(name)
	return value.IsKnown()
}

// FullyKnown reports whether an attribute and all its parts are known. It records
// nothing.
func (r Reader) FullyKnown(name string) bool {
	value, _ := r.field(name)
	return value.IsFullyKnown()
}

// Configured reports whether the configuration sets an attribute, as opposed to
// a default, the server or the prior state.
func (r Reader) Configured(name string) bool {
	_, _ = r.field(name)
	return isSet(r.config[name])
}

// String returns a string.
func (r Reader) String(name string) string {
	value, ok := r.of(String, name)
	if !ok {
		return ""
	}
	return StringOf(value)
}

// Bool returns a bool.
func (r Reader) Bool(name string) bool {
	value, ok := r.of(Bool, name)
	return ok && BoolOf(value)
}

// Int64 returns a whole number; for anything else it returns 0 and records
// that.
func (r Reader) Int64(name string) int64 { return r.number(name, math.MinInt64, math.MaxInt64) }

// Int32 returns a whole number of 32 bits; for anything else it returns 0 and
// records that.
func (r Reader) Int32(name string) int32 {
	return int32(r.number(name, math.MinInt32, math.MaxInt32)) //nolint:gosec // number keeps it in range
}

func (r Reader) number(name string, least, most int64) int64 {
	value, ok := r.of(Number, name)
	if !ok {
		return 0
	}
	n, whole := NumberOf(value)
	if !whole || n < least || n > most {
		r.unconvertible.OutOfRange = append(r.unconvertible.OutOfRange, r.attribute(name))
		return 0
	}
	return n
}

// Strings returns a list of strings, nil for an empty list.
func (r Reader) Strings(name string) []string {
	value, ok := r.of(StringList, name)
	if !ok {
		return nil
	}
	var out []string
	for i, element := range ElementsOf(value) {
		r.note(element, func() path.Path { return r.attribute(name).AtListIndex(i) })
		out = append(out, StringOf(element))
	}
	return out
}

// StringMap returns a map of strings, nil for an empty map.
func (r Reader) StringMap(name string) map[string]string {
	value, ok := r.of(StringMap, name)
	if !ok {
		return nil
	}
	var out map[string]string
	elements := FieldsOf(value)
	for _, key := range slices.Sorted(maps.Keys(elements)) {
		if out == nil {
			out = make(map[string]string, len(elements))
		}
		r.note(elements[key], func() path.Path { return r.attribute(name).AtMapKey(key) })
		out[key] = StringOf(elements[key])
	}
	return out
}

// Object returns a nested object; ok is false if it is null.
func (r Reader) Object(name string) (nested Reader, ok bool) {
	value, ok := r.of(Object, name)
	if !ok {
		return Reader{unconvertible: r.unconvertible}, false
	}
	return Reader{fields: FieldsOf(value), config: FieldsOf(r.config[name]), at: func() path.Path { return r.attribute(name) }, unconvertible: r.unconvertible}, true
}

// ObjectMap returns the objects of a map by key, sorted.
func (r Reader) ObjectMap(name string) iter.Seq2[string, Reader] {
	return func(yield func(string, Reader) bool) {
		value, _ := r.of(ObjectMap, name)
		elements, configured := FieldsOf(value), FieldsOf(r.config[name])
		for _, key := range slices.Sorted(maps.Keys(elements)) {
			at := func() path.Path { return r.attribute(name).AtMapKey(key) }
			r.note(elements[key], at)
			if !yield(key, Reader{fields: FieldsOf(elements[key]), config: FieldsOf(configured[key]), at: at, unconvertible: r.unconvertible}) {
				return
			}
		}
	}
}

// Objects returns the objects of a list.
func (r Reader) Objects(name string) []Reader {
	value, ok := r.of(ObjectList, name)
	if !ok {
		return nil
	}
	var out []Reader
	configured := ElementsOf(r.config[name])
	for i, element := range ElementsOf(value) {
		at := func() path.Path { return r.attribute(name).AtListIndex(i) }
		r.note(element, at)
		nested := Reader{fields: FieldsOf(element), at: at, unconvertible: r.unconvertible}
		if i < len(configured) {
			nested.config = FieldsOf(configured[i])
		}
		out = append(out, nested)
	}
	return out
}

// note records an element of a list or map that is unknown or null.
func (r Reader) note(element Value, at func() path.Path) {
	switch {
	case !element.IsKnown():
		r.unconvertible.Unknown = append(r.unconvertible.Unknown, at())
	case element.IsNull():
		r.unconvertible.Null = append(r.unconvertible.Null, at())
	}
}

// TextAt returns the string at a path below the object, "" if there is none that is known. It
// records nothing.
func (r Reader) TextAt(at path.Path) string {
	var value Value
	fields := r.fields
	for _, step := range at.Steps() {
		switch step := step.(type) {
		case path.PathStepAttributeName:
			value, _ = Reader{fields: fields}.field(string(step))
		case path.PathStepElementKeyInt:
			elements := ElementsOf(value)
			if int(step) >= len(elements) {
				return ""
			}
			value = elements[step]
		}
		fields = FieldsOf(value)
	}
	return StringOf(value)
}
