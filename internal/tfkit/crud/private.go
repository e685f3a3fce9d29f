package crud

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/privatestate"
)

// Keys of flags in the private state.
const (
	// uncertainKey: the response to the create was lost, and the lookup failed.
	// An object of this id may belong to another client.
	uncertainKey = "uncertain"
	// importedKey: there was no update since the import, so Local attributes
	// are unknown.
	importedKey = "imported"
	// observedKey: values with a write-only alternative were read at an import, and
	// are kept until the configuration sets all of them.
	observedKey = "observed"
)

// markImported sets the flags of a state that was imported or moved.
func (o *Object[W]) markImported(ctx context.Context, to privatestate.Setter) (diags diag.Diagnostics) {
	if o.Wait != nil {
		diags.Append(mark(ctx, to, importedKey)...)
	}
	if o.Definition.HasWriteOnly() {
		diags.Append(mark(ctx, to, observedKey)...)
	}
	return diags
}

func mark(ctx context.Context, to privatestate.Setter, key string) diag.Diagnostics {
	return to.SetKey(ctx, key, []byte("true"))
}

func isMarked(ctx context.Context, from privatestate.Getter, key string, diags *diag.Diagnostics) bool {
	value, more := from.GetKey(ctx, key)
	diags.Append(more...)
	return string(value) == "true"
}

// isMarkedAtMost reports whether the private state has no flag except this one.
func isMarkedAtMost(private map[string][]byte, key string) bool {
	_, has := private[key]
	return len(private) == 0 || has && len(private) == 1
}
