package tfvalue

import (
	"fmt"
	"regexp"
	"strings"
)

// InvalidQuantity says that a text is no quantity, what it probably means, and what a quantity
// is. The last sentence has no full stop.
func InvalidQuantity(text string) string {
	end := "."
	if meant := meantQuantities(text); len(meant) > 0 {
		end = fmt.Sprintf(": did you mean \"%s\"?", strings.Join(meant, `" or "`))
	}
	return fmt.Sprintf("%s is not a Kubernetes quantity%s Write a number with an optional unit, for example \"0.5\" or \"500m\" for CPU, \"512Mi\" or \"2Gi\" for memory",
		Quote(text), end)
}

// otherUnit is a number with a unit as it is written elsewhere: 1GB, 512 mb, 2g, 1KiB.
var otherUnit = regexp.MustCompile(`^\s*([0-9.]+)\s*(?:([kKmMgGtTpPeE])(i|I)?)?[bB]?\s*$`)

// meantQuantities returns the quantities that a text with a unit of another notation may mean:
// a unit of bytes is one of thousands, and of 1,024 if it has an i.
func meantQuantities(text string) (meant []string) {
	if len(text) > maxQuantityLength {
		return nil
	}
	spellings := []string{strings.Join(strings.Fields(text), "")} // only spaces may be wrong
	if parts := otherUnit.FindStringSubmatch(text); parts != nil && !isQuantity(spellings[0]) {
		number, letter := parts[1], strings.ToUpper(parts[2])
		spellings = []string{number + strings.ReplaceAll(letter, "K", "k"), number + letter + "i"}
		if parts[3] != "" {
			spellings = spellings[1:]
		} else if letter == "" {
			spellings = spellings[:1]
		}
	}
	for _, one := range spellings {
		if isQuantity(one) {
			meant = append(meant, one)
		}
	}
	return meant
}

func isQuantity(text string) bool {
	_, err := ParseQuantity(text)
	return err == nil
}
