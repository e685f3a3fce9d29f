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
	of := func(keysAndValues ...string) types.Map {
		elements := map[string]attr.Value{}
		for i := 0; i < len(keysAndValues); i += 2 {
			elements[keysAndValues[i]] = types.StringValue(keysAndValues[i+1])
		}
		return types.MapValueMust(types.StringType, elements)
	}
	null, unknown := types.MapNull(types.StringType), types.MapUnknown(types.StringType)
	later := types.MapValueMust(types.StringType, map[string]attr.Value{"a": types.StringUnknown()})
	for name, test := range map[string]struct {
		before, after types.Map
		triggered     bool
		warns         string
	}{
		"none":                   {of(), null, false, ""},
		"same":                   {of("a", "1"), of("a", "1"), false, ""},
		"changed":                {of("a", "1"), of("a", "2"), true, ""},
		"first, null before":     {null, of("a", "1"), false, `"a"`},
		"first, not known yet":   {of(), later, false, `"a"`},
		"removed":                {of("a", "1"), null, false, `"a"`},
		"one added":              {of("a", "1"), of("a", "1", "b", "1"), false, `"b"`},
		"one added, one changed": {of("a", "1"), of("a", "2", "b", "1"), true, ""},
		"not known yet":          {of("a", "1"), later, true, ""},
		"all not known yet":      {of("a", "1"), unknown, true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			prior, planned := StateOf(TwoParties()), StateOf(TwoParties())
			prior.RedeployTriggers, planned.RedeployTriggers = test.before, test.after
			if got := rules.Redeploys(planned, prior, rules.Private{}); got != test.triggered {
				t.Errorf("redeploy_triggers take effect: %v", got)
			}
			expectWarning(t, planned, prior, test.warns)

			config := TwoParties()
			config.ReplaceTriggers = test.after
			prior = StateOf(TwoParties())
			prior.ReplaceTriggers = test.before
			got, planned, reasons := Classify(t, config, prior, TwoPartiesPrivate(), AllImages)
			if (got == Replace) != test.triggered {
				t.Errorf("with replace_triggers the plan is %s %v", got, reasons)
			}
			expectWarning(t, planned, prior, test.warns)
		})
	}
}

func expectWarning(t *testing.T, planned, prior rules.Serving, keys string) {
	t.Helper()
	var diags, imported diag.Diagnostics
	rules.WarnTriggersStored(planned, prior, rules.Private{}, &diags)
	rules.WarnTriggersStored(planned, prior, rules.Private{Imported: true}, &imported)
	if len(imported) > 0 {
		t.Errorf("the first triggers after an import cause %v", imported)
	}
	if keys == "" {
		if len(diags) > 0 {
			t.Errorf("unexpected %v", diags)
		}
		return
	}
	if len(diags) != 1 || !strings.Contains(diags[0].Detail(), keys) {
		t.Errorf("the warning is %v, want one with %s", diags, keys)
	}
}
