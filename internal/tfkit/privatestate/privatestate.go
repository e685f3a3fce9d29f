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

// Load decodes the JSON of a key; found is false, and data zero, if the key
// does not exist. Invalid JSON is an error in diags.
func Load[T any](ctx context.Context, from Getter, key string, diags *diag.Diagnostics) (data T, found bool) {
	raw, more := from.GetKey(ctx, key)
	diags.Append(more...)
	if len(raw) == 0 {
		return data, false
	}
	if err := json.Unmarshal(raw, &data); err != nil {
		diags.AddError("Unreadable private state", fmt.Sprintf(
			"The private part of the stored state is damaged: %s. Remove the resource from the state and import it again.", err))
	}
	return data, true
}

// Save stores data as JSON under a key.
func Save[T any](ctx context.Context, to Setter, key string, data T, diags *diag.Diagnostics) {
	raw, err := json.Marshal(data)
	if err != nil {
		diags.AddError("Unable to store private state", err.Error())
		return
	}
	diags.Append(to.SetKey(ctx, key, raw)...)
}

// FromProtocol decodes a JSON value from a private state in the form of the
// protocol, for a shortcut. ok is false if there is other data too, or if the
// value is invalid; without any data the value is zero.
func FromProtocol[T any](private map[string][]byte, key string) (value T, ok bool) {
	if len(private) == 0 {
		return value, true
	}
	raw, has := private[key]
	return value, has && len(private) == 1 && json.Unmarshal(raw, &value) == nil
}
