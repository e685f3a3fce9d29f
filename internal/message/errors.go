// Package message has the texts of errors and warnings that several resources have: of failed
// requests, of waits that have failed, and of objects that exist already.
package message

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// AddError adds an error of a call or a wait to the diagnostics: the operation,
// the response of Kuscia with its code, and what to do.
func AddError(diags *diag.Diagnostics, summary string, err error) {
	diags.AddError(summary, Detail(err))
}

// AddWarning is AddError with a warning.
func AddWarning(diags *diag.Diagnostics, summary string, err error) {
	diags.AddWarning(summary, Detail(err))
}

// AddAttributeError is AddError with the path of the attribute that causes the
// error.
func AddAttributeError(diags *diag.Diagnostics, attribute path.Path, summary string, err error) {
	diags.AddAttributeError(attribute, summary, Detail(err))
}

// Detail is the detail of the diagnostic. It begins with the unchanged text of
// the error: a wait's text is a report with a table of parties.
func Detail(err error) string {
	text := Capitalize(err.Error())

	var response *kuscia.Error
	if errors.As(err, &response) && response.Code != "" {
		// Users search for the code, so the text must contain it.
		if !strings.Contains(text, response.Code) {
			text += "\n\nKuscia error code " + response.Code + "."
		}
	}
	if hint := hint(err); hint != "" && !strings.Contains(text, hint) {
		text += "\n\n" + hint
	}
	return text
}

// hint is the hint of the error, or of the failed request that ended a wait.
func hint(err error) string {
	if text := kuscia.Hint(err); text != "" {
		return text
	}
	var failed wait.Failed
	if errors.As(err, &failed) {
		return kuscia.Hint(failed.LastError())
	}
	return ""
}

// Capitalize returns s with a capital first letter, unless it begins with an
// operation (serving/create).
func Capitalize(s string) string {
	if s == "" {
		return "Unknown error."
	}
	if word, _, _ := strings.Cut(s, " "); strings.Contains(word, "/") {
		return s
	}
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:]
}
