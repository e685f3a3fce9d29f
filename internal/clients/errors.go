package clients

import (
	"errors"
	"fmt"
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

// NotRunningSummary is the summary of an error that ended a wait for pods. did is the kind
// of the object, and what was done with it.
func NotRunningSummary(did string, err error) string {
	return notRunningSummary(err, did+" but the wait was cancelled", did+" but no rollout was observed", did+" but then deleted", did+" but does not run")
}

// StillNotRunningSummary is that of a wait for an object of a kind to which nothing was sent.
func StillNotRunningSummary(kind string, err error) string {
	return notRunningSummary(err, "Wait for "+kind+" was cancelled", "No rollout of "+kind+" was observed", Capitalize(kind)+" was deleted", Capitalize(kind)+" still does not run")
}

// NotReadySummary is the summary of an error that ended a wait for an object that is ready at some
// time.
func NotReadySummary(did string, err error) string {
	return notRunningSummary(err, did+" but the wait was cancelled", did+" but is not ready", did+" but then deleted", did+" but is not ready")
}

// StillNotReadySummary is that of a wait for an object of a kind to which nothing was sent.
func StillNotReadySummary(kind string, err error) string {
	return notRunningSummary(err, "Wait for "+kind+" was cancelled", Capitalize(kind)+" still is not ready", Capitalize(kind)+" was deleted", Capitalize(kind)+" still is not ready")
}

func notRunningSummary(err error, cancelled, notObserved, deleted, otherwise string) string {
	var failed wait.NotRunning
	switch {
	case errors.Is(err, wait.ErrCancelled):
		return cancelled
	case errors.As(err, &failed) && failed.StartNotObserved():
		return notObserved
	case wait.IsDeleted(err):
		return deleted
	}
	return otherwise
}

// NotDeletedSummary is the summary of an error that ended the delete of an object of a
// kind.
func NotDeletedSummary(kind string, err error) string {
	if errors.Is(err, wait.ErrCancelled) {
		return "Wait for deletion of " + kind + " was cancelled"
	}
	return "Unable to delete " + kind
}

// DeletionCancelled is the error of a cancelled wait for the deletion of an object. Nothing
// is known to be wrong then; nil if err is another one.
func DeletionCancelled(err error) error {
	if !errors.Is(err, wait.ErrCancelled) {
		return nil
	}
	return fmt.Errorf("the delete was accepted, and it is not known whether it is complete: %w", err)
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
