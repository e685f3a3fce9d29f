package plan

import (
	"strings"
	"testing"
)

// TestLimit: what is too large is not decoded.
func TestLimit(t *testing.T) {
	t.Parallel()
	text := `{"format_version":"1.2"}`
	if _, err := readUpTo(strings.NewReader(text), int64(len(text))); err != nil {
		t.Error(err)
	}
	if _, err := readUpTo(strings.NewReader(text+" "), int64(len(text))); err == nil || !strings.Contains(err.Error(), "is larger than") {
		t.Errorf("a plan above the limit: %v", err)
	}
}
