package crud

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// Keys of flags in the private state.
const (
	// uncertainKey: the response to the create was lost, and the lookup failed.
	// An object of this id may belong to another client.
	uncertainKey = "uncertain"
	// importedKey: there was no update since the import, so Local attributes
	// are unknown.
	importedKey = "imported"
)

type privateSetter interface {
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

type privateGetter interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
}

func mark(ctx context.Context, to privateSetter, key string) diag.Diagnostics {
	return to.SetKey(ctx, key, []byte("true"))
}

func isMarked(ctx context.Context, from privateGetter, key string, diags *diag.Diagnostics) bool {
	value, more := from.GetKey(ctx, key)
	diags.Append(more...)
	return string(value) == "true"
}
