package servingstatus

import (
	"context"
	"errors"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// TestEndedWaits: what other packages find out about the error of a wait.
func TestEndedWaits(t *testing.T) {
	asDesired, unauthorised := detail(available), &kuscia.Error{HTTPStatus: 401}
	notStarted := Outcome{Blocker: RolloutStartNotObserved, Party: "alice"}
	for _, test := range []struct {
		err                       wait.NotRunning
		deleted, startNotObserved bool
		last                      error
	}{
		{err: &NotRunningError{Cause: CauseTimedOut, Last: asDesired, StatusErr: unauthorised, Err: context.DeadlineExceeded}, last: unauthorised},
		{err: &NotRunningError{Cause: CauseTimedOut, Last: asDesired, Outcome: notStarted}, startNotObserved: true},
		{err: &NotRunningError{Cause: CauseNoProgress, Last: asDesired, Outcome: notStarted}, startNotObserved: true},
		{err: &NotRunningError{Cause: CauseFailed, Last: asDesired, Outcome: notStarted}},
		{err: &NotRunningError{Cause: CauseTimedOut, Outcome: notStarted}},
		{err: &NotRunningError{Cause: CauseDeleted}, deleted: true},
	} {
		if wait.IsDeleted(test.err) != test.deleted || test.err.StartNotObserved() != test.startNotObserved || !errors.Is(test.err.LastError(), test.last) {
			t.Errorf("%v: deleted %t, start not observed %t, last error %v", test.err, test.err.IsDeleted(), test.err.StartNotObserved(), test.err.LastError())
		}
	}
	var notDeleted wait.Failed = &NotDeletedError{StatusErr: unauthorised}
	if !errors.Is(notDeleted.LastError(), unauthorised) {
		t.Error(notDeleted.LastError())
	}
}
