package appimage

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// uncertainKey marks, in the private part of the state, an app image that is
// uncertain: one of this name may be somebody else's.
const uncertainKey = "uncertain"

type privateSetter interface {
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

type privateGetter interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
}

func markUncertain(ctx context.Context, to privateSetter) diag.Diagnostics {
	return to.SetKey(ctx, uncertainKey, []byte("true"))
}

func isUncertain(ctx context.Context, from privateGetter, diags *diag.Diagnostics) bool {
	value, more := from.GetKey(ctx, uncertainKey)
	diags.Append(more...)
	return string(value) == "true"
}
