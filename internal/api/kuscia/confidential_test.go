package kuscia

import (
	"strings"
	"testing"
)

// TestConfidential: bodies of configuration entries and certificates are not logged, not even
// with masked values.
func TestConfidential(t *testing.T) {
	found := map[string]bool{}
	for name, op := range operations {
		group, _, _ := strings.Cut(name, "/")
		found[group] = true
		if (group == "config" || group == "certificate") && !op.Secret {
			t.Errorf("bodies of %s are logged", name)
		}
	}
	if !found["config"] || !found["certificate"] {
		t.Errorf("only %v were checked", found)
	}
}
