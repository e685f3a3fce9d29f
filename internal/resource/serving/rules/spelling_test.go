package rules_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
)

// TestKeepTimeouts: an import stores the defaults, which are equivalent to no timeouts
// and to an empty object, and are kept.
func TestKeepTimeouts(t *testing.T) {
	t.Parallel()
	kinds := map[string]attr.Type{"create": types.StringType}
	of := func(create types.String) types.Object {
		return types.ObjectValueMust(kinds, map[string]attr.Value{"create": create})
	}
	defaults := rules.DefaultTimeouts()
	none, empty, some := types.ObjectNull(kinds), of(types.StringNull()), of(types.StringValue("5m"))
	pending, open := types.ObjectUnknown(kinds), of(types.StringUnknown())
	for _, test := range []struct{ planned, prior, want types.Object }{
		{none, defaults, defaults}, {empty, defaults, defaults}, {of(types.StringValue("20m")), defaults, defaults}, {some, defaults, some},
		{none, empty, empty}, {empty, none, empty}, {empty, empty, empty},
		{some, none, some}, {some, empty, some}, {none, some, none}, {empty, some, empty},
		{pending, none, pending}, {open, empty, open},
	} {
		if got := rules.KeepTimeouts(test.planned, test.prior); !got.Equal(test.want) {
			t.Errorf("planned %s over %s is %s", test.planned, test.prior, got)
		}
	}
}
