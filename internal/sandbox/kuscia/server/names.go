package server

import (
	"fmt"
	"regexp"
	"strings"
)

// namePattern is the name rule of Kuscia, which appears in its error texts.
const namePattern = `^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$`

var nameRule = regexp.MustCompile(namePattern)

// CheckName returns the server's complaint about a name, or "".
func CheckName(name, field string) string {
	if nameRule.MatchString(name) {
		return ""
	}
	return fmt.Sprintf("Field %q is invalid, invalid value: %q: regex used for validation is %q ", field, name, namePattern)
}

// LookupError is the text for a name that the store does not have.
func LookupError(kind, name string) string {
	if strings.Contains(name, "/") {
		return fmt.Sprintf("invalid resource name %q: [may not contain '/']", name)
	}
	return fmt.Sprintf("%s.kuscia.secretflow %q not found", kind, name)
}

// ExistsError is the text for a name that is taken.
func ExistsError(kind, name string) string {
	return fmt.Sprintf("%s.kuscia.secretflow %q already exists", kind, name)
}

// ConflictError is the text for a write that another writer was faster than.
func ConflictError(kind, name string) string {
	return fmt.Sprintf("Operation cannot be fulfilled on %s.kuscia.secretflow %q: the object has been modified; please apply your changes to the latest version and try again", kind, name)
}
