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
)

func mark(ctx context.Context, to privatestate.Setter, key string) diag.Diagnostics {
	return to.SetKey(ctx, key, []byte("true"))
}

func isMarked(ctx context.Context, from privatestate.Getter, key string, diags *diag.Diagnostics) bool {
	value, more := from.GetKey(ctx, key)
	diags.Append(more...)
	return string(value) == "true"
}
