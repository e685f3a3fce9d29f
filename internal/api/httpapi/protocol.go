package httpapi

import (
	"encoding/json"
	"net/http"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
)

// Protocol is what each API implements.
type Protocol interface {
	// Authorize adds credentials to a request, such as a token or a signature over
	// method, URL, headers and body. It is called for every attempt. It must not read
	// request.Body.
	Authorize(request *http.Request, body []byte) error
	// Judge classifies a complete response. JudgeStatus does so by the HTTP status
	// code alone.
	Judge(call *Call, response *http.Response, body []byte) Verdict
	// Hint says what likely causes an error and what to do; "" if the error says it
	// all.
	Hint(e *apierror.Error) string
}

// Operation is one kind of request, and whether it may be repeated.
type Operation struct {
	// Name is how errors and logs call it.
	Name   string
	Method string
	// Path is joined to the endpoint. A call may have one of its own.
	Path string
	// Writes is set when the call changes something, so that its outcome is unknown
	// after a lost response.
	Writes bool
	// Creates is set when the call is not idempotent: it is repeated only when the
	// earlier attempt was certainly not carried out.
	Creates bool
	// Plain is set when the answer is a text and not JSON.
	Plain bool
	// Secret is set when no body is to be logged, whatever its fields.
	Secret bool
}

// Call is one request to be made.
type Call struct {
	Operation
	// IDs are the objects that the request names, for errors and logs.
	IDs []string
	// Query is the part of the URL behind the question mark, encoded.
	Query string
	// Header is sent beside what every request has.
	Header http.Header
	// Body is the JSON body; nil for none.
	Body []byte
	// Secrets are texts in the request, or known otherwise, that no error and
	// no log may show.
	Secrets []string
}

// Retry says when a failed attempt is repeated.
type Retry int

// The kinds of retries.
const (
	// Never: repeating gives the same answer.
	Never Retry = iota
	// Transient: repeated up to the configured count; a create only when the failed
	// attempt certainly had no effect.
	Transient
	// Conflict: repeated for a time, until no other writer is faster.
	Conflict
	// Leftover: repeated for a time, until what a deleted object left behind is
	// garbage collected.
	Leftover
)

// Verdict is the classification of a response.
type Verdict struct {
	// Data is the data of a successful response.
	Data json.RawMessage

	// Failed says that the response is an error. The following fields are set only
	// then.
	Failed bool
	// Kinds, Code, Message and Cause are those of the error. The message may be
	// any text of the server.
	Kinds   []error
	Code    string
	Message string
	Cause   apierror.Cause
	// Retry says whether the call is repeated.
	Retry Retry
	// OutcomeUnknown is set when the call may have been carried out.
	OutcomeUnknown bool
	// Details returns an error, with masked texts, that errors.As finds in the call's
	// error; nil for none.
	Details func(Masker) error
}
