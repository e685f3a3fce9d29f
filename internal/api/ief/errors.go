package ief

import (
	"errors"
	"fmt"
	"strings"
)

// What an error of the client can be recognised as, with errors.Is.
var (
	// ErrNotFound: the object does not exist. The documents name no code for
	// it, so that only HTTP 404 counts.
	ErrNotFound = errors.New("not found")
	// ErrInvalid: the service refuses the request (HTTP 400), for whatever
	// reason: the documents use this status for wrong credentials, too.
	ErrInvalid = errors.New("invalid request")
	// ErrUnauthorized: the credentials are not accepted or not sufficient.
	ErrUnauthorized = errors.New("unauthorised")
	// ErrExists: an object of that name exists already (HTTP 409).
	ErrExists = errors.New("already exists")
	// ErrUnavailable: no answer, or one that says to come back later.
	ErrUnavailable = errors.New("unavailable")
	// ErrUnexpectedAnswer: the answer is not one that IEF gives.
	ErrUnexpectedAnswer = errors.New("unexpected answer")
)

// Error is a failed operation.
type Error struct {
	// Op is the operation, such as "create deployment".
	Op string
	// ID is the id or the name that the operation was about.
	ID string
	// Code is the service's code, such as IEF.100012, or "".
	Code string
	// Message is the service's text, or what went wrong on the way to it.
	// Secrets in it are masked.
	Message string
	// HTTPStatus is 0 when there was no HTTP answer.
	HTTPStatus int
	// RequestID is the id under which the service knows the request, or "".
	RequestID string
	// Attempts is how often the request was tried.
	Attempts int
	// Err is the cause, when there is one that callers may want to look at.
	Err error

	kind error
	// ambiguous is set when a try may have had its effect all the same.
	ambiguous bool
}

// Error names the operation, the object, the code and the text.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Op)
	if e.ID != "" {
		fmt.Fprintf(&b, " %q", e.ID)
	}
	if e.HTTPStatus != 0 {
		fmt.Fprintf(&b, ": HTTP %d", e.HTTPStatus)
	}
	if e.Code != "" {
		fmt.Fprintf(&b, ": %s", e.Code)
	}
	if e.Message != "" {
		b.WriteString(": ")
		b.WriteString(e.Message)
	}
	if e.RequestID != "" {
		fmt.Fprintf(&b, " (request %s)", e.RequestID)
	}
	if e.Attempts > 1 {
		fmt.Fprintf(&b, " (after %d attempts)", e.Attempts)
	}
	return b.String()
}

// Is reports whether the error is of one of the kinds above.
func (e *Error) Is(target error) bool { return e.kind != nil && e.kind == target }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// MayHaveHappened reports whether a failed request may have had its effect all
// the same: its answer was lost or came from something between client and
// service. It is also true when that was so for an earlier try.
func MayHaveHappened(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.ambiguous
}

// codeHints are what the documents say about codes.
var codeHints = map[string]string{
	"IEF.011002": "IEF does not know this API at this endpoint. Check ief.endpoint and ief.region, and whether the region offers this version of the API.",
	"IEF.011005": "IEF does not accept the credentials. Check that the access key or token belongs to the project in ief.project_id, and that a token or temporary key has not expired.",
	"IEF.100001": "IEF does not know the project in ief.project_id. It is the id of the project of this region, found in the console under My Credentials.",
	"IEF.100009": "A volume is not as IEF wants it. Check type and source of the volumes.",
	"IEF.100010": "The version of the container is not as IEF wants it.",
	"IEF.100012": "A name is not as IEF wants it.",
	"IEF.100013": "An environment variable is not as IEF wants it.",
	"IEF.100158": "IEF cannot find the GPUs of the edge node. Check that GPUs are enabled on the node, or leave gpu out.",
}

// Hint says for users what likely causes an error of the client and what to do
// about it; "" when nothing more is known than the error says.
func Hint(err error) string {
	var e *Error
	if !errors.As(err, &e) {
		return ""
	}
	if text := codeHints[e.Code]; text != "" {
		return text
	}
	switch {
	case errors.Is(e, ErrUnauthorized):
		return "Check the credentials in the ief block of the provider: access key, secret key, and the security token of a temporary key, or a token, " +
			"which is valid for 24 hours. A signature is also refused when the clock of this machine is more than 15 minutes wrong. The user needs permission for IEF deployments."
	case e.HTTPStatus == 0:
		return "Check ief.region or ief.endpoint, and that this machine reaches it, also through a proxy."
	case errors.Is(e, ErrUnexpectedAnswer):
		return "Something other than IEF may have answered: a proxy, a gateway or another server. Check ief.endpoint."
	}
	return ""
}

// judge says what an HTTP status and a code mean, and whether the request may
// be tried again: always, or only when it can be repeated safely.
func judge(status int, code string) (kind error, retry retryRule) {
	switch {
	case status == 404:
		return ErrNotFound, never
	case status == 401, status == 403, code == "IEF.011005":
		return ErrUnauthorized, never
	case status == 409:
		return ErrExists, never
	case status == 429:
		return ErrUnavailable, always
	case status >= 500:
		return ErrUnavailable, ifRepeatable
	case status >= 400:
		return ErrInvalid, never
	default:
		return ErrUnexpectedAnswer, never
	}
}
