package crud

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/privatestate"
)

// The marks in the private part of a state.
const (
	// uncertainKey: the answer to the create was lost, and nobody could be
	// asked. An object of this id may be somebody else's.
	uncertainKey = "uncertain"
	// importedKey: since the import nothing was updated, and nobody has said
	// what Local attributes are.
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
