package faulttest_test

import (
	"strings"
	"testing"
)

// Secrets that are planted beside plantedKey. None may come out anywhere.
const (
	plantedToken  = "PlantedTokenPlantedTokenPlanted0"
	plantedHeader = "planted-header-value-77c1"
)

// planted are the secrets by the name of the variable that has them.
var planted = map[string]string{"token": plantedToken, "header": plantedHeader, "key": plantedKey}

// noSecrets looks for the planted secrets in texts.
func noSecrets(t *testing.T, texts ...string) {
	t.Helper()
	for _, text := range texts {
		for _, secret := range planted {
			if i := strings.Index(text, secret); i >= 0 {
				t.Errorf("a secret came out: ...%s...", text[max(0, i-300):min(len(text), i+100)])
			}
		}
	}
}

// noSecrets looks for them in texts and in all that the provider logged.
func (b *testbed) noSecrets(t *testing.T, texts ...string) {
	t.Helper()
	log := b.terraform.log.String()
	if !strings.Contains(log, "KusciaAPI request body") {
		t.Error("the log has no request; looking for secrets in it shows nothing")
	}
	noSecrets(t, append(texts, log)...)
}
