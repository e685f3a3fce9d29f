package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"time"
)

// Response is the response of a handler. The HTTP status is always 200.
type Response struct {
	Code    int32
	Message string
	// Data is written as null if it is nil, and not at all by an operation without data.
	Data any
	// Details are those of the elements of a batch.
	Details []any
	// Fields are written next to the status, for operations without data.
	Fields map[string]any
	// Bare responses are from the server's framework and have neither details
	// nor data.
	Bare bool
	// withData: the operation has data.
	withData bool
	// plain responses have no status around code and message.
	plain bool
}

// codesApart is how much larger the codes of plain responses are.
const codesApart = 1000

// Done is a success without data.
func Done() Response { return Response{Message: SuccessMessage} }

// Result is a success with data.
func Result(data any) Response {
	return Response{Message: SuccessMessage, Data: data}
}

// Refuse is a failure.
func Refuse(code int32, message string) Response {
	return Response{Code: code, Message: message}
}

// unexpected is the framework's response to an undecodable body or a crash.
func unexpected(message string) Response {
	return Response{Code: codeUnexpected, Message: message, Bare: true}
}

// Crash is the framework's response if a handler panics.
func Crash(reason string) Response {
	return unexpected("doBizProcess panic, err: " + reason)
}

type envelopeStatus struct {
	Code    int32  `json:"code"`
	Message string `json:"message"`
	Details []any  `json:"details"`
}

type bareStatus struct {
	Code    int32  `json:"code"`
	Message string `json:"message"`
}

func (r Response) body() ([]byte, error) {
	var envelope any
	status := envelopeStatus{Code: r.Code, Message: r.Message, Details: append([]any{}, r.Details...)}
	switch {
	case r.plain:
		envelope = bareStatus{Code: r.Code, Message: r.Message}
	case r.Fields != nil:
		fields := maps.Clone(r.Fields)
		fields["status"] = status
		envelope = fields
	case r.Bare:
		envelope = struct {
			Status bareStatus `json:"status"`
		}{bareStatus{Code: r.Code, Message: r.Message}}
	case r.withData:
		envelope = struct {
			Status envelopeStatus `json:"status"`
			Data   any            `json:"data"`
		}{status, r.Data}
	default:
		envelope = struct {
			Status envelopeStatus `json:"status"`
		}{status}
	}
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(envelope); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buffer.Bytes(), []byte("\n")), nil
}

const jsonContentType = "application/json; charset=utf-8"

// write sends the response and reports its code to a recording writer.
func (r Response) write(w http.ResponseWriter) {
	body, err := r.body()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	noteCode(w, r.Code)
	w.Header().Set("Content-Type", jsonContentType)
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(body) // the client may disconnect
}

// noCode is the code of a response without one.
const noCode int32 = -1

// noteCode reports the code of a response to a recording writer.
func noteCode(w http.ResponseWriter, code int32) {
	if noter, ok := w.(interface{ SetCode(code int32) }); ok {
		noter.SetCode(code)
	}
}

// Rfc3339 formats a time for responses.
func Rfc3339(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// ErrUnknown is returned by direct access to an id or name that does not exist.
var ErrUnknown = errors.New("unknown to the sandbox")

// Err is nil for a success.
func (r Response) Err() error {
	if r.Code == CodeSuccess {
		return nil
	}
	return fmt.Errorf("code %d: %s", r.Code, r.Message)
}
