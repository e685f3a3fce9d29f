package clients

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

func TestReady(t *testing.T) {
	tests := map[string]struct {
		clients *Clients
		want    []string // texts in the error; nil: no error
	}{
		"ready":          {&Clients{}, nil},
		"unknown values": {WithUnknownSettings([]string{"endpoint", "token"}), []string{"endpoint, token", "known only after apply", "-target"}},
		"not configured": {nil, []string{"before the provider was configured"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var diags diag.Diagnostics
			ready := test.clients.ReadyKuscia(&diags)
			if ready != (len(test.want) == 0) || ready == diags.HasError() {
				t.Fatalf("ready %t, %v", ready, diags)
			}
			for _, want := range test.want {
				if !strings.Contains(diags[0].Detail(), want) {
					t.Errorf("%q does not contain %q", diags[0].Detail(), want)
				}
			}
		})
	}
}
