package message

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
		{"S was updated but the wait was canceled", "Wait for s was canceled", fmt.Errorf("0 of 1 pods: %w", wait.ErrCanceled)},
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

// TestDetail: a message has the code and the hint of an error once each.
func TestDetail(t *testing.T) {
	unauthorised := &kuscia.Error{Op: "serving/query", ID: "glm", HTTPStatus: 401, Message: "Unauthorized"}
	hint := kuscia.Hint(unauthorised)
	if hint == "" {
		t.Fatal("there is no hint for 401")
	}
	for want, err := range map[string]error{
		"Something else": errors.New("something else"),
		"Unknown error.": errors.New(""),
		`serving/create "glm": code 11600: no room`:                   &kuscia.Error{Op: "serving/create", ID: "glm", Code: "11600", Message: "no room"},
		`serving/query "glm": HTTP 401: Unauthorized` + "\n\n" + hint: unauthorised,
		`serving/query "glm": HTTP 401: Unauthorized: ` + hint:        fmt.Errorf("%w: %s", unauthorised, hint),
		"It does not run\n\n" + hint:                                  notRunning{last: unauthorised},
		"It does not run":                                             notRunning{},
		"The serving could not be read\n\nKuscia error code 11601.":   textOver{"the serving could not be read", &kuscia.Error{Op: "serving/query", Code: "11601", Message: "no room"}},
	} {
		if got := Detail(err); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}

// textOver wraps a cause with another text.
type textOver struct {
	text  string
	cause error
}

func (e textOver) Error() string { return e.text }
func (e textOver) Unwrap() error { return e.cause }
