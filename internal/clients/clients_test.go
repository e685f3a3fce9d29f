package clients

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// TestReady: a request while the provider block is not known, or before it was configured, says
// so, and a way out.
func TestReady(t *testing.T) {
	unknown := WithUnknownSettings([]string{"endpoint", "token"})
	unknown.IEF.Unknown, unknown.Kubernetes.Unknown = []string{"endpoint", "token"}, []string{"endpoint", "token"}
	for c, want := range map[*Clients][]string{nil: {"before the provider was configured"}, unknown: {"endpoint, token", "known only after apply", "-target"}, {}: nil} {
		var diags diag.Diagnostics
		kuscia := c.ReadyKuscia(&diags)
		_, ief := c.ReadyIEF(&diags)
		_, kubernetes := c.ReadyKubernetes(&diags)
		if kuscia != (want == nil) || ief || kubernetes || len(diags) < 2 {
			t.Errorf("ready %t, %t, %t: %v", kuscia, ief, kubernetes, diags)
		}
		for _, d := range diags {
			for _, text := range want {
				if !strings.Contains(d.Detail(), text) {
					t.Errorf("%q does not contain %q", d.Detail(), text)
				}
			}
		}
	}
}
