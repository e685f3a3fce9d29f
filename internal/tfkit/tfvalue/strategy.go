package tfvalue

import (
	"regexp"
	"strconv"
	"strings"
)

var countOrPercent = regexp.MustCompile(`^[0-9]{1,9}%?$`)

// ParseCountOrPercent splits "3" into (3, false) and "25%" into (25, true).
func ParseCountOrPercent(text string) (number int, percent, ok bool) {
	if !countOrPercent.MatchString(text) {
		return 0, false, false
	}
	digits := strings.TrimSuffix(text, "%")
	number, err := strconv.Atoi(digits)
	return number, digits != text, err == nil
}

// CountOrPercentEqual reports whether two texts denote the same number or the
// same percentage, for example "1" and "01".
func CountOrPercentEqual(a, b string) bool {
	if a == b {
		return true
	}
	x, xPercent, xOK := ParseCountOrPercent(a)
	y, yPercent, yOK := ParseCountOrPercent(b)
	return xOK && yOK && x == y && xPercent == yPercent
}

// CanonicalCountOrPercent returns a number or a percentage as it is usually written, without
// leading zeros, and any other text unchanged.
func CanonicalCountOrPercent(text string) string {
	number, percent, ok := ParseCountOrPercent(text)
	if !ok {
		return text
	}
	canonical := strconv.Itoa(number)
	if percent {
		canonical += "%"
	}
	return canonical
}

// OtherSpelling returns the same percentage with a leading zero, or without one if it has any:
// Kuscia stores it as another text. ok is false for what is no percentage: Kuscia stores numbers
// as numbers.
func OtherSpelling(text string) (other string, ok bool) {
	if _, percent, ok := ParseCountOrPercent(text); !ok || !percent {
		return text, false
	}
	if canonical := CanonicalCountOrPercent(text); canonical != text {
		return canonical, true
	}
	return "0" + text, true
}
