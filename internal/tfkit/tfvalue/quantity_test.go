package tfvalue_test

import (
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// tooLong is much longer than parsing a quantity may take, and much shorter
// than the Kubernetes library needs for an exponent of eight digits.
const tooLong = 2 * time.Second

// within fails the test if do takes too long. The goroutine cannot be stopped.
func within(t testing.TB, text string, do func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		do()
	}()
	select {
	case <-done:
	case <-time.After(tooLong):
		t.Fatalf("%q takes more than %s", text, tooLong)
	}
}

// TestQuantityBounds: large exponents and long texts are refused before the
// Kubernetes library parses them.
func TestQuantityBounds(t *testing.T) {
	t.Parallel()
	for text, wantError := range map[string]bool{
		"1e99999999": true, "1e-99999999": true, "1E99999999": true, "-1e+99999999": true, "1e9999999999999999999999": true,
		"1e65": true, "1e-65": true, "0e99999999": true, "1e1e9999999": true, "1e": true, "1e+": true,
		strings.Repeat("9", 64): false, strings.Repeat("9", 65): true,
		"1e64": false, "1e-64": false, "1e18": false, "1E3": false, "1E": false, "2Ei": false, "5e-9": false,
	} {
		within(t, text, func() {
			if _, err := tfvalue.ParseQuantity(text); (err != nil) != wantError {
				t.Errorf("%q: %v, want an error: %t", text, err, wantError)
			}
			tfvalue.QuantityEqual(text, "1")
		})
	}
}

// TestQuantityMessageIsBounded: messages truncate long texts.
func TestQuantityMessageIsBounded(t *testing.T) {
	t.Parallel()
	if text := tfvalue.InvalidQuantity(strings.Repeat("9", 1<<20)); len(text) > 500 || !strings.Contains(text, "(1048576 characters)") {
		t.Errorf("%.600s", text)
	}
}
