package party_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// TestCheckConfigText: what is doubtful in a text is said, its secrets are not, and of one that plans do
// not show not its keys.
func TestCheckConfigText(t *testing.T) {
	t.Parallel()
	said := func(text string, isShown bool) string {
		var all []string
		for _, issue := range party.CheckConfigText("input_config", text, isShown) {
			all = append(all, issue.Summary+": "+issue.Detail)
		}
		return strings.Join(all, "\n")
	}
	var pairs []string
	for i := range 9 {
		pairs = append(pairs, fmt.Sprintf(`"s%d":{"secret_key":"hidden%d"}`, i, i))
	}
	secret := "{" + strings.Join(pairs, ",") + "}"
	for name, test := range map[string]struct {
		text         string
		isShown      bool
		says, silent []string
	}{
		"nothing":                {`{"a_b":{"x":1},"c":[{"x":1},{"x":2}]}`, true, nil, []string{":"}},
		"secrets":                {secret, true, []string{`"s0.secret_key"`, `"s4.secret_key"`, "and 4 more", "input_config_wo"}, []string{"hidden", "s5"}},
		"secrets, not shown":     {secret, false, nil, []string{":"}},
		"a key twice":            {`{"p":{"a":{"modelConfig":1,"modelConfig":2}}}`, true, []string{`input_config has the key "p.a.modelConfig" twice`, "jsonencode()"}, nil},
		"in both spellings":      {`{"p":{"a":{"modelConfig":1,"model_config":2}}}`, true, []string{`"p.a.model_config" twice`}, nil},
		"an empty key twice":     {`{"":1,"":2}`, true, []string{`the key "" twice`}, nil},
		"a key twice, not shown": {`{"secretive":1,"secretive":2}`, false, []string{"has a key twice"}, []string{"secretive"}},
		"too large":              {`{"a":"` + strings.Repeat("a", 128<<10) + `"}`, true, []string{"too large for a container"}, nil},
		"too large, and no JSON": {strings.Repeat("a", 128<<10), false, []string{"too large for a container"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := said(test.text, test.isShown)
			protocol.Says(t, "the warnings", got, test.says...)
			for _, text := range test.silent {
				if strings.Contains(got, text) {
					t.Errorf("%q is in %s", text, got)
				}
			}
		})
	}
}
