package kuscia

import (
	"errors"
	"fmt"
	"strings"
)

// What an error of the client can be recognised as, with errors.Is.
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
	// ErrUnauthorized: the token is not accepted, or the caller's domain may
	// not do this.
	ErrUnauthorized = errors.New("unauthorised")
	// ErrNotAParty: the caller's domain takes no part in the serving, or may ask
	// only about itself. What it asks about may well exist. It is an
	// ErrUnauthorized too.
	ErrNotAParty = errors.New("not a party")
	// ErrUnsupported: this server does not offer the operation.
	ErrUnsupported = errors.New("not supported by this server")
	// ErrUnavailable: no answer, or one that says to come back later.
	ErrUnavailable = errors.New("unavailable")
	// ErrAppImageMissing: the operation needs an app image that is gone. The
	// serving itself may well exist.
	ErrAppImageMissing = errors.New("app image is missing")
	// ErrTemplateMissing: an app image has no deploy template for the role of a
	// party. The serving itself may well exist.
	ErrTemplateMissing = errors.New("deploy template is missing")
	// ErrDomainMissing: the operation needs a domain that does not exist.
	ErrDomainMissing = errors.New("domain is missing")
	// ErrDataSourceMissing: the operation needs a data source that does not
	// exist. The domain data themselves may well exist.
	ErrDataSourceMissing = errors.New("data source is missing")
	// ErrDomainDataMissing: the operation needs domain data that do not exist.
	ErrDomainDataMissing = errors.New("domain data are missing")
	// ErrUnreadable: the object exists and the server cannot show it.
	ErrUnreadable = errors.New("unreadable for the server")
	// ErrLeftover: Deployments of an earlier serving of the same id are still
	// being removed.
	ErrLeftover = errors.New("leftovers of an earlier serving exist")
	// ErrServerFault: the handler crashed or could not read the request.
	ErrServerFault = errors.New("fault in the server")
	// ErrUnexpectedAnswer: the answer is not one that a KusciaAPI gives.
	ErrUnexpectedAnswer = errors.New("unexpected answer")
	// ErrTLS: no connection because the two sides do not agree on TLS.
	ErrTLS = errors.New("TLS failed")
)

// Error is a failed operation.
type Error struct {
	// Op is the operation, such as "serving/create".
	Op string
	// ID is the serving id or app image name that the operation was about.
	ID string
	// Code is the Kuscia error code; 0 when no handler answered.
	Code int32
	// Message is the server's text, or what went wrong on the way to it.
	// Secrets in it are masked.
	Message string
	// HTTPStatus is 0 when there was no HTTP answer.
	HTTPStatus int
	// Attempts is how often the request was tried.
	Attempts int
	// Err is the cause, when there is one that callers may want to look at.
	Err error

	kinds []error
	// ambiguous is set when a try may have had its effect all the same.
	ambiguous bool
	cause     cause
}

// Error names the operation, the object, the code and the text.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Op)
	if e.ID != "" {
		fmt.Fprintf(&b, " %q", e.ID)
	}
	if e.Code != 0 {
		fmt.Fprintf(&b, ": code %d", e.Code)
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

// Is reports whether the error is of one of the kinds above.
func (e *Error) Is(target error) bool {
	for _, kind := range e.kinds {
		if kind == target {
			return true
		}
	}
	return false
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// MayHaveHappened reports whether a failed create, update or delete may have
// had its effect all the same: the answer was lost, cut off or came from
// something between client and server. It is also true when that was so for an
// earlier try of the same call and a later one failed for another reason.
func MayHaveHappened(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.ambiguous
}
