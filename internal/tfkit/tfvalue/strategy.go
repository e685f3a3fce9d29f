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
