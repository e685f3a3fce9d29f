package message

import (
	"errors"
	"fmt"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// NotRunningSummary is the summary of an error that ended a wait for pods. did is the kind
// of the object, and what was done with it.
func NotRunningSummary(did string, err error) string {
	return notRunningSummary(err, did+" but the wait was canceled", did+" but no rollout was observed", did+" but then deleted", did+" but does not run")
}

// StillNotRunningSummary is that of a wait for an object of a kind to which nothing was sent.
func StillNotRunningSummary(kind string, err error) string {
	return notRunningSummary(err, "Wait for "+kind+" was canceled", "No rollout of "+kind+" was observed", Capitalize(kind)+" was deleted", Capitalize(kind)+" still does not run")
}

// NotReadySummary is the summary of an error that ended a wait for an object that is ready at some
// time.
func NotReadySummary(did string, err error) string {
	return notRunningSummary(err, did+" but the wait was canceled", did+" but is not ready", did+" but then deleted", did+" but is not ready")
}

// StillNotReadySummary is that of a wait for an object of a kind to which nothing was sent.
func StillNotReadySummary(kind string, err error) string {
	return notRunningSummary(err, "Wait for "+kind+" was canceled", Capitalize(kind)+" still is not ready", Capitalize(kind)+" was deleted", Capitalize(kind)+" still is not ready")
}

func notRunningSummary(err error, canceled, notObserved, deleted, otherwise string) string {
	var failed wait.NotRunning
	switch {
	case errors.Is(err, wait.ErrCanceled):
		return canceled
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
	if errors.Is(err, wait.ErrCanceled) {
		return "Wait for deletion of " + kind + " was canceled"
	}
	return "Unable to delete " + kind
}

// DeletionCanceled is the error of a canceled wait for the deletion of an object. Nothing
// is known to be wrong then; nil if err is another one.
func DeletionCanceled(err error) error {
	if !errors.Is(err, wait.ErrCanceled) {
		return nil
	}
	return fmt.Errorf("the delete was accepted, and it is not known whether it is complete: %w", err)
}
