package httpapi

import (
	"encoding/json"
	"net/http"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
)

// Protocol is what an API brings.
type Protocol interface {
	// Authorize completes a request with what shows who asks, such as a token
	// or a signature over method, URL, headers and body. It is asked again for
	// every try. It must not read request.Body.
	Authorize(request *http.Request, body []byte) error
	// Judge says what a complete answer means. JudgeStatus helps with HTTP
	// codes.
	Judge(call *Call, response *http.Response, body []byte) Verdict
	// Hint says what likely causes an error and what to do; "" for nothing
	// more than the error says.
	Hint(e *apierror.Error) string
}

// Operation is one kind of request and what repeating it means.
type Operation struct {
	// Name is how errors and logs call it.
	Name   string
	Method string
	// Path is joined to the endpoint. A call may have one of its own.
	Path string
	// Writes is set when the call changes something, so that a lost answer
	// leaves its effect open.
	Writes bool
	// Creates is set when repeating the call is not the same as calling once:
	// it is repeated only when the earlier try certainly did not happen.
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

// Retry says when a failed try is repeated.
type Retry int

// The kinds of repetition.
const (
	// Never: repeating gives the same answer.
	Never Retry = iota
	// Transient: repeated up to the configured count; a create only when the
	// failed try certainly had no effect.
	Transient
	// Conflict: repeated for a time, since every writer gets its turn.
	Conflict
	// Leftover: repeated for a time, since the leftovers of a deleted object go
	// away.
	Leftover
)

// Verdict is what an answer means.
type Verdict struct {
	// Data is that of a success.
	Data json.RawMessage

	// Failed says that it is none. What follows counts only then.
	Failed bool
	// Kinds, Code, Message and Cause are those of the error. The message may be
	// any text of the server.
	Kinds   []error
	Code    string
	Message string
	Cause   apierror.Cause
	// Retry says whether the call is repeated.
	Retry Retry
	// OutcomeUnknown is set when the call may have had its effect.
	OutcomeUnknown bool
	// Details makes what errors.As finds in the error, with its texts masked;
	// nil for nothing.
	Details func(Masker) error
}
