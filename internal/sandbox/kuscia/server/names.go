package server

import (
	"fmt"
	"regexp"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
)

// namePattern is Kuscia's pattern for names, which its error texts contain.
const namePattern = `^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$`

var nameRule = regexp.MustCompile(namePattern)

// CheckName returns the error of a version for a name, or "".
func CheckName(version versions.Version, name, field string) string {
	if nameRule.MatchString(name) {
		return ""
	}
	if !version.Has(versions.NameErrorTexts) {
		return fmt.Sprintf("Field '%s' is invalid, Invalid value: '%s': regex used for validation is '%s' ", field, name, namePattern)
	}
	return fmt.Sprintf("Field %q is invalid, invalid value: %q: regex used for validation is %q ", field, name, namePattern)
}
