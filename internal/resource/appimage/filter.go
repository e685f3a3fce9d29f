package appimage

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// filter says which app images of a list are desired. KusciaAPI has no filters,
// so that every page is fetched and looked through here; its answers have the
// whole definition, so that looking at any part of it costs nothing.
type filter struct {
	namePrefix string
	nameRegex  *regexp.Regexp // nil: any name
	imageName  string
}

// matchesAll reports whether the filter lets every app image through.
func (f filter) matchesAll() bool { return f == filter{} }

func (f filter) matches(image *kuscia.AppImage) bool {
	return strings.HasPrefix(image.Name, f.namePrefix) &&
		(f.nameRegex == nil || f.nameRegex.MatchString(image.Name)) &&
		(f.imageName == "" || image.Image.Name == f.imageName)
}

// compileNameRegex says what is wrong with an expression, "" if nothing.
func compileNameRegex(text string) (expression *regexp.Regexp, problem string) {
	expression, err := regexp.Compile(text)
	if err != nil {
		return nil, fmt.Sprintf("%q is not a regular expression: %s. The syntax is that of RE2, as in Terraform's regex function; "+
			"anchor it with ^ and $ to match the whole name, for example \"^secretflow-[0-9.]+$\".", text, strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	return expression, ""
}
