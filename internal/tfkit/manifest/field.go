package manifest

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// Object is a JSON object.
type Object = map[string]any

// Field is a field that the KusciaAPI does not carry, or does not return.
type Field struct {
	// Path consists of the names of the fields from spec on, without the indexes of lists, such as
	// "deployTemplates.spec.containers.securityContext". It includes all that is below it.
	Path string
	// Protects is set if it limits or protects something: it is never removed unless the
	// configuration says that it may.
	Protects bool
	// Controller is set for a field that only Kuscia's controllers write. It is kept, and not named.
	Controller bool
	// Written reports whether a value is one that Kuscia itself writes, so that nothing is lost
	// without it. May be nil.
	Written func(value any) bool
}

// Fields are the fields of a kind of object.
type Fields []Field

// Of returns the field at a path, nil if it is not one of them.
func (f Fields) Of(path string) *Field {
	for i := range f {
		if rest, within := strings.CutPrefix(path, f[i].Path); within && (rest == "" || rest[0] == '.') {
			return &f[i]
		}
	}
	return nil
}

// Named returns the paths of those that users are told of.
func (f Fields) Named() (paths []string) {
	for _, field := range f {
		if !field.Controller {
			paths = append(paths, field.Path)
		}
	}
	return paths
}

// Found is a field that an object has.
type Found struct {
	// Path is that of Field, with the indexes of lists.
	Path string
	// Field is nil for one that is not known, as of a newer Kuscia.
	Field *Field
}

// Name is the path without indexes, as the configuration names it.
func (f Found) Name() string {
	if f.Field != nil {
		return f.Field.Path
	}
	return withoutIndexes(f.Path)
}

var fieldPath = regexp.MustCompile(`^[A-Za-z0-9_-]+(\.[A-Za-z0-9_/-]+)*$`)

// IsPath reports whether a name can be that of a field which is not known: its path in the
// specification, without indexes.
func IsPath(name string) bool {
	return fieldPath.MatchString(name) && name != "spec" && !strings.HasPrefix(name, "spec.")
}

// Protects reports whether the field limits or protects something.
func (f Found) Protects() bool { return f.Field != nil && f.Field.Protects }

var index = regexp.MustCompile(`\[\d+\]`)

func withoutIndexes(path string) string { return index.ReplaceAllString(path, "") }

func sortFound(found []Found) {
	slices.SortFunc(found, func(a, b Found) int { return cmp.Compare(a.Path, b.Path) })
}

// Has reports whether an object has a value at a path without indexes. In lists one element with it
// is enough.
func Has(of any, path string) bool {
	if path == "" {
		return of != nil
	}
	switch of := of.(type) {
	case Object:
		name, rest, _ := strings.Cut(path, ".")
		value, has := of[name]
		return has && Has(value, rest)
	case []any:
		return slices.ContainsFunc(of, func(element any) bool { return Has(element, path) })
	}
	return false
}
