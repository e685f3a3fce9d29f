package rules_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// TestCheckConfigText: a text with which no container can start is a warning in
// the plan that sets it, in either form.
func TestCheckConfigText(t *testing.T) {
	t.Parallel()
	text := func(length int) types.String {
		return types.StringValue(`"` + strings.Repeat("s3cr3t", length)[:length-2] + `"`)
	}
	shown := func(length int) rules.Serving { return WithPlainConfig(ConfigOf(PartyOf("alice")), text(length)) }
	hidden := func(version int64) rules.Serving {
		return WriteOnly(ConfigOf(PartyOf("alice")), text(200_000).ValueString(), version)
	}
	none := rules.Serving{}
	for name, test := range map[string]struct {
		config, prior rules.Serving
		at            string // "" means no warning
	}{
		"as much as Linux allows": {shown(131_058), none, ""},
		"one byte more":           {shown(131_059), none, rules.AttrConfig},
		"hidden":                  {hidden(1), none, rules.AttrConfigWO},
		"as before":               {shown(200_000), StateOf(shown(200_000)), ""},
		"another version":         {hidden(2), StateOf(hidden(1)), rules.AttrConfigWO},
	} {
		planned := StateOf(ConfigOf(PartyOf("alice")))
		after, prior := &planned, &test.prior
		if prior.ServingID.IsNull() {
			after, prior = nil, nil
		}
		found := rules.CheckPlan(test.config, after, prior, rules.Private{})
		if test.at == "" {
			NoDiags(t, found)
			continue
		}
		if len(found) != 1 || found.HasError() {
			t.Fatalf("%s: the diagnostics are %v", name, found)
		}
		with, ok := found[0].(diag.DiagnosticWithPath)
		if !ok || !with.Path().Equal(path.Root(test.at)) || !strings.Contains(found[0].Detail(), "INPUT_CONFIG") || strings.Contains(found[0].Detail(), "s3cr3t") {
			t.Errorf("%s: the diagnostics are %v", name, found)
		}
	}
}
