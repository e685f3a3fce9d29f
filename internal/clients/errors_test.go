package clients

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// TestNotRunningSummary: the summary says no more than is known.
func TestNotRunningSummary(t *testing.T) {
	desired := &kuscia.ServingStatusDetail{State: kuscia.StateAvailable}
	notStarted := wait.Outcome{Blocker: wait.RolloutStartNotObserved, Party: "alice"}
	for _, test := range []struct {
		sent, nothingSent string
		err               error
	}{
		{"S was updated but does not run", "S still does not run", &wait.NotRunningError{Cause: wait.CauseTimedOut, Last: desired, Err: context.DeadlineExceeded}},
		{"S was updated but no rollout was observed", "No rollout of s was observed", &wait.NotRunningError{Cause: wait.CauseTimedOut, Last: desired, Outcome: notStarted, Err: context.DeadlineExceeded}},
		{"S was updated but the wait was cancelled", "Wait for s was cancelled", fmt.Errorf("0 of 1 pods: %w", wait.ErrCancelled)},
		{"S was updated but then deleted", "S was deleted", &wait.NotRunningError{Cause: wait.CauseDeleted, Err: errors.New("gone")}},
	} {
		if got := NotRunningSummary("S was updated", test.err); got != test.sent {
			t.Errorf("got %q, want %q", got, test.sent)
		}
		if got := StillNotRunningSummary("s", test.err); got != test.nothingSent {
			t.Errorf("got %q, want %q", got, test.nothingSent)
		}
	}
}

func TestDetail(t *testing.T) {
	unauthorised := &kuscia.Error{Op: "serving/query", ID: "glm", HTTPStatus: 401, Message: "Unauthorized"}
	failedWait := wait.NotRunningError{
		ServingID: "glm", Cause: wait.CauseFailed,
		Last: &kuscia.ServingStatusDetail{State: kuscia.StateFailed, Reason: "ImagePullBackOff", PartyStatuses: []kuscia.PartyStatus{{DomainID: "alice"}}},
	}
	blindWait := wait.NotRunningError{ServingID: "glm", Cause: wait.CauseTimedOut, StatusErr: unauthorised, Err: context.DeadlineExceeded}
	tests := map[string]struct {
		err  error
		want string
	}{
		"any error": {
			errors.New("something else"),
			"Something else",
		},
		"code and message": {
			&kuscia.Error{Op: "serving/create", ID: "glm", Code: "11600", Message: "no room"},
			`serving/create "glm": code 11600: no room`,
		},
		"the hint follows": {
			unauthorised,
			`serving/query "glm": HTTP 401: Unauthorized` + "\n\n" + kuscia.Hint(unauthorised),
		},
		"the code is added to a text without it": {
			textOver{"the serving could not be read", &kuscia.Error{Op: "serving/query", Code: "11601", Message: "no room"}},
			"The serving could not be read\n\nKuscia error code 11601.",
		},
		"a hint that is in the text already is not repeated": {
			fmt.Errorf("%w: %s", unauthorised, kuscia.Hint(unauthorised)),
			`serving/query "glm": HTTP 401: Unauthorized: ` + kuscia.Hint(unauthorised),
		},
		"a wait's report stays as it is": {
			&failedWait,
			"P" + failedWait.Error()[1:],
		},
		"a wait with failed requests gets their hint": {
			&blindWait,
			"S" + blindWait.Error()[1:] + "\n\n" + kuscia.Hint(unauthorised),
		},
		"a delete with failed requests too": {
			&wait.NotDeletedError{ServingID: "glm", StatusErr: unauthorised, Err: context.DeadlineExceeded},
			`Whether serving "glm" is deleted is still unknown after 0s: ` + unauthorised.Error() + "\n\n" + kuscia.Hint(unauthorised),
		},
		"no text at all": {errors.New(""), "Unknown error."},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := detail(test.err); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
	if kuscia.Hint(unauthorised) == "" {
		t.Error("there is no hint for 401, so the test proves nothing")
	}
}

// textOver wraps a cause with another text.
type textOver struct {
	text  string
	cause error
}

func (e textOver) Error() string { return e.text }
func (e textOver) Unwrap() error { return e.cause }

func TestAddErrors(t *testing.T) {
	err := &kuscia.Error{Op: "serving/create", Code: "11600", Message: "no room"}
	var diags diag.Diagnostics
	AddError(&diags, "Creating the serving failed", err)
	AddAttributeError(&diags, path.Root("parties"), "Creating the serving failed", err)
	if len(diags) != 2 || diags.ErrorsCount() != 2 {
		t.Fatal(diags)
	}
	for _, d := range diags {
		if d.Summary() != "Creating the serving failed" || !strings.Contains(d.Detail(), "code 11600: no room") {
			t.Error(d)
		}
	}
	if withPath, ok := diags[1].(diag.DiagnosticWithPath); !ok || !withPath.Path().Equal(path.Root("parties")) {
		t.Errorf("%#v", diags[1])
	}
}
