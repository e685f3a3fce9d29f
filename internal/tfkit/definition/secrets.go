package definition

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// WithSecrets returns a planned object with write-only values: from the
// configuration if the version is new, else from response (if that is null or
// has none, from the configuration). The result is sent and compared, and never
// saved.
func (d *Definition) WithSecrets(planned, config, prior, response Value) Value {
	if !d.root.hasWriteOnly {
		return planned
	}
	return withSecrets(d.root, planned, config, prior, response)
}

func withSecrets(n *node, planned, config, prior, response Value) Value {
	if !n.hasWriteOnly || !planned.IsKnown() || planned.IsNull() {
		return planned
	}
	if n.element != nil {
		return n.mapElements(planned, func(at path.PathStep, element Value) Value {
			return withSecrets(n.element, element, n.elementAt(config, at), n.counterpart(element, prior, at), n.counterpart(element, response, at))
		})
	}
	fields, from, before, responses := fieldsCopy(planned), FieldsOf(config), FieldsOf(prior), FieldsOf(response)
	for name, field := range n.fields {
		if field.role != hasWriteOnlySibling {
			fields[name] = withSecrets(field, fields[name], field.fieldOf(from), field.fieldOf(before), field.fieldOf(responses))
			continue
		}
		number := field.versionOf(fields)
		if !isSet(number) {
			continue
		}
		if StringOf(field.fieldOf(responses)) != "" && isSet(field.versionOf(before)) && number.Equal(field.versionOf(before)) {
			fields[name] = field.fieldOf(responses)
		} else {
			hidden := n.fields[name+suffixWO]
			fields[name] = hidden.fieldOf(from)
		}
		fields[name+suffixVersion] = n.fields[name+suffixVersion].null()
	}
	return tftypes.NewValue(n.tfType, fields)
}

// elementName is the attribute that identifies an object in a list.
const elementName = "name"

// counterpart returns the element of another list or map that corresponds to this
// one, or null.
func (n *node) counterpart(element, others Value, at path.PathStep) Value {
	if i, isList := at.(path.PathStepElementKeyInt); isList {
		at = path.PathStepElementKeyInt(n.element.placeOf(element, ElementsOf(others), int(i)))
	}
	return n.elementAt(others, at)
}

// placeOf returns the index in another list of the element that corresponds to
// the one at i. That is i, or, if elements have names and write-only strings,
// the index of the same name: an element that is added or removed in front must
// not pass its secret to the next one. It returns the length of the list if the
// name does not occur.
func (n *node) placeOf(element Value, others []Value, i int) int {
	if !n.hasWriteOnly || n.fields[elementName] == nil {
		return i
	}
	name := FieldsOf(element)[elementName]
	same := func(other Value) bool {
		fields := FieldsOf(other)
		return isSet(name) && name.IsKnown() && fields != nil && Equal(name, fields[elementName])
	}
	if i < len(others) && same(others[i]) {
		return i
	}
	if at := slices.IndexFunc(others, same); at >= 0 {
		return at
	}
	return len(others)
}

// KeepsSecrets reports whether a planned object has a write-only string with an
// unchanged version: an update that sends the whole object then needs the value
// from the server.
func (d *Definition) KeepsSecrets(planned, prior Value) bool {
	kept := false
	d.versions(planned, prior, func(now, before Value) { kept = kept || isSet(before) && now.Equal(before) })
	return kept
}

// ChangesSecrets reports whether the version of any write-only string differs
// between a planned object and the prior state.
func (d *Definition) ChangesSecrets(planned, prior Value) bool {
	changed := false
	d.versions(planned, prior, func(now, before Value) { changed = changed || !now.Equal(before) })
	return changed
}

// versions visits the versions of all write-only strings.
func (d *Definition) versions(planned, prior Value, visit func(now, before Value)) {
	var walk func(n *node, planned, prior Value)
	walk = func(n *node, planned, prior Value) {
		if !n.hasWriteOnly || !isSet(planned) || !planned.IsKnown() {
			return
		}
		if n.element != nil {
			for at, element := range n.elements(planned) {
				walk(n.element, element, n.counterpart(element, prior, at))
			}
			return
		}
		fields, before := FieldsOf(planned), FieldsOf(prior)
		for _, name := range n.names {
			field := n.fields[name]
			switch {
			case field.role == hasWriteOnlySibling && isSet(field.versionOf(fields)):
				number := n.fields[name+suffixVersion]
				visit(number.fieldOf(fields), number.fieldOf(before))
			default:
				walk(field, field.fieldOf(fields), field.fieldOf(before))
			}
		}
	}
	walk(d.root, planned, prior)
}

// InvalidateVersions sets the version of every write-only string in a state to
// 0: it is unknown which value the server has, so the next plan sends it again.
func (d *Definition) InvalidateVersions(state Value) Value {
	if !d.root.hasWriteOnly {
		return state
	}
	return markVersionsUnsure(d.root, state)
}

func markVersionsUnsure(n *node, value Value) Value {
	if !n.hasWriteOnly || !value.IsKnown() || value.IsNull() {
		return value
	}
	if n.element != nil {
		return n.mapElements(value, func(_ path.PathStep, element Value) Value { return markVersionsUnsure(n.element, element) })
	}
	fields := fieldsCopy(value)
	for name, field := range n.fields {
		if field.role == version && isSet(fields[name]) {
			fields[name] = NumberValue(unknownVersion)
		} else {
			fields[name] = markVersionsUnsure(field, fields[name])
		}
	}
	return tftypes.NewValue(n.tfType, fields)
}

// secretProblems finds strings that are set twice, or whose write-only
// alternative is incomplete. Unknown values are checked once they are known.
func secretProblems(n *node, value Value, at path.Path) (found []Problem) {
	if !n.hasWriteOnly || !value.IsKnown() || value.IsNull() {
		return nil
	}
	if n.element != nil {
		for step, element := range n.elements(value) {
			found = append(found, secretProblems(n.element, element, below(at, step))...)
		}
		return found
	}
	fields := FieldsOf(value)
	for _, name := range n.names {
		field := n.fields[name]
		if field.role == hasWriteOnlySibling {
			found = append(found, writeOnlyProblems(name, fields, at)...)
			continue
		}
		found = append(found, secretProblems(field, field.fieldOf(fields), at.AtName(name))...)
	}
	return found
}

// missingVersion is the summary of a write-only text without a version.
const missingVersion = "Missing version"

// Unversioned returns the paths of the write-only texts that have no version, which Problems
// reports, and of their alternatives: an object has neither value.
func (d *Definition) Unversioned(config Value) (paths []path.Path) {
	for _, p := range secretProblems(d.root, config, path.Empty()) {
		if p.Summary == missingVersion {
			hidden, _ := p.Path.Steps().LastStep()
			name, _ := hidden.(path.PathStepAttributeName)
			paths = append(paths, p.Path, p.Path.ParentPath().AtName(strings.TrimSuffix(string(name), suffixWO)))
		}
	}
	return paths
}

func writeOnlyProblems(name string, fields map[string]Value, at path.Path) (found []Problem) {
	hiddenName, versionName := name+suffixWO, name+suffixVersion
	text, hidden, number := fields[name], fields[hiddenName], fields[versionName]
	given := func(v Value) bool { return isSet(v) && v.IsKnown() }
	if given(hidden) && StringOf(hidden) == "" {
		found = append(found, Problem{at.AtName(hiddenName), "Empty text", fmt.Sprintf("%s is empty. Omit it and %s, or set a text.", hiddenName, versionName)})
	}
	if given(hidden) && !isSet(number) && !given(text) {
		found = append(found, Problem{at.AtName(hiddenName), missingVersion, fmt.Sprintf(
			"Terraform does not store %s, so it cannot detect a change of it. Set %s, for example to %d, and change it whenever the text changes.", hiddenName, versionName, minVersion)})
	}
	if given(number) && !isSet(hidden) {
		found = append(found, Problem{at.AtName(versionName), "Missing text", fmt.Sprintf("%s is the version of %s, which is not set. Set both or neither.", versionName, hiddenName)})
	}
	if n, whole := NumberOf(number); given(number) && (!whole || n < minVersion) {
		found = append(found, Problem{at.AtName(versionName), "Invalid version", fmt.Sprintf("%s is %s; use a whole number from %d.", versionName, NumberText(number), minVersion)})
	}
	if given(hidden) && given(text) {
		found = append(found, Problem{at.AtName(hiddenName), "Conflicting attributes", fmt.Sprintf("Both %s and %s are set. Keep %[2]s to keep the text out of plan and state, or %[1]s otherwise.", name, hiddenName)})
	}
	return found
}

// UsesWriteOnly reports whether an object uses a write-only alternative.
func (d *Definition) UsesWriteOnly(value Value) bool {
	hasWriteOnly := false
	d.versions(value, value, func(_, _ Value) { hasWriteOnly = true })
	return hasWriteOnly
}

// IsWriteOnlyInUse returns a function that reports whether the string at a path
// uses its write-only alternative.
func (d *Definition) IsWriteOnlyInUse(value Value) func(path.Path) bool {
	return func(at path.Path) bool {
		n := d.root.at(at)
		return n != nil && n.role == hasWriteOnlySibling && isSet(n.versionOf(FieldsOf(valueAt(value, at.ParentPath()))))
	}
}
