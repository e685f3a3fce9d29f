package definition

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
)

// HasWriteOnly reports whether any string has a write-only alternative.
func (d *Definition) HasWriteOnly() bool { return d.root.hasWriteOnly }

// KeepImportedSecrets replaces strings that a configuration sets in neither form
// (NAME, NAME_wo) by those of the state. It is
// for a state that was imported: a generated configuration lacks the strings that
// are sensitive, which are those that are not Readable, and an import that is
// written by hand may lack any.
func (d *Definition) KeepImportedSecrets(config, state Value) Value {
	return d.fillLeftOut(config, state, func(s secret) Value {
		before := s.fieldOf(s.others[0])
		if !s.hasSecret(before) {
			return s.null()
		}
		return before
	})
}

// StillImported reports whether a planned object has strings that only the state of an import
// has: its configuration does not set them. It may have their write-only form, which
// ignore_changes leaves out of a plan.
func (d *Definition) StillImported(planned, config Value) (still bool) {
	d.eachSecret(planned, func(s secret) {
		still = still || s.hasSecret(s.fieldOf(s.object)) && !isSet(s.versionOf(s.object)) && !isSet(s.fieldOf(s.others[0]))
	}, config)
	return still
}

// hasSecret reports whether a string is more than none.
func (n *node) hasSecret(text Value) bool {
	return isSet(text) && (n.Presence == Nullable || StringOf(text) != "")
}

// HasSecrets reports whether an object has strings that KeepImportedSecrets can keep.
func (d *Definition) HasSecrets(value Value) (has bool) {
	d.eachSecret(value, func(s secret) { has = has || s.hasSecret(s.fieldOf(s.object)) })
	return has
}

// UnsetSecrets returns the paths of the strings that a configuration sets in neither form.
func (d *Definition) UnsetSecrets(config Value) (left []path.Path) {
	d.fillLeftOut(config, d.root.null(), func(s secret) Value {
		left = append(left, s.at)
		return s.null()
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
	return d.fillLeftOut(config, d.root.null(), func(s secret) Value { return s.unknown() })
}

// fillLeftOut sets the strings that a configuration sets in neither form.
func (d *Definition) fillLeftOut(config, state Value, fill func(secret) Value) Value {
	return d.mapSecrets(config, config, func(s secret) map[string]Value {
		if !s.isLeftOut() {
			return nil
		}
		return map[string]Value{s.Name: fill(s)}
	}, state)
}

// isLeftOut reports whether a configuration sets a string in neither form. Null
// is a value of a Nullable string, unless one of its Alternatives is needed.
func (s secret) isLeftOut() bool {
	for _, name := range []string{s.Name, s.Name + suffixWO, s.Name + suffixVersion} {
		if isSet(s.object[name]) {
			return false
		}
	}
	return !s.hasAlternative() && (s.Presence != Nullable || len(s.Alternatives) > 0)
}

// UnsentSecrets returns the paths of the write-only strings for which neither the configuration
// nor the response has a value that could be sent.
func (d *Definition) UnsentSecrets(planned, config, prior, response Value) (paths []path.Path) {
	d.mapSecrets(planned, config, func(s secret) map[string]Value {
		if isSet(s.versionOf(s.object)) && !isSet(s.sent()) {
			paths = append(paths, s.hiddenAt())
		}
		return nil
	}, prior, response)
	return paths
}

// KeepSecrets returns a configuration in which the write-only strings are unknown that stay as
// the server has them: they are null beside the version of the state, as Terraform passes those
// that ignore_changes leaves out. missing are the paths of those that are null beside a version
// that the state does not have. With unknown names or versions only the apply can tell.
func (d *Definition) KeepSecrets(config, state Value) (kept Value, missing []path.Path) {
	kept = d.mapSecrets(config, config, func(s secret) map[string]Value {
		number := s.versionOf(s.object)
		if !isSet(number) || isSet(s.hidden(s.object)) || isSet(s.fieldOf(s.object)) || s.hasAlternative() {
			return nil
		}
		if !s.open && number.IsKnown() && !s.keepsVersion(s.others[0]) {
			missing = append(missing, s.hiddenAt())
		}
		return map[string]Value{s.Name + suffixWO: UnknownString()}
	}, state)
	return kept, missing
}

// RefuseMissingSecrets refuses write-only strings that are null, and for which the state has no
// value that could be kept: missing are their paths, title is the kind of the object, and isNew is
// set for the plan of a create.
func RefuseMissingSecrets(title string, isNew bool, missing []path.Path, diags *diag.Diagnostics) {
	for _, at := range missing {
		detail := "%[1]s is null, and the state has no value of this %[2]s_version that could be kept. Set it. If ignore_changes has it, remove it from there for one apply, or add %[2]s_version to keep the value that the %[3]s has."
		if isNew {
			detail = "%[1]s is null, and a new %[3]s has no value that could be kept. Set it, also if ignore_changes has it: Terraform creates objects from the configuration as it is written."
		}
		diags.AddAttributeError(at, missingValue, fmt.Sprintf(detail, at, lastName(at), title))
	}
}

// RefuseUnsentSecrets refuses an update that would send a whole object without write-only strings
// at the paths. title is the kind of the object, server the name of the server that does not
// return them.
func RefuseUnsentSecrets(title, server string, unsent []path.Path, diags *diag.Diagnostics) {
	for _, at := range unsent {
		diags.AddAttributeError(at, missingValue, fmt.Sprintf(
			"%s is null, and %s does not return the value that the %s has. An update sends the whole %[3]s, which would lose it. Set it, and remove it from ignore_changes for this apply.", at, server, title))
	}
}

// missingValue is the summary of a write-only string without a value.
const missingValue = "Missing value"

// lastName is the last attribute of a path.
func lastName(at path.Path) string { return at.String()[strings.LastIndexByte(at.String(), '.')+1:] }
