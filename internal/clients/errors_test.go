package clients

import (
	"errors"
	"fmt"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// notRunning is the error of a wait.
type notRunning struct {
	last                      error
	deleted, startNotObserved bool
}

func (notRunning) Error() string            { return "it does not run" }
func (e notRunning) LastError() error       { return e.last }
func (e notRunning) IsDeleted() bool        { return e.deleted }
func (e notRunning) StartNotObserved() bool { return e.startNotObserved }

// TestNotRunningSummary: the summary says no more than is known.
func TestNotRunningSummary(t *testing.T) {
	for _, test := range []struct {
		sent, nothingSent string
		err               error
	}{
		{"S was updated but does not run", "S still does not run", notRunning{}},
		{"S was updated but no rollout was observed", "No rollout of s was observed", notRunning{startNotObserved: true}},
		{"S was updated but the wait was cancelled", "Wait for s was cancelled", fmt.Errorf("0 of 1 pods: %w", wait.ErrCancelled)},
		{"S was updated but then deleted", "S was deleted", notRunning{deleted: true}},
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
		"a wait with failed requests gets their hint": {
			notRunning{last: unauthorised},
			"It does not run\n\n" + kuscia.Hint(unauthorised),
		},
		"a wait without does not": {notRunning{}, "It does not run"},
		"no text at all":          {errors.New(""), "Unknown error."},
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
