package clients

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// TestReady: a request to an API while the provider block is not known, before it was
// configured, or without its settings, is one error, which says so, and a way out.
func TestReady(t *testing.T) {
	t.Parallel()
	unknown := WithUnknownSettings([]string{"endpoint", "token"})
	unknown.IEF.Unknown, unknown.Kubernetes.Unknown = []string{"endpoint", "token"}, []string{"endpoint", "token"}
	early := func(api string) []string {
		return []string{"request to " + api + " was made before the provider was configured"}
	}
	wayOut := []string{"endpoint, token", "known only after apply", "-target"}
	for name, test := range map[string]struct {
		clients *Clients
		// kuscia, ief and kubernetes are in the diagnostic of each API; nil if it is ready.
		kuscia, ief, kubernetes []string
	}{
		"no provider": {nil, early("Kuscia"), early("IEF"), early("the Kubernetes API")},
		"unknown":     {&unknown, wayOut, wayOut, wayOut},
		"only Kuscia": {
			&Clients{IEF: IEF{Missing: "no IEF"}, Kubernetes: Kubernetes{Missing: "no cluster"}},
			nil, []string{"no IEF"}, []string{"no cluster"},
		},
		"no Kuscia": {
			&Clients{missing: "no endpoint", IEF: IEF{Client: new(ief.Client)}, Kubernetes: Kubernetes{Missing: "no cluster"}},
			[]string{"no endpoint"}, nil, []string{"no cluster"},
		},
	} {
		var ofKuscia, ofIEF, ofKubernetes diag.Diagnostics
		kuscia := test.clients.ReadyKuscia(&ofKuscia)
		_, iefReady := test.clients.ReadyIEF(&ofIEF)
		_, kubernetes := test.clients.ReadyKubernetes(&ofKubernetes)
		check := func(api string, ready bool, diags diag.Diagnostics, want []string) {
			if ready != (want == nil) || len(diags) != min(1, len(want)) {
				t.Fatalf("%s: %s is ready: %t, %v", name, api, ready, diags)
			}
			if want != nil {
				protocol.Says(t, name+": "+api, diags[0].Detail(), want...)
			}
		}
		check("Kuscia", kuscia, ofKuscia, test.kuscia)
		check("IEF", iefReady, ofIEF, test.ief)
		check("Kubernetes", kubernetes, ofKubernetes, test.kubernetes)
	}
}
