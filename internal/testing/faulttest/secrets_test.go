package faulttest_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
)

// Secrets in addition to plantedKey. None may appear in any output.
const (
	plantedToken  = "PlantedTokenPlantedTokenPlanted0"
	plantedHeader = "planted-header-value-77c1"
	// Those for IEF.
	plantedSecretKey     = "PlantedSecretKeyPlantedSecretKey11"
	plantedSecurityToken = "PlantedSecurityTokenPlantedSecurityToken22"
)

// planted are the secrets by the name of their variable.
var planted = map[string]string{
	"token": plantedToken, "header": plantedHeader, "key": plantedKey, "secret_key": plantedSecretKey, "security_token": plantedSecurityToken,
}

// checkNoSecrets searches the planted secrets in texts, in every spelling.
func checkNoSecrets(t *testing.T, texts ...string) {
	t.Helper()
	for _, text := range texts {
		for _, secret := range planted {
			if spelling, around := findSecret(text, secret); spelling != "" {
				t.Errorf("a secret is in the output as %s: ...%s...", spelling, around)
			}
		}
	}
}

// openTofuRefresh is the warning that OpenTofu's core logs when a refresh
// returns other values than the state has, as the first one after an import
// does. It has the values in clear text, whatever the schema says, and the
// provider cannot prevent it. Terraform does not log it.
var openTofuRefresh = regexp.MustCompile(`(?m)^.*\[WARN\]\s+Provider .* produced an unexpected new value for .* during refresh\.\n(?:      - .*\n)*`)

// forgottenMark is the plan of a delete that has failed before: with the first one
// Terraform forgets that a value was sensitive in the configuration. Only a write-only
// attribute keeps it out of the plan.
var forgottenMark = regexp.MustCompile(`(?s)\n +- serving_input_config += jsonencode\(\n.*?\n +\) -> null\n`)

// withoutOwnLeaks removes them from the output of a CLI.
func withoutOwnLeaks(output string) string {
	return forgottenMark.ReplaceAllString(openTofuRefresh.ReplaceAllString(output, ""), "\n")
}

// checkNoSecrets searches them in texts and in the provider's log.
func (b *testbed) checkNoSecrets(t *testing.T, texts ...string) {
	t.Helper()
	log := b.terraform.log.String()
	if !strings.Contains(log, `"operation":"`) {
		t.Error("the log has no request, so the search for secrets proves nothing")
	}
	checkNoSecrets(t, append(texts, log)...)
}

// checkNoSecrets searches the planted secrets, and the CLI's own, in all output and
// logs of a CLI.
func (c *cli) checkNoSecrets(t *testing.T, output string) {
	t.Helper()
	if !strings.Contains(output, "provider configured") {
		t.Error("the provider's log is not in the output, so the search for secrets proves nothing")
	}
	checkNoSecrets(t, withoutOwnLeaks(output))
	for _, secret := range c.secrets {
		if strings.Contains(output, secret) {
			t.Error("a part of the client key is in the output")
		}
	}
}

// TestEchoedSecrets: the server, or a proxy, returns what it has received and
// what it has stored.
func TestEchoedSecrets(t *testing.T) {
	t.Parallel()
	config := solo("one", "app").inputConfig()
	everything := "token " + plantedToken + ", header " + plantedHeader + ", key " + plantedKey + ", config " + config
	inJSON, err := json.Marshal(everything)
	must(err)
	echoes := map[string]sandbox.Fault{
		"in the message": {Kind: sandbox.FaultCode, Message: everything},
		"quoted in it":   {Kind: sandbox.FaultCode, Message: string(inJSON)},
		"with a panic":   {Kind: sandbox.FaultCode, Code: 11101, Message: "panic: " + everything},
		"in the data":    {Kind: sandbox.FaultBody, Body: `{"status":{"code":0,"message":` + string(inJSON) + `},"data":{"x":` + string(inJSON) + `}}`},
		"in a code":      {Kind: sandbox.FaultBody, Body: `{"status":{"code":` + string(inJSON) + `}}`},
		"no JSON":        {Kind: sandbox.FaultBody, Body: everything},
		"cut JSON":       {Kind: sandbox.FaultBody, Body: `{"status":{"code":0},"data":` + string(inJSON)},
		"an HTML page":   {Kind: sandbox.FaultBody, ContentType: "text/html", Body: "<html>" + everything + "</html>"},
		"400":            {Kind: sandbox.FaultBody, Status: 400, ContentType: "text/plain", Body: everything},
		"401":            {Kind: sandbox.FaultBody, Status: 401, ContentType: "text/plain", Body: everything},
		"502":            {Kind: sandbox.FaultBody, Status: 502, ContentType: "text/plain", Body: everything},
	}
	for name, echo := range echoes {
		for path, is := range map[string]scenario{
			"serving/create":            scenarios["create servings"](1),
			"serving/query":             scenarios["update servings"](1),
			"serving/update":            scenarios["update servings"](1),
			"serving/delete":            scenarios["delete servings"](1),
			"serving/status/batchQuery": scenarios["create servings"](1),
		} {
			t.Run(path+"/"+name, func(t *testing.T) {
				t.Parallel()
				hit := untilHit(t, func(try int) int {
					b := newTestbed(t, sandbox.Options{})
					if len(is.initial.resources()) > 0 {
						b.checkConverges(t, is.initial)
					}
					fault := echo // the cases run in parallel
					fault.Path, fault.Times = path, sandbox.Always
					b.server.Inject(fault)
					b.terraform.done = nil
					o := b.terraform.apply(is.desired.within(faultyTimeouts[try]).resources()...)
					hits := b.server.FaultHits()
					if hits > 0 && o.ok() && name != "in the data" {
						t.Errorf("%d hits; the apply printed: %s", hits, o.text())
					}
					b.checkNoSecrets(t, o.text())
					return hits
				})
				if !hit {
					t.Error("the fault was never injected")
				}
			})
		}
	}
}

// TestAccSecrets runs the built provider with mutual TLS, with all credentials
// in the environment and a CLI with full logs: after success, a refused token
// and lost connections, no secret is in the output.
func TestAccSecrets(t *testing.T) {
	t.Parallel()
	w := newCLI(t)
	b := newTestbed(t, sandbox.Options{Protocol: sandbox.ProtocolMTLS})
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
	providerBlock := attrs{"endpoint": b.server.Endpoint(), "custom_headers": attrs{"tenant": plantedHeader}, "max_retries": 1}
	update := scenarios["update servings"](1)
	first, second := update.initial.within("1m"), update.desired.within("1m")
	for _, step := range []struct {
		desired configuration
		fault   sandbox.FaultKind
		code    int
	}{
		{first, sandbox.FaultUnauthorized, 1},
		{first, "", 0},
		{second, sandbox.FaultReset, 1},
		{second, sandbox.FaultHTML, 1},
		{second, "", 0},
		{configuration{}, "", 0},
	} {
		if step.fault != "" {
			b.server.Inject(sandbox.Fault{Kind: step.fault, Times: sandbox.Always})
		}
		w.configure(providerBlock, step.desired)
		output, code := w.apply(t)
		b.server.ClearFaults()
		if code != step.code {
			t.Errorf("%s: exit code %d:\n%s", step.fault, code, withoutLog(output))
		}
		w.checkNoSecrets(t, output)
	}
}
