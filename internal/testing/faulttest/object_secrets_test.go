package faulttest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// hidingObjects is a configuration for the CLI with all secrets of objects
// without a rollout: keys, passwords, values and a private key. They are
// write-only values with this version, or in the state if it is 0.
func hidingObjects(endpoint, name string, version int) string {
	with := func(attributes attrs, secrets map[string]acctest.Reference) attrs {
		for secret, value := range secrets {
			if version == 0 {
				attributes[secret] = value
				continue
			}
			attributes[secret+"_wo"], attributes[secret+"_wo_version"] = value, version
		}
		return attributes
	}
	variable := attrs{"ephemeral": version > 0, "sensitive": version == 0}
	return acctest.RequiredProvider + acctest.Variable("token", variable) + acctest.Variable("key", variable) +
		acctest.ProviderBlock(attrs{"endpoint": endpoint, "token": acctest.Reference("var.token"), "max_retries": 0}) +
		acctest.Block("kuscia_config", "one", with(attrs{"key": "one"}, map[string]acctest.Reference{"value": "jsonencode({ password = var.key })"})) +
		acctest.Block("kuscia_domain_data_source", "bucket", attrs{
			"domain_id": "alice", "datasource_id": "bucket", "type": "oss", "name": name,
			"oss": with(attrs{"endpoint": "oss.example", "bucket": "b"}, map[string]acctest.Reference{
				"access_key_id": `"id-${var.key}"`, "access_key_secret": `"secret-${var.key}"`,
			}),
		}) +
		acctest.Block("kuscia_domain_data_source", "database", attrs{
			"domain_id": "alice", "datasource_id": "database", "type": "mysql",
			"database": with(attrs{"endpoint": "db:3306"}, map[string]acctest.Reference{"password": "var.key"}),
		}) +
		acctest.Block("kuscia_domain_route", "mtls", attrs{
			"source": "bob", "destination": "carol", "authentication_type": "MTLS",
			"endpoint": attrs{"host": "gateway.example", "ports": []any{attrs{"name": "http", "port": 1080, "protocol": "HTTP"}}},
			"mtls_config": with(attrs{"tls_ca": "Y2E=", "source_client_cert": "Y2VydA=="}, map[string]acctest.Reference{
				"source_client_private_key": "var.token",
			}),
		})
}

// TestAccObjectSecrets: write-only values are neither in the state and its
// backups, nor in a plan and its JSON, nor in the output and logs of any level,
// whatever the server returns; other secrets are only in the state.
func TestAccObjectSecrets(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestSecretMatrix", "TestAccDataSource_secrets"))
	t.Parallel()
	w := newCLI(t)
	acctest.RequireWriteOnly(t)
	b := newTestbed(t, sandbox.Options{Autonomy: "alice"})
	config := func(name string, version int) string { return hidingObjects(b.server.Endpoint(), name, version) }
	echoed := sandbox.Fault{
		Kind: sandbox.FaultCode, Path: "update", Times: sandbox.Always, Message: fmt.Sprintf("cannot use %s, %s, token %s", everyForm("secret-"+plantedKey), everyForm("id-"+plantedKey), everyForm(plantedToken)),
	}
	for _, step := range []struct {
		name, config string
		fault        sandbox.Fault
	}{
		{"create", config("first", 1), sandbox.Fault{}},
		{"the server talks too much", config("first", 2), echoed},
		{"update", config("first", 2), sandbox.Fault{}},
		{"change beside the secrets", config("second", 2), sandbox.Fault{}},
	} {
		w.save(step.config)
		w.applySaved(t, b, step.name, step.fault, step.fault.Kind != "")
		for name, content := range w.files(t) {
			if name != "main.tf" {
				checkNoSecrets(t, content)
			}
		}
	}
	if stored, _ := b.server.ConfigValue("one"); !strings.Contains(stored, plantedKey) {
		t.Errorf("Kuscia has %q", stored)
	}

	w.save(config("first", 0))
	output, code := w.apply(t)
	if code != 0 {
		t.Errorf("without write-only attributes: %s", withoutLog(output))
	}
	w.checkNoSecrets(t, output)
	state := w.files(t)["terraform.tfstate"]
	for _, secret := range []string{`"secret-` + plantedKey, `"id-` + plantedKey, `"` + plantedKey, plantedToken} {
		if !strings.Contains(state, secret) {
			t.Errorf("%q is not found in the state, so the search for secrets proves nothing", secret)
		}
	}
	output, code = w.run(t, "destroy", "-no-color", "-input=false", "-auto-approve")
	if code != 0 {
		t.Errorf("destroy: %s", withoutLog(output))
	}
	w.checkNoSecrets(t, output)
}
