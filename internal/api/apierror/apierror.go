// Package apierror has the error type of all API clients: the kind of a
// failure, whether the request may have been carried out, and what to do. It
// contains nothing specific to an API.
package apierror

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// The kinds of errors, for errors.Is. An API may define more.
var (
	// ErrNotFound: the object with exactly this id does not exist.
	ErrNotFound = errors.New("not found")
	// ErrExists: an object with this id already exists.
	ErrExists = errors.New("already exists")
	// ErrConflict: another client has changed the object, for longer than the
	// client repeats conflicts.
	ErrConflict = errors.New("conflict with another client")
	// ErrInvalid: the server refuses the content of the request.
	ErrInvalid = errors.New("invalid request")
	// ErrUnauthorized: the credentials are not accepted, or lack permission.
	ErrUnauthorized = errors.New("unauthorised")
	// ErrUnsupported: this server does not have the operation.
	ErrUnsupported = errors.New("not supported by this server")
	// ErrUnavailable: there is no response, or the server asks to retry later.
	ErrUnavailable = errors.New("unavailable")
	// ErrServerFault: the handler crashed or could not read the request.
	ErrServerFault = errors.New("fault in the server")
	// ErrUnexpectedResponse: the response is not from such a server.
	ErrUnexpectedResponse = errors.New("unexpected response")
	// ErrTLS: the TLS connection could not be established.
	ErrTLS = errors.New("TLS failed")
)

// Cause is what is known of a failure beyond its kind and code. Hints are keyed
// by it.
type Cause string

// Error is a failed operation.
type Error struct {
	// Op is the operation, such as "serving/create".
	Op string
	// ID identifies the object of the operation.
	ID string
	// Code is the API's own error code, or "".
	Code string
	// Message is the text of the server, or describes the transport failure. It
	// is safe to show: masked, bounded and without control characters.
	Message string
	// HTTPStatus is 0 if there was no HTTP response.
	HTTPStatus int
	// Attempts is the number of attempts.
	Attempts int
	// Hint is the likely cause of the error and what to do, or "".
	Hint string
	// Cause is the key of the hint.
	Cause Cause
	// Kinds are the errors above, or those of an API, that errors.Is matches.
	Kinds []error
	// OutcomeUnknown is set if an attempt may have taken effect nevertheless.
	OutcomeUnknown bool
	// Err is an underlying error that callers may inspect, or nil.
	Err error
}

// Error contains the operation, the object, the code and the message.
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

// Unwrap returns the underlying error.
func (e *Error) Unwrap() error { return e.Err }

// OutcomeUnknown reports whether a failed create, update or delete may have
// taken effect nevertheless: its response was lost, truncated or came from a
// proxy. It is also true if that happened to an earlier attempt of the same
// call and a later one failed for another reason.
func OutcomeUnknown(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.OutcomeUnknown
}

// Answered reports whether a server has answered a request with this error, so that the response
// was not lost.
func Answered(err error) bool {
	var e *Error
	return errors.As(err, &e) && (e.Code != "" || e.HTTPStatus >= 300)
}

// IsTransient reports whether a request may succeed later: the server did not
// respond usefully, or the request was canceled.
func IsTransient(err error) bool {
	return slices.ContainsFunc([]error{ErrUnavailable, ErrServerFault, ErrUnexpectedResponse, context.Canceled, context.DeadlineExceeded},
		func(transient error) bool { return errors.Is(err, transient) })
}

// IsLasting reports whether a read that is repeated fails for the same reason: there is no such
// object, or no access to it.
func IsLasting(err error) bool {
	return errors.Is(err, ErrNotFound) || errors.Is(err, ErrUnauthorized) || errors.Is(err, ErrUnsupported)
}

// Hint returns the likely cause of an error and what to do about it, or "".
func Hint(err error) string {
	var e *Error
	if !errors.As(err, &e) {
		return ""
	}
	return e.Hint
}
