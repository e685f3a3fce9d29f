package edgedeployment_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	sandbox "github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestAccEdgeDeployment_unknown: the CLI accepts the plans of values that it knows after
// the apply of others only.
func TestAccEdgeDeployment_unknown(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestPropertyUnknown", "TestLife"))
	t.Parallel()
	f := newFabric(t, sandbox.Options{})
	later := acctest.Reference("terraform_data.v.output")
	w := acctest.NewWorkspace(t, f.factories())
	write := func(value string) {
		w.Write("main.tf", acctest.Block("terraform_data", "v", attributes{"input": value})+acctest.Block(resourceType, "test", attributes{
			"name": "lite", "description": later, "node_ids": []any{later}, "containers": []any{attributes{
				"name": "app", "image_url": acctest.Reference(`"kuscia:${terraform_data.v.output}"`), "envs": []any{attributes{"name": "A", "value": later}},
				"resources": attributes{"limits": attributes{"memory": acctest.Reference(`"${length(terraform_data.v.output)}Gi"`)}},
			}},
		}))
	}
	write("one")
	w.Init()
	w.DestroyAtEnd()
	w.Apply()
	write("three")
	if output := w.Run(0, "apply", "-auto-approve", "-input=false"); !strings.Contains(output, "1 added, 1 changed, 1 destroyed") {
		t.Errorf("the second apply says\n%s", output)
	}
	w.Plan(acctest.PlanEmpty)
}

// TestAccEdgeDeployment_secrets: credentials are in no state and no log, and values of
// variables in no line of the client.
func TestAccEdgeDeployment_secrets(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestSecretMatrix", "TestSecrets_read"))
	f := newFabric(t, sandbox.Options{AccessKey: "ACCESSKEYOFTHETEST", SecretKey: "secret-key-of-the-test", SecurityToken: "security-token-of-the-test"})
	log := filepath.Join(t.TempDir(), "log")
	for _, prefix := range []string{"TF_LOG", "TF_ACC_LOG"} {
		t.Setenv(prefix, "TRACE")
		t.Setenv(prefix+"_PATH", log)
	}
	t.Setenv("TF_VAR_token", "deploy-token-of-the-test")
	w := acctest.NewWorkspace(t, f.factories())
	w.Write("main.tf", acctest.Variable("token", attributes{"sensitive": true})+conf{container: `envs = [{ name = "TOKEN", value = var.token }]`}.hcl())
	w.Init()
	w.DestroyAtEnd()
	w.Apply()
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	state, content := w.Read("terraform.tfstate"), string(text)
	if !strings.Contains(content, "IEF") || !strings.Contains(state, "lite") {
		t.Errorf("%d bytes of log without a line of the client, state %s", len(content), state)
	}
	for _, secret := range []string{"secret-key-of-the-test", "security-token-of-the-test", "ACCESSKEYOFTHETEST"} {
		if strings.Contains(content, secret) || strings.Contains(state, secret) {
			t.Errorf("%s is in the log or the state", secret)
		}
	}
	for line := range strings.Lines(content) {
		if strings.Contains(line, "deploy-token-of-the-test") && strings.Contains(line, "IEF") {
			t.Errorf("the value of a variable is logged: %s", line)
		}
	}
}
