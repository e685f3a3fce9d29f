package provider_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/config"
	acc "github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestAccProvider_ephemeralVariables: every credential can be an ephemeral
// variable, which Terraform does not store.
func TestAccProvider_ephemeralVariables(t *testing.T) {
	t.Parallel()
	s := acctest.NewSandbox(t, sandbox.Options{Protocol: sandbox.ProtocolMTLS}).Sandbox
	acctest.RequireWriteOnly(t) // older versions have no ephemeral values either
	values := map[string]string{
		"token": s.Token(), "ca": read(t, s.CertsDir(), "ca.crt"), "certificate": read(t, s.CertsDir(), "kusciaapi-server.crt"),
		"key": read(t, s.CertsDir(), "kusciaapi-server.key"), "header": "team-a",
	}
	variables, given := "", config.Variables{}
	for name, value := range values {
		variables += acctest.Variable(name, object{"ephemeral": true})
		given[name] = config.StringVariable(value)
	}
	block := acctest.ProviderBlock(object{
		"endpoint": s.Endpoint(), "token": acctest.Reference("var.token"), "ca_certificate": acctest.Reference("var.ca"),
		"client_certificate": acctest.Reference("var.certificate"), "client_key": acctest.Reference("var.key"),
		"custom_headers": object{"tenant": acctest.Reference("var.header")},
	})
	acc.Test(t, acc.TestCase{
		ProtoV6ProviderFactories: acctest.Factories(nil),
		Steps: []acc.TestStep{{
			Config:            variables + block + status,
			ConfigVariables:   given,
			ConfigStateChecks: answered(),
		}},
	})
}
