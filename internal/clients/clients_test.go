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
	for _, want := range []string{"endpoint, token", "known only after apply", "-target"} {
		if !strings.Contains(diags[0].Detail(), want) {
			t.Errorf("%q does not contain %q", diags[0].Detail(), want)
		}
	}
}
