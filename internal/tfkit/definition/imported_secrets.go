package definition

import (
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// HasWriteOnly reports whether any string has a write-only alternative.
func (d *Definition) HasWriteOnly() bool { return d.root.hasWriteOnly }

// KeepImportedSecrets replaces strings that a configuration sets in neither form
// (NAME, NAME_wo) by those of the state, and returns the paths of these. It is
// for a state that was imported: a generated configuration lacks the strings that
// are sensitive, which are those that are not Readable, and an import that is
// written by hand may lack any.
func (d *Definition) KeepImportedSecrets(config, state Value) (kept Value, paths []path.Path) {
	kept = fillLeftOut(d.root, config, state, path.Empty(), func(at path.Path, n *node, before Value) Value {
		if !n.hasSecret(before) {
			return n.null()
		}
		paths = append(paths, at)
		return before
	})
	return kept, paths
}

// hasSecret reports whether a string is more than none.
func (n *node) hasSecret(text Value) bool {
	return isSet(text) && (n.Presence == Nullable || StringOf(text) != "")
}

// HasSecrets reports whether an object has strings that KeepImportedSecrets can keep.
func (d *Definition) HasSecrets(value Value) bool { return hasSecrets(d.root, value) }

func hasSecrets(n *node, value Value) (found bool) {
	switch {
	case n.role == hasWriteOnlySibling:
		return n.hasSecret(value)
	case !n.hasWriteOnly || !isSet(value):
		return false
	case n.element != nil:
		for _, element := range n.elements(value) {
			found = found || hasSecrets(n.element, element)
		}
		return found
	}
	fields := FieldsOf(value)
	return slices.ContainsFunc(n.names, func(name string) bool { return hasSecrets(n.fields[name], n.fields[name].fieldOf(fields)) })
}

// UnsetSecrets returns the paths of the strings that a configuration sets in neither form.
func (d *Definition) UnsetSecrets(config Value) (left []path.Path) {
	fillLeftOut(d.root, config, d.root.null(), path.Empty(), func(at path.Path, n *node, _ Value) Value {
		left = append(left, at)
		return n.null()
	})
	return left
}

// RefuseSecretLoss refuses to replace an imported object without the strings that only
// its state has. left are their paths, title is the kind of the object. To plan a
// replacement, Terraform requests the plan of a create with the private state of the
// replaced object: the caller calls this there.
func RefuseSecretLoss(title string, left []path.Path, diags *diag.Diagnostics) {
	for _, at := range left {
		diags.AddAttributeError(at, "Replacement would lose a write-only value",
			fmt.Sprintf("%s of the imported %s is not in the configuration, and the new %[2]s would be created without it. Set %[1]s or %[1]s_wo; %[1]s = \"\" if the new %[2]s needs none.", at, title))
	}
}

// MarkUnsetSecretsUnknown makes the strings unknown that a configuration sets in neither
// form: only a plan knows whether the state has them.
func (d *Definition) MarkUnsetSecretsUnknown(config Value) Value {
	return fillLeftOut(d.root, config, d.root.null(), path.Empty(), func(_ path.Path, n *node, _ Value) Value { return n.unknown() })
}

// fillLeftOut sets the strings that a configuration sets in neither form.
func fillLeftOut(n *node, config, state Value, at path.Path, fill func(at path.Path, n *node, before Value) Value) Value {
	if !n.hasWriteOnly || config.IsNull() || !config.IsKnown() {
		return config
	}
	if n.element != nil {
		return n.mapElements(config, func(step path.PathStep, element Value) Value {
			return fillLeftOut(n.element, element, n.counterpart(element, state, step), below(at, step), fill)
		})
	}
	fields, before := fieldsCopy(config), FieldsOf(state)
	for _, name := range n.names {
		field := n.fields[name]
		switch {
		case field.role != hasWriteOnlySibling:
			fields[name] = fillLeftOut(field, fields[name], field.fieldOf(before), at.AtName(name), fill)
		case field.isLeftOut(fields):
			fields[name] = fill(at.AtName(name), field, field.fieldOf(before))
		}
	}
	return tftypes.NewValue(n.tfType, fields)
}

// isLeftOut reports whether a configuration sets a string in neither form. Null
// is a value of a Nullable string, unless one of its Alternatives is needed.
func (n *node) isLeftOut(siblings map[string]Value) bool {
	for _, name := range []string{n.Name, n.Name + suffixWO, n.Name + suffixVersion} {
		if isSet(siblings[name]) {
			return false
		}
	}
	for _, name := range n.Alternatives {
		if !IsEmpty(siblings[name]) {
			return false
		}
	}
	return n.Presence != Nullable || len(n.Alternatives) > 0
}
