package plan

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// What is shown instead of a value.
const (
	SensitiveText = "(sensitive)"
	UnknownText   = "(known after apply)"
)

// Value is a part of an object before or after a change. Its text is only
// available by methods that hide what the plan marks as sensitive.
type Value struct {
	Raw any
	// unknown has true, or an object or list with true somewhere, where the value
	// is known after apply.
	Unknown any
	// hidden are the marks of sensitive values before and after the change: what
	// becomes or was sensitive is not shown on either side.
	Hidden [2]any
}

// At is the attribute or element with these keys.
func (v Value) At(path ...string) Value {
	for _, key := range path {
		v = Value{Raw: child(v.Raw, key), Unknown: mark(v.Unknown, key), Hidden: [2]any{mark(v.Hidden[0], key), mark(v.Hidden[1], key)}}
	}
	return v
}

// child is nil for what does not exist.
func child(parent any, key string) any {
	switch p := parent.(type) {
	case map[string]any:
		return p[key]
	case []any:
		if i, err := strconv.Atoi(key); err == nil && i >= 0 && i < len(p) {
			return p[i]
		}
	}
	return nil
}

// mark is the mark of an element, that of the whole if it is marked.
func mark(parent any, key string) any {
	if marked, ok := parent.(bool); ok {
		return marked
	}
	return child(parent, key)
}

// marked reports whether anything is marked.
func marked(mark any) bool {
	switch m := mark.(type) {
	case bool:
		return m
	case map[string]any:
		for _, below := range m {
			if marked(below) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(m, marked)
	}
	return false
}

// Exists reports whether there is a value, known or not.
func (v Value) Exists() bool { return v.Raw != nil || v.IsUnknown() }

// IsUnknown reports whether a value is known after apply.
func (v Value) IsUnknown() bool { return v.Raw == nil && marked(v.Unknown) }

// IsSensitive reports whether a value or a part of it is not to be shown.
func (v Value) IsSensitive() bool {
	return v.Raw != nil && (marked(v.Hidden[0]) || marked(v.Hidden[1]))
}

// WholeSensitive is IsSensitive for the value itself, not for its parts.
func (v Value) WholeSensitive() bool {
	for _, hidden := range v.Hidden {
		whole, isBool := hidden.(bool)
		if isBool && whole {
			return true
		}
		// Marks of another shape than the value have an unknown meaning; those of a value that is not there
		// are of that on the other side of the change.
		if !isBool && v.Raw != nil && marked(hidden) && !sameShape(v.Raw, hidden) {
			return true
		}
	}
	return false
}

func sameShape(raw, mark any) bool {
	switch raw.(type) {
	case map[string]any:
		_, ok := mark.(map[string]any)
		return ok
	case []any:
		_, ok := mark.([]any)
		return ok
	}
	return false
}

// Keys are the names of attributes or elements, sorted; none of what is not to
// be shown.
func (v Value) Keys() []string { return MergeKeys(v) }

// AllKeys are the names of attributes or elements, also those that are not to be shown.
func (v Value) AllKeys() []string { return allKeys(v) }

// MergeKeys are the keys of values that may be shown, sorted.
func MergeKeys(values ...Value) []string {
	return allKeys(slices.DeleteFunc(values, Value.WholeSensitive)...)
}

// allKeys are the keys of values, sorted.
func allKeys(values ...Value) []string {
	var keys []string
	for _, v := range values {
		for _, part := range [...]any{v.Raw, v.Unknown} {
			switch p := part.(type) {
			case map[string]any:
				keys = slices.Grow(keys, len(p))
				for key := range p {
					keys = append(keys, key)
				}
			case []any:
				for i := range p {
					keys = append(keys, strconv.Itoa(i))
				}
			}
		}
	}
	slices.SortFunc(keys, compareKeys)
	return slices.Compact(keys)
}

// compareKeys puts numbers in their order, before all others.
func compareKeys(a, b string) int {
	x, isNumber := number(a)
	y, isOther := number(b)
	switch {
	case isNumber && isOther:
		return cmp.Or(cmp.Compare(x, y), strings.Compare(a, b))
	case isNumber:
		return -1
	case isOther:
		return 1
	}
	return strings.Compare(a, b)
}

// number is the number that a key is. An attempt to read one where there is none takes the time of an error.
func number(key string) (n int, ok bool) {
	if key == "" || key[0] > '9' {
		return 0, false
	}
	n, err := strconv.Atoi(key)
	return n, err == nil
}

// Text is the value as text: of a string, number or boolean; "" of null.
func (v Value) Text() string {
	switch {
	case v.IsUnknown():
		return UnknownText
	case v.Raw == nil:
		return ""
	case v.IsSensitive():
		return SensitiveText
	}
	switch raw := v.Raw.(type) {
	case string:
		if raw == SensitiveText || raw == UnknownText {
			return strconv.Quote(raw) // these are words of a review
		}
		return raw
	case float64:
		return strconv.FormatFloat(raw, 'f', -1, 64)
	case json.Number:
		return raw.String()
	case bool:
		return strconv.FormatBool(raw)
	}
	content, err := json.Marshal(v.Raw)
	if err != nil {
		return fmt.Sprintf("(%T)", v.Raw)
	}
	return string(content)
}

// IsUnset reports whether a value is null or "", which are the same to the provider.
func IsUnset(v Value) bool { return !v.IsUnknown() && (v.Raw == nil || v.Raw == "") }

// ID is the text that identifies an object, to compare it and not to show it; "" for one that
// is not known.
func (v Value) ID() string {
	text, _ := v.Raw.(string)
	return text
}

// Certainty is whether something is so: what a plan does not say may be.
type Certainty int

// The certainties.
const (
	No Certainty = iota
	Maybe
	Yes
)

// Is reports whether a value fits. One that is known after apply may, and of a sensitive one
// it is not said that it does.
func (v Value) Is(fits func(raw any) bool) Certainty {
	switch {
	case v.IsUnknown():
		return Maybe
	case !fits(v.Raw):
		return No
	case v.IsSensitive():
		return Maybe
	}
	return Yes
}

// Equals is for is.
func Equals(want any) func(any) bool {
	return func(raw any) bool { return raw == want }
}

// Name is the text if it names an object: a known one that may be shown.
func (v Value) Name() string {
	if text, ok := v.Raw.(string); ok && !v.IsSensitive() {
		return text
	}
	return ""
}

// Differs reports whether a value changes, or may change. It does not say to
// what, so sensitive values are compared too.
func Differs(before, after Value) bool {
	return marked(after.Unknown) || !equal(before.Raw, after.Raw)
}

// equal reports whether two values of JSON are equal. Without reflection it takes a fraction of the time, and every
// level of an object is compared.
func equal(x, y any) bool {
	switch x := x.(type) {
	case map[string]any:
		y, ok := y.(map[string]any)
		return ok && maps.EqualFunc(x, y, equal)
	case []any:
		y, ok := y.([]any)
		return ok && slices.EqualFunc(x, y, equal)
	}
	return x == y
}

// MaxDepth bounds the levels of a path that is shown.
const MaxDepth = 8

// ChangedPaths are the paths at which two values differ, at most limit of them.
func ChangedPaths(before, after Value, limit int) []string {
	var found []string
	var walk func(at string, before, after Value, depth int)
	walk = func(at string, before, after Value, depth int) {
		if len(found) >= limit || !Differs(before, after) {
			return
		}
		var keys []string
		if depth > 0 && before.Exists() && after.Exists() {
			keys = MergeKeys(before, after)
		}
		if len(keys) == 0 {
			if at != "" {
				found = append(found, at)
			}
			return
		}
		for _, key := range keys {
			below := key
			if at != "" {
				below = at + "." + key
			}
			walk(below, before.At(key), after.At(key), depth-1)
		}
	}
	walk("", before, after, MaxDepth)
	return found
}
