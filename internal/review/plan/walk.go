package plan

import (
	"maps"
	"slices"
	"strconv"
)

// Difference is an attribute that changes, or an element of one.
type Difference struct {
	// Path has the keys as they are. Those within what is sensitive must not be shown.
	Path          []string
	Before, After Value
}

// maxLevels is the number of levels of a value that are compared one by one. No schema has as many, and each
// one takes the time of all below it.
const maxLevels = 32

// Differences are the smallest parts in which two values differ, or may differ: also those of
// sensitive values.
func Differences(before, after Value) []Difference {
	var found []Difference
	var walk func(path []string, before, after Value)
	walk = func(path []string, before, after Value) {
		if !Differs(before, after) {
			return
		}
		keys := allKeys(before, after)
		if isScalar(before.Raw) || isScalar(after.Raw) || after.Unknown == true || len(keys) == 0 || len(path) == maxLevels {
			found = append(found, Difference{Path: path, Before: before, After: after})
			return
		}
		known := len(found)
		for _, key := range keys {
			walk(append(slices.Clip(path), key), before.At(key), after.At(key))
		}
		if len(found) == known { // null and an empty object, or one of nulls
			found = append(found, Difference{Path: path, Before: before, After: after})
		}
	}
	walk(nil, before, after)
	return found
}

func isScalar(raw any) bool {
	switch raw.(type) {
	case nil, map[string]any, []any:
		return false
	}
	return true
}

// UnknownPaths are the paths of the parts that are known after apply.
func (v Value) UnknownPaths() [][]string {
	var found [][]string
	var walk func(path []string, mark any)
	walk = func(path []string, mark any) {
		switch m := mark.(type) {
		case bool:
			if m {
				found = append(found, path)
			}
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(m)) {
				walk(append(slices.Clip(path), key), m[key])
			}
		case []any:
			for i, below := range m {
				walk(append(slices.Clip(path), strconv.Itoa(i)), below)
			}
		}
	}
	walk(nil, v.Unknown)
	return found
}

// IsIndex reports whether a key may be the index of a list.
func IsIndex(key string) bool {
	_, ok := number(key)
	return ok
}

// Index is the key of an element of a list.
func Index(i int) string { return strconv.Itoa(i) }
