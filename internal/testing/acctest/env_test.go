package acctest_test

import (
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestNewUsesTheEnvironment simulates a real Kuscia with a sandbox in
// KUSCIA_ENDPOINT: the helpers then have no sandbox.
func TestNewUsesTheEnvironment(t *testing.T) {
	far := acctest.NewSandbox(t, sandbox.Options{Protocol: sandbox.ProtocolMTLS}).Sandbox
	t.Setenv("KUSCIA_ENDPOINT", far.Endpoint())
	t.Setenv("KUSCIA_CERTS_DIR", far.CertsDir())

	env := acctest.New(t)
	if env.Sandbox != nil {
		t.Error("a sandbox was started in addition to the Kuscia of the environment")
	}
	if err := env.API.Health(t.Context()); err != nil {
		t.Error(err)
	}
	if got := env.ProviderConfig(); strings.Contains(got, "endpoint") {
		t.Errorf("the endpoint is not that of the environment: %s", got)
	}
	if far.Count("/healthZ") != 1 {
		t.Error("the client uses another server")
	}
	t.Run("only in the sandbox", func(t *testing.T) {
		env.RequireSandbox(t, "shown by this very skip")
		t.Error("not skipped")
	})
}
