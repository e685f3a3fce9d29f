package appimage

import (
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// complete returns a value with everything filled in that it leaves out, in
// the spelling of prior wherever both mean the same. It serves the plan (value
// is the configuration) and a refresh (value is the server's answer). Unknown
// parts stay unknown. Elements of lists are matched by position, as Terraform
// does when it compares a plan with the prior state.
func (m meaning) complete(value, prior tftypes.Value) tftypes.Value {
	if !value.IsKnown() {
		return value
	}
	switch m.kind {
	case kindObject:
		if value.IsNull() && m.nullable {
			return value
		}
		given, before := fieldsOf(value), fieldsOf(prior)
		values := make(map[string]tftypes.Value, len(m.fields))
		for name, field := range m.fields {
			values[name] = field.complete(orNull(given, name, field), orNull(before, name, field))
		}
		return tftypes.NewValue(m.tfType, values)
	case kindObjects:
		given, before := elementsOf(value), elementsOf(prior)
		values := make([]tftypes.Value, len(given))
		for i := range given {
			if given[i].IsNull() {
				values[i] = given[i] // refused by check.go
				continue
			}
			elementPrior := tftypes.NewValue(m.element.tfType, nil)
			if i < len(before) {
				elementPrior = before[i]
			}
			values[i] = m.element.complete(given[i], elementPrior)
		}
		return tftypes.NewValue(m.tfType, values)
	}
	if !value.IsFullyKnown() {
		return value
	}
	if !prior.IsNull() && prior.IsFullyKnown() && m.sameLeaf(value, prior) {
		return prior
	}
	if value.IsNull() {
		return m.empty()
	}
	return value
}

// differences are the paths at which two known values do not mean the same, in
// a stable order. A list whose length differs, and an object that only one of
// them has, is one difference.
func (m meaning) differences(a, b tftypes.Value, at path.Path) []path.Path {
	switch m.kind {
	case kindObject:
		if m.nullable && a.IsNull() != b.IsNull() {
			return []path.Path{at}
		}
		left, right := fieldsOf(a), fieldsOf(b)
		var found []path.Path
		for _, name := range slices.Sorted(maps.Keys(m.fields)) {
			field := m.fields[name]
			found = append(found, field.differences(orNull(left, name, field), orNull(right, name, field), at.AtName(name))...)
		}
		return found
	case kindObjects:
		left, right := elementsOf(a), elementsOf(b)
		if len(left) != len(right) {
			return []path.Path{at}
		}
		var found []path.Path
		for i := range left {
			found = append(found, m.element.differences(left[i], right[i], at.AtListIndex(i))...)
		}
		return found
	}
	if m.sameLeaf(a, b) {
		return nil
	}
	return []path.Path{at}
}

func orNull(fields map[string]tftypes.Value, name string, field meaning) tftypes.Value {
	if value, ok := fields[name]; ok {
		return value
	}
	return tftypes.NewValue(field.tfType, nil)
}
