package server

import (
	"fmt"
	"regexp"
	"strings"
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

// LookupError is the error text for a name that does not exist in the store.
func LookupError(kind, name string) string {
	if strings.Contains(name, "/") {
		return fmt.Sprintf("invalid resource name %q: [may not contain '/']", name)
	}
	return fmt.Sprintf("%s.kuscia.secretflow %q not found", kind, name)
}

// ExistsError is the error text for a name that exists.
func ExistsError(kind, name string) string {
	return fmt.Sprintf("%s.kuscia.secretflow %q already exists", kind, name)
}

// ConflictError is the error text for a conflicting write.
func ConflictError(kind, name string) string {
	return fmt.Sprintf("Operation cannot be fulfilled on %s.kuscia.secretflow %q: the object has been modified; please apply your changes to the latest version and try again", kind, name)
}
