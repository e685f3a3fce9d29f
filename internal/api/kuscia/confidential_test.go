package kuscia

import (
	"strings"
	"testing"
)

// TestConfidential: bodies of configuration entries and certificates are not logged, not even
// with masked values.
func TestConfidential(t *testing.T) {
	for name, op := range operations {
		if group, _, _ := strings.Cut(name, "/"); (group == "config" || group == "certificate") && !op.Secret {
			t.Errorf("bodies of %s are logged", name)
		}
	}
}
