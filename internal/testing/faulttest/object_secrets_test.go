package faulttest_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// hidingObjects is a configuration for the CLI with all secrets of objects
// without a rollout: keys, passwords, values and a private key.
const hidingObjects = `
terraform {
  required_providers {
    kuscia = { source = "terraform-kuscia/kuscia" }
  }
}

variable "token" {
  type      = string
  ephemeral = true
}

variable "key" {
  type      = string
  ephemeral = true
}

provider "kuscia" {
  endpoint    = %q
  token       = var.token
  max_retries = 0
}

resource "kuscia_config" "one" {
  key              = "one"
  value_wo         = jsonencode({ password = var.key })
  value_wo_version = 1
}

resource "kuscia_domain_data_source" "bucket" {
  domain_id     = "alice"
  datasource_id = "bucket"
  type          = "oss"
  name          = "first"
  oss = {
    endpoint                     = "oss.example"
    bucket                       = "b"
    access_key_id_wo             = "id-${var.key}"
    access_key_id_wo_version     = 1
    access_key_secret_wo         = "secret-${var.key}"
    access_key_secret_wo_version = 1
  }
}

resource "kuscia_domain_data_source" "database" {
  domain_id     = "alice"
  datasource_id = "database"
  type          = "mysql"
  database = {
    endpoint            = "db:3306"
    password_wo         = var.key
    password_wo_version = 1
  }
}

resource "kuscia_domain_route" "mtls" {
  source              = "bob"
  destination         = "carol"
  authentication_type = "MTLS"
  endpoint            = { host = "gateway.example", ports = [{ name = "http", port = 1080, protocol = "HTTP" }] }
  mtls_config = {
    tls_ca                               = "Y2E="
    source_client_cert                   = "Y2VydA=="
    source_client_private_key_wo         = var.token
    source_client_private_key_wo_version = 1
  }
}
`

var writeOnlyForm = regexp.MustCompile(`(?m)^.*_wo_version .*\n|_wo\b`)

// TestAccObjectSecrets: write-only values are neither in the state and its
// backups, nor in a plan and its JSON, nor in the output and logs of any level,
// whatever the server returns; other secrets are only in the state.
func TestAccObjectSecrets(t *testing.T) {
	t.Parallel()
	w := newCLI(t)
	acctest.RequireWriteOnly(t)
	b := newTestbed(t, sandbox.Options{Autonomy: "alice"})
	hidden := fmt.Sprintf(hidingObjects, b.server.Endpoint())
	renewed := strings.ReplaceAll(strings.ReplaceAll(hidden, "_version = 1", "_version = 2"), "_version     = 1", "_version     = 2")
	echoed := sandbox.Fault{
		Kind: sandbox.FaultCode, Path: "update", Times: sandbox.Always, Message: fmt.Sprintf("cannot use secret-%s, id-%s, token %s", plantedKey, plantedKey, plantedToken),
	}
	for _, step := range []struct {
		name, config string
		fault        sandbox.Fault
	}{
		{"create", hidden, sandbox.Fault{}},
		{"the server talks too much", renewed, echoed},
		{"update", renewed, sandbox.Fault{}},
		{"change beside the secrets", strings.ReplaceAll(renewed, `"first"`, `"second"`), sandbox.Fault{}},
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

	inClear := strings.ReplaceAll(writeOnlyForm.ReplaceAllString(hidden, ""), "ephemeral = true", "sensitive = true")
	w.save(inClear)
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
