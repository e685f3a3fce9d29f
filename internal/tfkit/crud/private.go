package crud

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// The marks in the private part of a state.
const (
	// uncertainKey: the answer to the create was lost, and nobody could be
	// asked. An object of this id may be somebody else's.
	uncertainKey = "uncertain"
	// importedKey: since the import nothing was updated, and nobody has said
	// what Local attributes are.
	importedKey = "imported"
	// observedKey: texts with a write-only form were read at an import, and stay
	// as they are as long as the configuration leaves one of them out.
	observedKey = "observed"
)

type privateSetter interface {
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

type privateGetter interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
}

// markImported marks a state that an import or a move begins.
func (o *Object[W]) markImported(ctx context.Context, to privateSetter) (diags diag.Diagnostics) {
	if o.Wait != nil {
		diags.Append(mark(ctx, to, importedKey)...)
	}
	if o.Definition.HasWriteOnly() {
		diags.Append(mark(ctx, to, observedKey)...)
	}
	return diags
}

func mark(ctx context.Context, to privateSetter, key string) diag.Diagnostics {
	return to.SetKey(ctx, key, []byte("true"))
}

func isMarked(ctx context.Context, from privateGetter, key string, diags *diag.Diagnostics) bool {
	value, more := from.GetKey(ctx, key)
	diags.Append(more...)
	return string(value) == "true"
}

// isMarkedAtMost reports whether private state has no other mark than one.
func isMarkedAtMost(private map[string][]byte, key string) bool {
	_, has := private[key]
	return len(private) == 0 || has && len(private) == 1
}
