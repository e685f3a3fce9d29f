package review

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
)

// What is shown instead of a value.
const (
	sensitiveText = "(sensitive)"
	unknownText   = "(known after apply)"
)

// value is a part of an object before or after a change. Its text is only
// available by methods that hide what the plan marks as sensitive.
type value struct {
	raw any
	// unknown has true, or an object or list with true somewhere, where the value
	// is known after apply.
	unknown any
	// hidden are the marks of sensitive values before and after the change: what
	// becomes or was sensitive is not shown on either side.
	hidden [2]any
}

// at is the attribute or element with these keys.
func (v value) at(path ...string) value {
	for _, key := range path {
		v = value{raw: child(v.raw, key), unknown: mark(v.unknown, key), hidden: [2]any{mark(v.hidden[0], key), mark(v.hidden[1], key)}}
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

// exists reports whether there is a value, known or not.
func (v value) exists() bool { return v.raw != nil || v.isUnknown() }

func (v value) isUnknown() bool { return v.raw == nil && marked(v.unknown) }

// isSensitive reports whether a value or a part of it is not to be shown.
func (v value) isSensitive() bool {
	return v.raw != nil && (marked(v.hidden[0]) || marked(v.hidden[1]))
}

// wholeSensitive is isSensitive for the value itself, not for its parts.
func (v value) wholeSensitive() bool {
	for _, hidden := range v.hidden {
		whole, isBool := hidden.(bool)
		if isBool && whole {
			return true
		}
		// Marks of another shape than the value have an unknown meaning.
		if !isBool && marked(hidden) && !sameShape(v.raw, hidden) {
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

// keys are the names of attributes or elements, sorted; none of what is not to
// be shown.
func (v value) keys() []string {
	if v.wholeSensitive() {
		return nil
	}
	return v.allKeys()
}

// allKeys are the names of attributes or elements, also those that are not to be shown.
func (v value) allKeys() []string {
	found := map[string]bool{}
	for _, part := range []any{v.raw, v.unknown} {
		switch p := part.(type) {
		case map[string]any:
			for key := range p {
				found[key] = true
			}
		case []any:
			for i := range p {
				found[strconv.Itoa(i)] = true
			}
		}
	}
	return slices.SortedFunc(maps.Keys(found), compareKeys)
}

// compareKeys puts numbers in their order.
func compareKeys(a, b string) int {
	if x, err := strconv.Atoi(a); err == nil {
		if y, err := strconv.Atoi(b); err == nil {
			return x - y
		}
	}
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// text is the value as text: of a string, number or boolean; "" of null.
func (v value) text() string {
	switch {
	case v.isUnknown():
		return unknownText
	case v.raw == nil:
		return ""
	case v.isSensitive():
		return sensitiveText
	}
	switch raw := v.raw.(type) {
	case string:
		return raw
	case float64:
		return strconv.FormatFloat(raw, 'f', -1, 64)
	case bool:
		return strconv.FormatBool(raw)
	}
	content, err := json.Marshal(v.raw)
	if err != nil {
		return fmt.Sprintf("(%T)", v.raw)
	}
	return string(content)
}

// id is the text that identifies an object, to compare it and not to show it; "" for one that
// is not known.
func (v value) id() string {
	text, _ := v.raw.(string)
	return text
}

// certainty is whether something is so: what a plan does not say may be.
type certainty int

const (
	no certainty = iota
	maybe
	yes
)

// is reports whether a value fits. One that is known after apply may, and of a sensitive one
// it is not said that it does.
func (v value) is(fits func(raw any) bool) certainty {
	switch {
	case v.isUnknown():
		return maybe
	case !fits(v.raw):
		return no
	case v.isSensitive():
		return maybe
	}
	return yes
}

// equals is for is.
func equals(want any) func(any) bool {
	return func(raw any) bool { return raw == want }
}

// name is the text if it names an object: a known one that may be shown.
func (v value) name() string {
	if text, ok := v.raw.(string); ok && !v.isSensitive() {
		return text
	}
	return ""
}

// differs reports whether a value changes, or may change. It does not say to
// what, so sensitive values are compared too.
func differs(before, after value) bool {
	return marked(after.unknown) || !reflect.DeepEqual(before.raw, after.raw)
}

// maxDepth bounds the levels of a path that is shown.
const maxDepth = 8

// changedPaths are the paths at which two values differ, at most limit of them.
func changedPaths(before, after value, limit int) []string {
	var found []string
	var walk func(at string, before, after value, depth int)
	walk = func(at string, before, after value, depth int) {
		if len(found) >= limit || !differs(before, after) {
			return
		}
		var keys []string
		if depth > 0 && before.exists() && after.exists() {
			keys = mergeKeys(before, after)
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
			walk(below, before.at(key), after.at(key), depth-1)
		}
	}
	walk("", before, after, maxDepth)
	return found
}

func mergeKeys(before, after value) []string {
	keys := append(before.keys(), after.keys()...)
	slices.SortFunc(keys, compareKeys)
	return slices.Compact(keys)
}

// Pair is a value before and after a change; "" for none.
type Pair struct {
	Before string `json:"before"`
	After  string `json:"after"`
}

func pair(before, after value) Pair { return Pair{Before: before.text(), After: after.text()} }

// changed reports whether the two are different.
func (p Pair) changed() bool { return p.Before != p.After || p.After == unknownText }

// Latest is the value after the change, or the one before if there is none.
func (p Pair) latest() string {
	if p.After != "" {
		return p.After
	}
	return p.Before
}
