package provider

import (
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testcert"
)

// pair is a certificate and its key in PEM form.
type pair struct{ cert, key string }

// twoPairs returns two certificates with their keys, which do not match each other.
func twoPairs(t *testing.T) (a, b pair) {
	t.Helper()
	a.cert, a.key = testcert.Pair(t, "a")
	b.cert, b.key = testcert.Pair(t, "b")
	return a, b
}
