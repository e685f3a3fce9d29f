package server

import (
	"fmt"
	"regexp"
)

// namePattern is Kuscia's pattern for names, which its error texts contain.
const namePattern = `^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$`

var nameRule = regexp.MustCompile(namePattern)

// CheckName returns the server's error for a name, or "".
func CheckName(name, field string) string {
	if nameRule.MatchString(name) {
		return ""
	}
	return fmt.Sprintf("Field %q is invalid, invalid value: %q: regex used for validation is %q ", field, name, namePattern)
}
