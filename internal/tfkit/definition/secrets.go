package definition

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// secret is a string with a write-only alternative, in one object.
type secret struct {
	*node
	// at is the path of the string.
	at path.Path
	// object has the attributes of the object, config those of its configuration, and others
	// those of its counterparts in other values; nil where there is none.
	object, config map[string]Value
	others         []map[string]Value
	// open is set if the name by which a counterpart is found is not known yet.
	open bool
}

// hidden returns the write-only alternative among the attributes of an object.
func (s secret) hidden(fields map[string]Value) Value { return fields[s.Name+suffixWO] }

// hiddenAt is the path of the write-only alternative.
func (s secret) hiddenAt() path.Path { return s.at.ParentPath().AtName(s.Name + suffixWO) }

// hasAlternative reports whether one of the Alternatives is set.
func (s secret) hasAlternative() bool {
	return slices.ContainsFunc(s.Alternatives, func(name string) bool { return !IsEmpty(s.object[name]) })
}

// mapSecrets returns a value in which change has set attributes beside its strings with a
// write-only alternative. config is what the value was planned from, others are values that
// have a counterpart for each of its objects.
func (d *Definition) mapSecrets(value, config Value, change func(secret) map[string]Value, others ...Value) Value {
	return secrets{change}.in(d.root, value, secret{at: path.Empty()}, config, others)
}

// secrets is a walk over strings with a write-only alternative.
type secrets struct {
	change func(secret) map[string]Value
}

// in walks over an attribute. found has its path, and whether it is open.
func (w secrets) in(n *node, value Value, found secret, config Value, others []Value) Value {
	if !n.hasWriteOnly || !value.IsKnown() || value.IsNull() {
		return value
	}
	if n.element != nil {
		return n.mapElements(value, func(step path.PathStep, element Value) Value {
			counterparts := make([]Value, len(others))
			for i, other := range others {
				counterparts[i] = n.counterpart(element, other, step)
			}
			name, named := FieldsOf(element)[elementName]
			open := found.open || named && n.Attribute.Type == ObjectList && !name.IsKnown()
			below := secret{at: below(found.at, step), open: open}
			return w.in(n.element, element, below, n.elementAt(config, step), counterparts)
		})
	}
	found.object, found.config = FieldsOf(value), FieldsOf(config)
	for _, other := range others {
		found.others = append(found.others, FieldsOf(other))
	}
	changed := map[string]Value{}
	for _, name := range n.names {
		field, of := n.fields[name], found
		of.node, of.at = field, found.at.AtName(name)
		switch {
		case field.role == hasWriteOnlySibling:
			maps.Copy(changed, w.change(of))
		case field.hasWriteOnly:
			within := make([]Value, len(others))
			for i := range others {
				within[i] = field.fieldOf(found.others[i])
			}
			changed[name] = w.in(field, field.fieldOf(found.object), secret{at: of.at, open: of.open}, field.fieldOf(found.config), within)
		}
	}
	if len(changed) == 0 {
		return value
	}
	return WithFields(value, changed)
}

// eachSecret visits the strings with a write-only alternative.
func (d *Definition) eachSecret(value Value, visit func(secret), others ...Value) {
	d.mapSecrets(value, Value{}, func(s secret) map[string]Value {
		visit(s)
		return nil
	}, others...)
}

// WithSecrets returns a planned object with write-only values: from the
// configuration if the version is new, else from response (if that is null or
// has none, from the configuration). The result is sent and compared, and never
// saved.
func (d *Definition) WithSecrets(planned, config, prior, response Value) Value {
	return d.mapSecrets(planned, config, func(s secret) map[string]Value {
		if !isSet(s.versionOf(s.object)) {
			return nil
		}
		return map[string]Value{s.Name: s.sent(), s.Name + suffixVersion: tftypes.NewValue(tftypes.Number, nil)}
	}, prior, response)
}

// sent is the value of a planned string that is sent, whose counterparts are in the prior state
// and in a response.
func (s secret) sent() Value {
	response, hidden := s.fieldOf(s.others[1]), s.hidden(s.config)
	switch {
	case StringOf(response) != "" && s.keepsVersion(s.others[0]):
		return response
	case isSet(hidden):
		return hidden
	}
	return s.fieldOf(s.object)
}

// keepsVersion reports whether a string has the version that it has in the state.
func (s secret) keepsVersion(state map[string]Value) bool {
	before := s.versionOf(state)
	return isSet(before) && s.versionOf(s.object).Equal(before)
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
func (d *Definition) KeepsSecrets(planned, prior Value) (keeps bool) {
	d.eachSecret(planned, func(s secret) { keeps = keeps || s.keepsVersion(s.others[0]) }, prior)
	return keeps
}

// ChangesSecrets reports whether the version of any write-only string differs
// between a planned object and the prior state.
func (d *Definition) ChangesSecrets(planned, prior Value) (changes bool) {
	d.eachSecret(planned, func(s secret) {
		changes = changes || isSet(s.versionOf(s.object)) && !s.keepsVersion(s.others[0])
	}, prior)
	return changes
}

// InvalidateVersions sets the version of every write-only string in a state to
// 0: it is unknown which value the server has, so the next plan sends it again.
func (d *Definition) InvalidateVersions(state Value) Value {
	return d.mapSecrets(state, Value{}, func(s secret) map[string]Value {
		if !isSet(s.versionOf(s.object)) {
			return nil
		}
		return map[string]Value{s.Name + suffixVersion: NumberValue(unknownVersion)}
	})
}

// secretProblems finds strings that are set twice, or whose write-only
// alternative is incomplete. Unknown values are checked once they are known.
func (d *Definition) secretProblems(config Value) (found []Problem) {
	d.eachSecret(config, func(s secret) { found = append(found, s.problems()...) })
	return found
}

// missingVersion is the summary of a write-only text without a version.
const missingVersion = "Missing version"

// Unversioned returns the paths of the write-only texts that have no version, which Problems
// reports, and of their alternatives: an object has neither value.
func (d *Definition) Unversioned(config Value) (paths []path.Path) {
	for _, p := range d.secretProblems(config) {
		if p.Summary == missingVersion {
			hidden, _ := p.Path.Steps().LastStep()
			name, _ := hidden.(path.PathStepAttributeName)
			paths = append(paths, p.Path, p.Path.ParentPath().AtName(strings.TrimSuffix(string(name), suffixWO)))
		}
	}
	return paths
}

// problems are those of one string.
func (s secret) problems() (found []Problem) {
	name, hiddenName, versionName := s.Name, s.Name+suffixWO, s.Name+suffixVersion
	text, hidden, number := s.fieldOf(s.object), s.hidden(s.object), s.versionOf(s.object)
	isKnown := func(v Value) bool { return isSet(v) && v.IsKnown() }
	add := func(attribute, summary, detail string, values ...any) {
		found = append(found, Problem{s.at.ParentPath().AtName(attribute), summary, fmt.Sprintf(detail, values...)})
	}
	if isKnown(hidden) && StringOf(hidden) == "" {
		add(hiddenName, "Empty text", "%s is empty. Omit it and %s, or set a text.", hiddenName, versionName)
	}
	if isKnown(hidden) && !isSet(number) && !isKnown(text) {
		add(hiddenName, missingVersion,
			"Terraform does not store %s, so it cannot detect a change of it. Set %s, for example to %d, and change it whenever the text changes.", hiddenName, versionName, minVersion)
	}
	if isKnown(number) && !isSet(hidden) && (isKnown(text) || s.hasAlternative()) {
		add(versionName, "Conflicting attributes", "%s is the version of %s, which is not set, and the value is set otherwise. Remove %[1]s.", versionName, hiddenName)
	}
	if n, whole := NumberOf(number); isKnown(number) && (!whole || n < minVersion) {
		add(versionName, "Invalid version", "%s is %s; use a whole number from %d.", versionName, NumberText(number), minVersion)
	}
	if isKnown(hidden) && isKnown(text) {
		add(hiddenName, "Conflicting attributes", "Both %s and %s are set. Keep %[2]s to keep the text out of plan and state, or %[1]s otherwise.", name, hiddenName)
	}
	return found
}

// UsesWriteOnly reports whether an object uses a write-only alternative.
func (d *Definition) UsesWriteOnly(value Value) (uses bool) {
	d.eachSecret(value, func(s secret) { uses = uses || isSet(s.versionOf(s.object)) })
	return uses
}

// IsWriteOnlyInUse returns a function that reports whether the string at a path
// uses its write-only alternative.
func (d *Definition) IsWriteOnlyInUse(value Value) func(path.Path) bool {
	return func(at path.Path) bool {
		n := d.root.at(at)
		return n != nil && n.role == hasWriteOnlySibling && isSet(n.versionOf(FieldsOf(ValueAt(value, at.ParentPath()))))
	}
}
