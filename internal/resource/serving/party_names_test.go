package serving

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// TestWarnOfNames: a warning names the two keys of a party, and nothing else.
func TestWarnOfNames(t *testing.T) {
	t.Parallel()
	prior := StateOf(TwoParties())
	for name, test := range map[string]struct {
		planned rules.Serving
		want    string
	}{
		"same":         {StateOf(InParty(TwoParties(), 0, Replicas(3))), ""},
		"another":      {StateOf(InParty(TwoParties(), 0, Named("host"))), `parties["host"] was parties["alice"]: it has the same domain and role. The key is only in the state: nothing is sent for it, and no pod restarts.`},
		"another role": {StateOf(InParty(TwoParties(), 0, Named("host"), Role("host"))), ""},
		"unknown":      {StateOf(InParty(TwoParties(), 0, func(p *rules.Party) { *p = rules.Party{Name: "host", Unknown: true} })), ""},
	} {
		var diags diag.Diagnostics
		warnOfNames(test.planned, prior, &diags)
		if (len(diags) > 0) != (test.want != "") || len(diags) > 0 && diags[0].Detail() != test.want {
			t.Errorf("%s: %v", name, diags)
		}
	}
}
