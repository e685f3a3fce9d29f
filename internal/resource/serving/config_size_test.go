package serving

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// TestJudgeConfigText: a text that no container can be started with is told in
// the plan that brings it, in either form.
func TestJudgeConfigText(t *testing.T) {
	t.Parallel()
	text := func(length int) tfvalue.ConfigText {
		return tfvalue.NewConfigTextValue(`"` + strings.Repeat("s3cr3t", length)[:length-2] + `"`)
	}
	shown := func(text tfvalue.ConfigText) model {
		m := configOf(partyOf("alice"))
		m.ServingInputConfig = text
		return m
	}
	hidden := configOf(partyOf("alice"))
	hidden.ServingInputConfigWO, hidden.ServingInputConfigVersion = text(200_000), types.Int64Value(1)
	hides := stateOf(hidden)
	hides.ServingInputConfigWO = tfvalue.NewConfigTextNull()
	newer := hidden
	newer.ServingInputConfigVersion = types.Int64Value(2)
	has := stateOf(shown(text(200_000)))
	for name, test := range map[string]struct {
		config model
		prior  *model
		at     string // "" is no warning
	}{
		"none":                    {configOf(partyOf("alice")), nil, ""},
		"unknown":                 {shown(tfvalue.NewConfigTextUnknown()), nil, ""},
		"as much as Linux allows": {shown(text(131_058)), nil, ""},
		"one byte more":           {shown(text(131_059)), nil, attrConfig},
		"hidden":                  {hidden, nil, attrConfigWO},
		"as before":               {shown(text(200_000)), &has, ""},
		"another":                 {shown(text(200_001)), &has, attrConfig},
		"the same version":        {hidden, &hides, ""},
		"another version":         {newer, &hides, attrConfigWO},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			planned := stateOf(configOf(partyOf("alice")))
			after := &planned
			if test.prior == nil {
				after = nil
			}
			found := judge(test.config, after, test.prior, privateData{})
			if test.at == "" {
				noDiags(t, found)
				return
			}
			if len(found) != 1 || found.HasError() {
				t.Fatalf("it says %v", found)
			}
			with, ok := found[0].(diag.DiagnosticWithPath)
			if !ok || !with.Path().Equal(path.Root(test.at)) || !strings.Contains(found[0].Detail(), "INPUT_CONFIG") || strings.Contains(found[0].Detail(), "s3cr3t") {
				t.Errorf("it says %v", found)
			}
		})
	}
}
