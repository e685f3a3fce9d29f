package faulttest_test

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// hiding is a configuration for the CLI with all secrets of objects. They are write-only
// values with this version, or in the state if it is 0.
func hiding(endpoint string, version int) string {
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
	return acctest.RequiredProvider + acctest.Variable("key", variable) + acctest.Variable("token", variable) + acctest.Variable("header", attrs{"ephemeral": true}) +
		acctest.ProviderBlock(attrs{"endpoint": endpoint, "custom_headers": attrs{"tenant": acctest.Reference("var.header")}, "max_retries": 0}) +
		acctest.AppImageBlock{Label: "app", Name: "app"}.String() +
		acctest.Block("kuscia_serving", "one", with(attrs{
			"serving_id": "one", "initiator": "alice", "timeouts": attrs{"create": "1m", "update": "5s", "delete": "1m"},
			"parties": attrs{"alice": attrs{"app_image": acctest.Reference("kuscia_app_image.app.name"), "replicas": 1 + version%2}},
		}, map[string]acctest.Reference{"serving_input_config": "jsonencode({ key = var.key })"})) +
		acctest.Block("kuscia_config", "one", with(attrs{"key": "one"}, map[string]acctest.Reference{"value": "jsonencode({ password = var.key })"})) +
		acctest.Block("kuscia_domain_data_source", "bucket", attrs{
			"domain_id": "alice", "datasource_id": "bucket", "type": "oss",
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

// TestAccSecrets runs the built provider with mutual TLS, with all credentials in the
// environment and a CLI with full logs: whatever the outcome of the apply, write-only values
// and credentials are neither in the state, its backup and private state, nor in a plan, nor
// in any output.
func TestAccSecrets(t *testing.T) {
	t.Parallel()
	w := newCLI(t)
	acctest.RequireWriteOnly(t)
	b := newTestbed(t, sandbox.Options{Protocol: sandbox.ProtocolMTLS, Autonomy: "alice"})
	for variable, file := range map[string]string{
		"KUSCIA_CLIENT_KEY": "kusciaapi-server.key", "KUSCIA_CLIENT_CERTIFICATE": "kusciaapi-server.crt", "KUSCIA_CA_CERTIFICATE": "ca.crt", "KUSCIA_TOKEN": "token",
	} {
		content, err := os.ReadFile(filepath.Join(b.server.CertsDir(), file))
		must(err)
		w.environment = append(w.environment, variable+"="+string(content))
		if variable == "KUSCIA_CLIENT_KEY" {
			for line := range strings.Lines(string(content)) {
				if !strings.HasPrefix(line, "-----") {
					w.secrets = append(w.secrets, strings.TrimSpace(line))
				}
			}
		}
	}
	if len(w.secrets) == 0 {
		t.Fatal("the client key has no lines to search for")
	}
	echo := func(path string, secrets ...string) sandbox.Fault {
		message := "cannot use " + everyForm(plantedToken)
		for _, secret := range secrets {
			message += ", " + everyForm(secret)
		}
		return sandbox.Fault{Kind: sandbox.FaultCode, Path: path, Message: message}
	}
	for _, step := range []struct {
		name    string
		version int
		fault   sandbox.Fault
	}{
		{"refused token", 1, sandbox.Fault{Kind: sandbox.FaultUnauthorized, Path: "create"}},
		{"create", 1, sandbox.Fault{}},
		{"the answer is lost", 2, sandbox.Fault{Kind: sandbox.FaultReset, Path: "update", AfterEffect: true}},
		{"a page", 2, sandbox.Fault{Kind: sandbox.FaultHTML}},
		{"an update of a serving talks too much", 3, echo("serving/update", plantedKey)},
		{"an update of a source talks too much", 4, echo("domaindatasource/update", "secret-"+plantedKey, "id-"+plantedKey)},
		{"update", 4, sandbox.Fault{}},
	} {
		w.save(hiding(b.server.Endpoint(), step.version))
		planned, code := w.run(t, "plan", "-no-color", "-input=false", "-out=saved.plan")
		if code != 0 {
			t.Fatalf("%s: the plan fails:\n%s", step.name, withoutLog(planned))
		}
		if step.fault.Kind != "" {
			step.fault.Times = sandbox.Always
			b.server.Inject(step.fault)
		}
		applied, code := w.run(t, "apply", "-no-color", "-input=false", "saved.plan")
		b.server.ClearFaults()
		if (step.fault.Kind != "") != (code != 0) {
			t.Errorf("%s: exit code %d:\n%s", step.name, code, withoutLog(applied))
		}
		w.checkNoSecrets(t, planned)
		w.checkNoSecrets(t, applied)
		checkNoSecrets(t, w.stored(t))
	}
	if stored, _ := b.server.ConfigValue("one"); !strings.Contains(stored, plantedKey) {
		t.Errorf("Kuscia has %q", stored)
	}

	// Without write-only attributes the texts are in the state alone, which proves that the
	// search works.
	w.save(hiding(b.server.Endpoint(), 0))
	output, code := w.apply(t)
	if code != 0 {
		t.Errorf("without write-only attributes: %s", withoutLog(output))
	}
	w.checkNoSecrets(t, output)
	for _, secret := range []string{`"secret-` + plantedKey, `"id-` + plantedKey, `"` + plantedKey} {
		if !strings.Contains(w.stored(t), secret) {
			t.Errorf("%q is not found in the state, so the search for secrets proves nothing", secret)
		}
	}
	if output, code = w.run(t, "destroy", "-no-color", "-input=false", "-auto-approve"); code != 0 {
		t.Errorf("destroy: %s", withoutLog(output))
	}
	w.checkNoSecrets(t, output)
}

// encodedText may be text in base64.
var encodedText = regexp.MustCompile(`"([A-Za-z0-9+/=]{8,})"`)

// stored is what the CLI has stored: the state, its backup and the saved plan, with decoded
// private state.
func (c *cli) stored(t *testing.T) string {
	t.Helper()
	text, _ := c.run(t, "show", "-json", "saved.plan")
	for _, name := range []string{"terraform.tfstate", "terraform.tfstate.backup"} {
		content, _ := os.ReadFile(filepath.Join(c.dir, name))
		text += string(content)
	}
	for range 2 { // its values are encoded once more
		for _, match := range encodedText.FindAllStringSubmatch(text, -1) {
			decoded, _ := base64.StdEncoding.DecodeString(match[1])
			text += string(decoded)
		}
	}
	return text
}
