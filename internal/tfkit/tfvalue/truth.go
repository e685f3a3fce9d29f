package tfvalue

import "github.com/hashicorp/terraform-plugin-framework/types"

// Or reports whether one of two truth values is true; unknown if that depends on one that is.
func Or(a, b types.Bool) types.Bool {
	switch {
	case a.ValueBool() || b.ValueBool():
		return types.BoolValue(true)
	case a.IsUnknown() || b.IsUnknown():
		return types.BoolUnknown()
	}
	return types.BoolValue(false)
}

// And reports whether both are true; unknown as Or.
func And(a, b types.Bool) types.Bool { return Not(Or(Not(a), Not(b))) }

// Not is the opposite; unknown as Or.
func Not(a types.Bool) types.Bool {
	if a.IsUnknown() {
		return a
	}
	return types.BoolValue(!a.ValueBool())
}
