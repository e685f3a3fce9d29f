package rules_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
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

// TestKeepSpellingOfStrategy: a value keeps the prior spelling whatever values
// its neighbours get.
func TestKeepSpellingOfStrategy(t *testing.T) {
	t.Parallel()
	prior := PartyOf("alice", RollingUpdate("25%", "1")).Strategy
	for name, surge := range map[string]types.String{"same": types.StringValue("025%"), "other": types.StringValue("2"), "unknown": types.StringUnknown()} {
		planned := rules.Strategy{Type: types.StringValue("RollingUpdate"), MaxSurge: surge, MaxUnavailable: types.StringValue("01")}
		got := planned.KeepPriorSpelling(prior)
		if got.MaxUnavailable.ValueString() != "1" {
			t.Errorf("%s: max_unavailable becomes %s", name, got.MaxUnavailable)
		}
		want := surge
		if name == "same" {
			want = types.StringValue("25%")
		}
		if !got.MaxSurge.Equal(want) {
			t.Errorf("%s: max_surge becomes %s", name, got.MaxSurge)
		}
	}
}
