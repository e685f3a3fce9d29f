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
	shown := func(text types.String) rules.Serving {
		m := ConfigOf(PartyOf("alice"))
		m.ServingInputConfig = text
		return m
	}
	hidden := ConfigOf(PartyOf("alice"))
	hidden.ServingInputConfigWO, hidden.ServingInputConfigVersion = text(200_000), types.Int64Value(1)
	hides := StateOf(hidden)
	hides.ServingInputConfigWO = types.StringNull()
	newer := hidden
	newer.ServingInputConfigVersion = types.Int64Value(2)
	has := StateOf(shown(text(200_000)))
	for name, test := range map[string]struct {
		config rules.Serving
		prior  *rules.Serving
		at     string // "" means no warning
	}{
		"as much as Linux allows": {shown(text(131_058)), nil, ""},
		"one byte more":           {shown(text(131_059)), nil, rules.AttrConfig},
		"hidden":                  {hidden, nil, rules.AttrConfigWO},
		"as before":               {shown(text(200_000)), &has, ""},
		"another version":         {newer, &hides, rules.AttrConfigWO},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			planned := StateOf(ConfigOf(PartyOf("alice")))
			after := &planned
			if test.prior == nil {
				after = nil
			}
			found := rules.CheckPlan(test.config, after, test.prior, rules.Private{})
			if test.at == "" {
				NoDiags(t, found)
				return
			}
			if len(found) != 1 || found.HasError() {
				t.Fatalf("the diagnostics are %v", found)
			}
			with, ok := found[0].(diag.DiagnosticWithPath)
			if !ok || !with.Path().Equal(path.Root(test.at)) || !strings.Contains(found[0].Detail(), "INPUT_CONFIG") || strings.Contains(found[0].Detail(), "s3cr3t") {
				t.Errorf("the diagnostics are %v", found)
			}
		})
	}
}
