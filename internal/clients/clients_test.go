package clients

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// TestUnknownSettings: a request while the provider block is not known says what is not, and a way out.
func TestUnknownSettings(t *testing.T) {
	var diags diag.Diagnostics
	if (&Clients{}).ReadyKuscia(&diags) != true || WithUnknownSettings([]string{"endpoint", "token"}).ReadyKuscia(&diags) {
		t.Fatal("ready")
	}
	if _, ready := (*Clients)(nil).ReadyKubernetes(&diags); ready || len(diags) != 2 {
		t.Errorf("before the provider was configured: ready %t, %v", ready, diags)
	}
	for _, want := range []string{"endpoint, token", "known only after apply", "-target"} {
		if !strings.Contains(diags[0].Detail(), want) {
			t.Errorf("%q does not contain %q", diags[0].Detail(), want)
		}
	}
	if _, ready := (*Clients)(nil).ReadyIEF(&diags); ready || len(diags) != 2 {
		t.Errorf("before the provider is configured: %v", diags)
	}
}
