package clients

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

// AddError adds an error of a call or of a wait to the diagnostics: what was
// being done, what Kuscia answered with its code, and what to do about it.
func AddError(diags *diag.Diagnostics, summary string, err error) {
	diags.AddError(summary, detail(err))
}

// AddWarning is AddError for what is no failure.
func AddWarning(diags *diag.Diagnostics, summary string, err error) {
	diags.AddWarning(summary, detail(err))
}

// AddAttributeError is AddError on the path of the attribute that is to blame.
func AddAttributeError(diags *diag.Diagnostics, attribute path.Path, summary string, err error) {
	diags.AddAttributeError(attribute, summary, detail(err))
}

// detail is the text under the summary. The error's own text comes first and
// unchanged: a wait's text is already a report with a table of parties.
func detail(err error) string {
	text := capitalised(err.Error())

	var answer *kuscia.Error
	if errors.As(err, &answer) && answer.Code != "" {
		// Users search for the code; make sure that it is there.
		if !strings.Contains(text, answer.Code) {
			text += "\n\nKuscia error code " + answer.Code + "."
		}
	}
	if hint := hint(err); hint != "" && !strings.Contains(text, hint) {
		text += "\n\n" + hint
	}
	return text
}

// hint is that of the error, or of the request that a wait could not get
// through to the end.
func hint(err error) string {
	if text := kuscia.Hint(err); text != "" {
		return text
	}
	var notRunning *wait.NotRunningError
	if errors.As(err, &notRunning) {
		return kuscia.Hint(notRunning.StatusErr)
	}
	var stillThere *wait.StillThereError
	if errors.As(err, &stillThere) {
		return kuscia.Hint(stillThere.StatusErr)
	}
	return ""
}

// capitalised begins a sentence with a capital letter. The name of an
// operation (serving/create) stays as it is.
func capitalised(s string) string {
	if s == "" {
		return "Unknown error."
	}
	if word, _, _ := strings.Cut(s, " "); strings.Contains(word, "/") {
		return s
	}
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:]
}
