package servingstatus

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/judge"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

func TestCancel(t *testing.T) {
	inTime(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(10*time.Second, cancel)
		source := &fakeSource{status: always(detail(progress, pods("alice", 2, 1, 1, 2)))}
		_, err := NewPoller(source).WaitRunning(ctx, named("glm"))
		var e *NotRunningError
		if !errors.As(err, &e) || e.Cause != CauseCanceled || !errors.Is(err, context.Canceled) || !errors.Is(err, wait.ErrCanceled) || !strings.Contains(err.Error(), "canceled after 10s") ||
			strings.Contains(err.Error(), "do not become available") {
			t.Errorf("%v", err)
		}
		begun, stop := context.WithCancel(t.Context())
		time.AfterFunc(10*time.Second, stop)
		if _, err := NewPoller(&fakeSource{status: always(nil)}).WaitRunning(begun, named("glm")); !errors.Is(err, wait.ErrCanceled) || strings.Contains(err.Error(), "Likely") {
			t.Errorf("without a status: %v", err)
		}
		// A wait whose context has already ended sends no query.
		asked := source.count()
		if _, err := NewPoller(source).WaitRunning(ctx, named("glm")); !errors.Is(err, context.Canceled) || source.count() != asked {
			t.Errorf("%v", err)
		}
	})
}

// The text of a status is shown without the serving's secrets in the error, in
// the log and as progress.
func TestStatusIsMaskedForItsServing(t *testing.T) {
	inTime(t, func(t *testing.T) {
		const secret = "pl4nted-storage-key"
		status := detail(failed, pods("bob", 1, 1, 0, 1), pods(secret, 1, 1, 0, 1))
		status.Reason, status.Message = "Failed: "+secret, "cannot use "+secret
		var log bytes.Buffer
		var progress strings.Builder
		target := named("glm")
		target.Progress = func(text string) { progress.WriteString(text) }
		ctx := kuscia.WithMaskedText(tflogtest.RootLogger(t.Context(), &log), `{"key":"`+secret+`"}`)
		_, err := NewPoller(&fakeSource{status: always(status)}).WaitRunning(ctx, target)
		if err == nil || !strings.Contains(err.Error(), "message: cannot use ***") || !strings.Contains(progress.String(), "***") || !strings.Contains(log.String(), "***") {
			t.Errorf("%v\n%s\n%s", err, progress.String(), log.String())
		}
		if text := err.Error() + log.String() + progress.String(); strings.Contains(text, secret) {
			t.Error(text)
		}
	})
}

// TestEndedWaits: what other packages find out about the error of a wait.
func TestEndedWaits(t *testing.T) {
	asDesired, unauthorised := detail(available), &kuscia.Error{HTTPStatus: 401}
	notStarted := judge.Verdict{Reason: judge.StartNotObserved, Of: "alice"}
	for _, test := range []struct {
		err                       wait.NotRunning
		deleted, startNotObserved bool
		last                      error
	}{
		{err: &NotRunningError{Cause: CauseTimedOut, Last: asDesired, StatusErr: unauthorised, Err: context.DeadlineExceeded}, last: unauthorised},
		{err: &NotRunningError{Cause: CauseTimedOut, Last: asDesired, Verdict: notStarted}, startNotObserved: true},
		{err: &NotRunningError{Cause: CauseNoProgress, Last: asDesired, Verdict: notStarted}, startNotObserved: true},
		{err: &NotRunningError{Cause: CauseFailed, Last: asDesired, Verdict: notStarted}},
		{err: &NotRunningError{Cause: CauseTimedOut, Verdict: notStarted}},
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
