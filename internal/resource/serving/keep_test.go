package serving

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// TestKeepTimeouts: an import puts an empty object into the state, which means
// the same as no timeouts and stays.
func TestKeepTimeouts(t *testing.T) {
	t.Parallel()
	kinds := map[string]attr.Type{"create": types.StringType}
	of := func(create types.String) timeouts.Value {
		return timeouts.Value{Object: types.ObjectValueMust(kinds, map[string]attr.Value{"create": create})}
	}
	none, empty, some := timeouts.Value{Object: types.ObjectNull(kinds)}, of(types.StringNull()), of(types.StringValue("5m"))
	pending, open := timeouts.Value{Object: types.ObjectUnknown(kinds)}, of(types.StringUnknown())
	for _, test := range []struct{ planned, prior, want timeouts.Value }{
		{none, empty, empty}, {empty, none, empty}, {empty, empty, empty},
		{some, none, some}, {some, empty, some}, {none, some, none}, {empty, some, empty},
		{pending, none, pending}, {open, empty, open},
	} {
		if got := keepTimeouts(test.planned, test.prior); !got.Equal(test.want) {
			t.Errorf("planned %s over %s is %s", test.planned, test.prior, got)
		}
	}
}

// TestKeepsConfig: only a text that was read and never configured stays when
// it is left out.
func TestKeepsConfig(t *testing.T) {
	t.Parallel()
	observed := privateData{ObservedConfig: true}
	left, set := nullModel(), nullModel()
	set.ServingInputConfig = tfvalue.NewConfigTextValue("")
	if !keepsConfig(left, observed) || keepsConfig(set, observed) || keepsConfig(left, privateData{}) {
		t.Error("the wrong texts stay")
	}
	if after := observed.afterUpdate(left); !after.ObservedConfig {
		t.Error("an update without a text ends it")
	}
	if after := observed.afterUpdate(set); after.ObservedConfig {
		t.Error("an update with a text does not end it")
	}
}

// TestLocated: what is inside of an attribute is named in the text.
func TestLocated(t *testing.T) {
	t.Parallel()
	var diags diag.Diagnostics
	diags.AddAttributeError(path.Root("parties").AtListIndex(1).AtName("role"), "Bad", "No such role.")
	diags.AddAttributeError(path.Root("initiator"), "Bad", "No party.")
	diags.AddError("Bad", "All of it.")
	var got []string
	for _, d := range located(diags) {
		got = append(got, d.Detail())
	}
	for i, want := range []string{"parties[1].role: No such role.", "No party.", "All of it."} {
		if got[i] != want {
			t.Errorf("%q, want %q", got[i], want)
		}
	}
	if at, ok := diags[0].(diag.DiagnosticWithPath); !ok || at.Path().String() != "parties[1].role" {
		t.Errorf("the path is lost: %v", diags[0])
	}
}

// TestKeepSpellingOfStrategy: a value keeps the prior spelling whatever its
// neighbours turn out to be.
func TestKeepSpellingOfStrategy(t *testing.T) {
	t.Parallel()
	prior := partyOf("alice", rolling("25%", "1")).strategy
	for name, surge := range map[string]types.String{"same": types.StringValue("025%"), "other": types.StringValue("2"), "unknown": types.StringUnknown()} {
		planned := strategy{kind: types.StringValue("RollingUpdate"), surge: surge, unavailable: types.StringValue("01")}
		got := planned.keepSpelling(prior)
		if got.unavailable.ValueString() != "1" {
			t.Errorf("%s: max_unavailable becomes %s", name, got.unavailable)
		}
		want := surge
		if name == "same" {
			want = types.StringValue("25%")
		}
		if !got.surge.Equal(want) {
			t.Errorf("%s: max_surge becomes %s", name, got.surge)
		}
	}
}
