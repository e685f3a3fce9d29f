// Package privatestate reads and writes the private state of a resource: data
// that Terraform stores with the attributes and never shows.
package privatestate

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// Getter is a request of the framework that has private state.
type Getter interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
}

// Setter is a response of the framework that has private state.
type Setter interface {
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

// Key is the key of a value in the private state, which is stored as JSON.
type Key[T any] string

// Load decodes the value; found is false, and data zero, if there is none. Invalid
// JSON is an error in diags.
func (k Key[T]) Load(ctx context.Context, from Getter, diags *diag.Diagnostics) (data T, found bool) {
	raw, more := from.GetKey(ctx, string(k))
	diags.Append(more...)
	if len(raw) == 0 {
		return data, false
	}
	if err := json.Unmarshal(raw, &data); err != nil {
		AddDamaged(diags, err)
	}
	return data, true
}

// AddDamaged reports a private state that cannot be read.
func AddDamaged(diags *diag.Diagnostics, err error) {
	diags.AddError("Unable to read private state", fmt.Sprintf(
		"The private part of the stored state is damaged: %s. Remove the resource from the state and import it again.", err))
}

// Save stores the value.
func (k Key[T]) Save(ctx context.Context, to Setter, data T, diags *diag.Diagnostics) {
	raw, err := json.Marshal(data)
	if err != nil {
		diags.AddError("Unable to store private state", err.Error())
		return
	}
	diags.Append(to.SetKey(ctx, string(k), raw)...)
}

// FromProtocol decodes the value from a private state in the form of the
// protocol, for a shortcut. ok is false if there is other data too, or if the
// value is invalid; without any data the value is zero.
func (k Key[T]) FromProtocol(private map[string][]byte) (value T, ok bool) {
	if len(private) == 0 {
		return value, true
	}
	raw, has := private[string(k)]
	return value, has && len(private) == 1 && json.Unmarshal(raw, &value) == nil
}
