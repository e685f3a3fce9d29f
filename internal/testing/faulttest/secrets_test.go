package faulttest_test

import (
	"regexp"
	"strings"
	"testing"
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
	if !strings.Contains(log, `"operation":"`) && !strings.Contains(log, "IEF request body") && !strings.Contains(log, "Kubernetes API") {
		t.Error("the log has no request, so the search for secrets proves nothing")
	}
	checkNoSecrets(t, append(texts, log)...)
}

// checkNoSecrets searches the planted secrets, and the CLI's own, in its output and logs.
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
