package appimage

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// filter selects app images of a list. The KusciaAPI has no filters, so every
// page is read and filtered here. Its responses contain the complete
// definition, so any part of it can be matched without further requests.
type filter struct {
	namePrefix string
	nameRegex  *regexp.Regexp // nil matches any name
	imageName  string
}

// matchesAll reports whether the filter matches every app image.
func (f filter) matchesAll() bool { return f == filter{} }

func (f filter) matches(image *kuscia.AppImage) bool {
	return strings.HasPrefix(image.Name, f.namePrefix) &&
		(f.nameRegex == nil || f.nameRegex.MatchString(image.Name)) &&
		(f.imageName == "" || image.Image.Name == f.imageName)
}

// compileNameRegex compiles a regular expression and returns its problem, ""
// for none.
func compileNameRegex(text string) (expression *regexp.Regexp, problem string) {
	expression, err := regexp.Compile(text)
	if err != nil {
		return nil, fmt.Sprintf("Invalid regular expression %q: %s. The syntax is that of RE2, as in Terraform's regex function; "+
			"anchor it with ^ and $ to match the whole name, for example \"^secretflow-[0-9.]+$\".", text, strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	return expression, ""
}

// nameRegexProblem returns the problem of a regular expression, "" for none.
func nameRegexProblem(text string) string {
	_, problem := compileNameRegex(text)
	return problem
}
