// Package apierror says what the failures of every API have in common: what an
// error is, whether what was asked for may have happened, and what to do. It
// knows no API.
package apierror

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// What an error of a client can be recognised as, with errors.Is. An API may
// have further ones of its own.
var (
	// ErrNotFound: the object asked for, by exactly that id, does not exist.
	ErrNotFound = errors.New("not found")
	// ErrExists: an object of that id exists already.
	ErrExists = errors.New("already exists")
	// ErrConflict: another writer was faster, for longer than the client
	// repeats a conflict.
	ErrConflict = errors.New("conflict with another writer")
	// ErrInvalid: the server refuses the content of the request.
	ErrInvalid = errors.New("invalid request")
	// ErrUnauthorized: the credentials are not accepted, or the caller may not
	// do this.
	ErrUnauthorized = errors.New("unauthorised")
	// ErrUnsupported: this server does not offer the operation.
	ErrUnsupported = errors.New("not supported by this server")
	// ErrUnavailable: no answer, or one that says to come back later.
	ErrUnavailable = errors.New("unavailable")
	// ErrServerFault: the handler crashed or could not read the request.
	ErrServerFault = errors.New("fault in the server")
	// ErrUnexpectedAnswer: the answer is not one that such a server gives.
	ErrUnexpectedAnswer = errors.New("unexpected answer")
	// ErrTLS: no connection because the two sides do not agree on TLS.
	ErrTLS = errors.New("TLS failed")
)

// Cause is what is known of a failure beyond its kind and code. Hints are
// looked up by it.
type Cause string

// Error is a failed operation.
type Error struct {
	// Op is the operation, such as "serving/create".
	Op string
	// ID is the object that the operation was about.
	ID string
	// Code is the API's own error code; "" when there is none.
	Code string
	// Message is the server's text, or what went wrong on the way to it. It is
	// fit to be shown: masked, bounded and without control characters.
	Message string
	// HTTPStatus is 0 when there was no HTTP answer.
	HTTPStatus int
	// Attempts is how often the request was tried.
	Attempts int
	// Hint says what likely causes the error and what to do; "" when nothing
	// more is known than the error says.
	Hint string
	// Cause is what the hint was found by.
	Cause Cause
	// Kinds are the errors above, or an API's own, that this is one of.
	Kinds []error
	// OutcomeUnknown is set when a try may have had its effect all the same.
	OutcomeUnknown bool
	// Err is the cause, when there is one that callers may want to look at.
	Err error
}

// Error names the operation, the object, the code and the text.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Op)
	if e.ID != "" {
		fmt.Fprintf(&b, " %q", e.ID)
	}
	if e.Code != "" {
		fmt.Fprintf(&b, ": code %s", e.Code)
	} else if e.HTTPStatus != 0 {
		fmt.Fprintf(&b, ": HTTP %d", e.HTTPStatus)
	}
	if e.Message != "" {
		b.WriteString(": ")
		b.WriteString(e.Message)
	}
	if e.Attempts > 1 {
		fmt.Fprintf(&b, " (after %d attempts)", e.Attempts)
	}
	return b.String()
}

// Is reports whether the error is of a kind.
func (e *Error) Is(target error) bool { return slices.Contains(e.Kinds, target) }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// OutcomeUnknown reports whether a failed create, update or delete may have had
// its effect all the same: the answer was lost, cut off or came from something
// between client and server. It is also true when that was so for an earlier
// try of the same call and a later one failed for another reason.
func OutcomeUnknown(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.OutcomeUnknown
}

// Hint says what likely causes an error and what to do about it; "" when
// nothing more is known than the error says.
func Hint(err error) string {
	var e *Error
	if !errors.As(err, &e) {
		return ""
	}
	return e.Hint
}
