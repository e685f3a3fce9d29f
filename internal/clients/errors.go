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

// AddError adds an error of a call or a wait to the diagnostics: the operation,
// the response of Kuscia with its code, and what to do.
func AddError(diags *diag.Diagnostics, summary string, err error) {
	diags.AddError(summary, detail(err))
}

// AddWarning is AddError with a warning.
func AddWarning(diags *diag.Diagnostics, summary string, err error) {
	diags.AddWarning(summary, detail(err))
}

// AddAttributeError is AddError with the path of the attribute that causes the
// error.
func AddAttributeError(diags *diag.Diagnostics, attribute path.Path, summary string, err error) {
	diags.AddAttributeError(attribute, summary, detail(err))
}

// NotRunningSummary is the summary of an error that ended a wait for pods. did names the
// object and what was done with it.
func NotRunningSummary(did string, err error) string {
	var failed *wait.NotRunningError
	switch {
	case errors.Is(err, wait.ErrCancelled):
		return did + ": the wait for it was cancelled"
	case errors.As(err, &failed) && failed.StartNotObserved():
		return did + ": the start of its rollout was not observed"
	case strings.Contains(did, " was "):
		return did + " but does not run"
	}
	return did + " does not run"
}

// detail is the detail of the diagnostic. It begins with the unchanged text of
// the error: a wait's text is a report with a table of parties.
func detail(err error) string {
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
	var notRunning *wait.NotRunningError
	if errors.As(err, &notRunning) {
		return kuscia.Hint(notRunning.StatusErr)
	}
	var stillThere *wait.NotDeletedError
	if errors.As(err, &stillThere) {
		return kuscia.Hint(stillThere.StatusErr)
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
