package tfvalue

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/api/resource"
)

// Limits that are checked before the Kubernetes library parses a text: its run
// time grows with the power of ten, and an exponent of a few digits is enough
// to hang it. Kubernetes stores amounts from 1e-9 to 2^63-1.
const (
	maxQuantityLength   = 64
	maxQuantityExponent = 64
)

// ParseQuantity parses a quantity with the library of the Kubernetes server.
func ParseQuantity(text string) (resource.Quantity, error) {
	if len(text) > maxQuantityLength {
		return resource.Quantity{}, fmt.Errorf("longer than %d characters", maxQuantityLength)
	}
	if !boundedExponent(text) {
		return resource.Quantity{}, fmt.Errorf("an exponent beyond %d", maxQuantityExponent)
	}
	return resource.ParseQuantity(text)
}

// boundedExponent reports whether the exponent after the first e or E, if any,
// is within the limits. The units E and Ei are no exponents.
func boundedExponent(text string) bool {
	at := strings.IndexAny(text, "eE")
	if at < 0 || text[at:] == "E" || text[at:] == "Ei" {
		return true
	}
	exponent, err := strconv.Atoi(text[at+1:])
	return err == nil && exponent >= -maxQuantityExponent && exponent <= maxQuantityExponent
}

// Quote quotes user text in a message and truncates it.
func Quote(text string) string {
	if len(text) > maxQuantityLength {
		return fmt.Sprintf("%q... (%d characters)", strings.ToValidUTF8(text[:maxQuantityLength], "?"), utf8.RuneCountInString(text))
	}
	return strconv.Quote(text)
}

// QuantityEqual reports whether two texts denote the same amount. A text that
// is not a quantity equals only itself, so "" equals only "".
func QuantityEqual(a, b string) bool {
	if a == b {
		return true
	}
	x, errX := ParseQuantity(a)
	y, errY := ParseQuantity(b)
	return errX == nil && errY == nil && x.Cmp(y) == 0
}
