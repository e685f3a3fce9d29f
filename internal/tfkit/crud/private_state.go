package crud

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// privateGetter is a request of the framework that has private state: data that Terraform
// stores with the attributes and never shows.
type privateGetter interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
}

// privateSetter is a response of the framework that has private state.
type privateSetter interface {
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

// addDamaged reports a private state that cannot be read.
func addDamaged(diags *diag.Diagnostics, err error) {
	diags.AddError("Unable to read private state", fmt.Sprintf(
		"The private part of the stored state is damaged: %s. Remove the resource from the state and import it again.", err))
}

// Memory is what a Rollout has to remember of the time before the last request, as JSON in
// the private state.
type Memory []byte

// Remember encodes a memory.
func Remember[T any](value T) Memory {
	encoded, err := json.Marshal(value)
	if err != nil {
		return nil
	}
	return encoded
}

// Decodes returns why a memory is not one of this type.
func Decodes[T any](m Memory) error {
	var value T
	if err := json.Unmarshal(m, &value); err != nil {
		return fmt.Errorf("%s: %w", memoryKey, err)
	}
	return nil
}

// Recall decodes a memory; without one it returns the zero value. A stored one was checked when it
// was loaded.
func Recall[T any](m Memory) (value T) {
	_ = json.Unmarshal(m, &value)
	return value
}

// memoryKey is the key of a memory in the private state.
const memoryKey = "rollout"

// Flags is the part of a private state that says what of the state is not certain yet:
// after an import, a move, a lost response or a failed wait.
type Flags struct {
	// Imported is set after an import until the first update: values that the
	// server does not store are unknown until the configuration sets them.
	Imported bool
	// SecretsFromImport is set from an import until a read finds no strings with a write-only
	// alternative, or an update has set all of them: a generated configuration does not
	// contain them, so they are kept.
	SecretsFromImport bool
	// CreateUnknown is set if the response to the create was lost and no lookup has
	// found the object: an object of this id may belong to another client.
	CreateUnknown bool
	// NeverRead is set from an import, or a move of another provider's state, until the first
	// read: the state has only the identity.
	NeverRead bool
	// NotReady is set if the wait after an update has failed, until a read finds the
	// object ready.
	NotReady bool
	// HiddenFields is set from an import until an update that removes the fields which the
	// API does not carry, see Spec.CustomResource: other clients may have set them.
	HiddenFields bool
}

// markCreateUnknown returns the state of an object whose create has an unknown outcome: its id
// is "". Terraform does not pass the private state on to the delete of a tainted object
// that it replaces, so that only the state can say that the object may belong to another
// client.
func markCreateUnknown(d *definition.Definition, state definition.Value) definition.Value {
	return d.With(state, map[string]definition.Value{attrID: definition.StringValue("")})
}

// isCreateUnknown reports whether it is unknown if the object of a state was created, see
// markCreateUnknown.
func (f Flags) isCreateUnknown(state definition.Value) bool {
	return f.CreateUnknown || definition.Equal(definition.At(state, attrID), definition.StringValue(""))
}

// isSettled reports whether the state is that of an object which was read, and is not waited for.
func (f Flags) isSettled() bool {
	return !f.CreateUnknown && !f.NeverRead && !f.NotReady
}

// afterRead returns the flags after a read that has found the object, with its state then. Whether
// it is ready is another question.
func (f Flags) afterRead(d *definition.Definition, state definition.Value) Flags {
	f.CreateUnknown, f.NeverRead = false, false
	f.SecretsFromImport = f.SecretsFromImport && d.HasSecrets(state)
	return f
}

// withImportedSecrets returns the configuration to plan from, with the strings that only
// the state has.
func (f Flags) withImportedSecrets(d *definition.Definition, config, state definition.Value) definition.Value {
	if !f.SecretsFromImport || state.IsNull() {
		return config
	}
	return d.KeepImportedSecrets(config, state)
}

// checkReplacement refuses a replacement that would lose strings that only the
// state has. Terraform plans one as a new object, with these flags.
func (f Flags) checkReplacement(d *definition.Definition, title string, config, state definition.Value, diags *diag.Diagnostics) {
	if f.SecretsFromImport && state.IsNull() && !diags.HasError() {
		definition.RefuseSecretLoss(title, d.UnsetSecrets(config), diags)
	}
}

// afterUpdate returns the flags after an update.
func (f Flags) afterUpdate(d *definition.Definition, config, planned definition.Value) Flags {
	f.SecretsFromImport, f.Imported = f.SecretsFromImport && d.StillImported(planned, config), false
	return f
}

// Keys of the flags in the private state of a Resource.
const (
	createUnknownKey     = "uncertain"
	importedKey          = "imported"
	secretsFromImportKey = "secrets_from_import"
	neverReadKey         = "unread"
	notReadyKey          = "unready"
	hiddenFieldsKey      = "unseen"
)

// byKey are the flags by their keys.
func (f *Flags) byKey() map[string]*bool {
	return map[string]*bool{createUnknownKey: &f.CreateUnknown, importedKey: &f.Imported, secretsFromImportKey: &f.SecretsFromImport, neverReadKey: &f.NeverRead, notReadyKey: &f.NotReady, hiddenFieldsKey: &f.HiddenFields}
}

func loadFlags(ctx context.Context, from privateGetter, diags *diag.Diagnostics) (f Flags) {
	for key, flag := range f.byKey() {
		value, more := from.GetKey(ctx, key)
		diags.Append(more...)
		if *flag = string(value) == "true"; len(value) > 0 && !*flag {
			addDamaged(diags, fmt.Errorf("%s is not true", key))
		}
	}
	return f
}

// save saves the flags that differ from before.
func (f Flags) save(ctx context.Context, to privateSetter, before Flags) (diags diag.Diagnostics) {
	old := before.byKey()
	for key, flag := range f.byKey() {
		switch {
		case *flag == *old[key]:
		case *flag:
			diags.Append(to.SetKey(ctx, key, []byte("true"))...)
		default:
			diags.Append(to.SetKey(ctx, key, nil)...)
		}
	}
	return diags
}
