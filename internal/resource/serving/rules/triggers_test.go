package rules_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// TestTriggers: another value of a key that is already set restarts or replaces;
// a key that is added or removed is stored, and the plan says so.
func TestTriggers(t *testing.T) {
	t.Parallel()
	of := func(values map[string]attr.Value) types.Map { return types.MapValueMust(types.StringType, values) }
	null, unknown := types.MapNull(types.StringType), types.MapUnknown(types.StringType)
	one, two := types.StringValue("1"), types.StringValue("2")
	long, short := types.StringValue("9e06759c7d81f83a2eede5c8c5e57595"), types.StringValue("9e06759c")
	a, empty, later := of(map[string]attr.Value{"a": one}), of(nil), of(map[string]attr.Value{"a": types.StringUnknown()})
	for name, test := range map[string]struct {
		before, after types.Map
		triggered     bool
		warns         string
	}{
		"none":                      {empty, null, false, ""},
		"same":                      {a, a, false, ""},
		"changed":                   {a, of(map[string]attr.Value{"a": two}), true, ""},
		"first, null before":        {null, a, false, `"a"`},
		"first, not known yet":      {empty, later, false, `"a"`},
		"removed":                   {a, null, false, `"a"`},
		"one added":                 {a, of(map[string]attr.Value{"a": one, "b": one}), false, `"b"`},
		"one added, one changed":    {a, of(map[string]attr.Value{"a": two, "b": one}), true, ""},
		"not known yet":             {a, later, true, ""},
		"all not known yet":         {a, unknown, true, ""},
		"fewer digits":              {of(map[string]attr.Value{"a": long}), of(map[string]attr.Value{"a": short}), false, ""},
		"fewer digits, one added":   {of(map[string]attr.Value{"a": long}), of(map[string]attr.Value{"a": short, "b": one}), false, `"b"`},
		"fewer digits, one changed": {of(map[string]attr.Value{"a": long, "b": one}), of(map[string]attr.Value{"a": short, "b": two}), true, ""},
		"fewer digits, one unknown": {of(map[string]attr.Value{"a": long, "b": one}), of(map[string]attr.Value{"a": short, "b": types.StringUnknown()}), true, ""},
		"other revision":            {of(map[string]attr.Value{"a": long}), of(map[string]attr.Value{"a": types.StringValue("9e06759d")}), true, ""},
		"more digits":               {of(map[string]attr.Value{"a": short}), of(map[string]attr.Value{"a": long}), true, ""},
		"shorter, no revision":      {of(map[string]attr.Value{"a": types.StringValue("10")}), of(map[string]attr.Value{"a": one}), true, ""},
	} {
		prior, planned, config := StateOf(TwoParties()), StateOf(TwoParties()), TwoParties()
		prior, planned = prior.WithServingAttribute("redeploy_triggers", test.before), planned.WithServingAttribute("redeploy_triggers", test.after)
		if got := rules.Redeploys(planned, prior, rules.Private{}); got != test.triggered {
			t.Errorf("%s: redeploy_triggers take effect: %v", name, got)
		}
		replaced := StateOf(TwoParties()).WithServingAttribute("replace_triggers", test.before)
		config = config.WithServingAttribute("replace_triggers", test.after)
		got, next, reasons := Classify(t, config, replaced, TwoPartiesPrivate(), AllImages)
		if (got == Replace) != test.triggered {
			t.Errorf("%s: with replace_triggers the plan is %s %v", name, got, reasons)
		}
		if next.ReplaceTriggers().Equal(test.before) == next.ReplaceTriggers().Equal(test.after) && !test.before.Equal(test.after) {
			t.Errorf("%s: %s is planned, which Terraform accepts only as it is in the configuration or in the state", name, next.ReplaceTriggers())
		}
		var stored, imported diag.Diagnostics
		rules.WarnTriggersStored(planned, prior, rules.Private{}, &stored)
		rules.WarnTriggersStored(next, replaced, rules.Private{}, &stored)
		rules.WarnTriggersStored(planned, prior, rules.Private{Imported: true}, &imported)
		if len(imported) > 0 || (len(stored) == 2) != (test.warns != "") || len(stored)%2 > 0 {
			t.Errorf("%s: the warnings are %v, after an import %v", name, stored, imported)
		}
		for _, d := range stored {
			if !strings.Contains(d.Detail(), test.warns) {
				t.Errorf("%s: it does not say %s: %v", name, test.warns, d)
			}
		}
	}
}
