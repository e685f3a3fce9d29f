package httpapi

import (
	"net/http"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
)

// Protocol is implemented by each API.
type Protocol interface {
	// Authorize adds credentials to a request, such as a token or a signature over
	// method, URL, headers and body. It is called for every attempt. It must not read
	// request.Body.
	Authorize(request *http.Request, body []byte) error
	// Classify classifies a complete response. ClassifyStatus does so by the HTTP status
	// code alone.
	Classify(call *Call, response *http.Response, body []byte) Classification
	// Hint returns the likely cause of an error and what to do; "" if the error
	// is self-explanatory.
	Hint(e *apierror.Error) string
}

// Operation is one kind of request, and whether it may be repeated.
type Operation struct {
	// Name is the name of the operation in errors and logs.
	Name   string
	Method string
	// Path is joined to the endpoint. A call may override it.
	Path string
	// Writes is set if the call changes something, so that its outcome is
	// unknown after a lost response.
	Writes bool
	// Creates is set if the call is not idempotent: it is repeated only if the
	// failed attempt was certainly not carried out.
	Creates bool
	// Plain is set if the response is text and not JSON.
	Plain bool
	// Secret is set if bodies must not be logged at all.
	Secret bool
}

// Call is one request to be made.
type Call struct {
	Operation
	// IDs identify the objects of the request in errors and logs.
	IDs []string
	// Query is the encoded query of the URL.
	Query string
	// Header is sent in addition to the headers of every request.
	Header http.Header
	// Body is the JSON body; nil for none.
	Body []byte
	// Secrets are texts, in the request or otherwise known, that are masked in
	// errors and logs.
	Secrets []string
}

// Retry determines whether a failed attempt is repeated.
type Retry int

// The kinds of retries.
const (
	// Never: a repetition would fail in the same way.
	Never Retry = iota
	// Transient: repeated up to the configured count; a create only if the
	// failed attempt certainly had no effect.
	Transient
	// Conflict: repeated up to three times the configured count, until the write
	// does not conflict.
	Conflict
	// PendingDeletion: repeated for a limited time, until the dependents of a deleted
	// object are garbage collected.
	PendingDeletion
)

// Classification is the classification of a response.
type Classification struct {
	// Data is the data of a successful response, Text that of a Plain operation.
	Data Document
	Text string

	// Failed is set if the response is an error. The following fields are set
	// only then.
	Failed bool
	// Kinds, Code, Message and Cause are those of the error. The message may be
	// any text of the server.
	Kinds   []error
	Code    string
	Message string
	Cause   apierror.Cause
	// Retry determines whether the call is repeated.
	Retry Retry
	// OutcomeUnknown is set if the call may have been carried out.
	OutcomeUnknown bool
	// Details returns an error with masked texts, which errors.As finds in the
	// call's error; nil for none.
	Details func(Masker) error
}
