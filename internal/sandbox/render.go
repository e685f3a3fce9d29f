package sandbox

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"time"
)

// answer is what a handler has to say. The HTTP status is 200 for all of them.
type answer struct {
	code    int32
	message string
	// withData tells that the response message of this operation has a data
	// field; data nil is then written as null.
	withData bool
	data     any
	// details are those of the elements of a batch.
	details []any
	// fields are beside the status, of operations whose answers have no data.
	fields map[string]any
	// bare answers come from the framework around the handlers and have
	// neither details nor data.
	bare bool
}

// done is the success of an operation without data.
func done() answer { return answer{message: successMessage} }

// result is the success of an operation with data.
func result(data any) answer {
	return answer{message: successMessage, withData: true, data: data}
}

// refuse is the failure of an operation without data.
func refuse(code int32, message string) answer {
	return answer{code: code, message: message}
}

// refuseData is the failure of an operation that has data on success.
func refuseData(code int32, message string) answer {
	return answer{code: code, message: message, withData: true}
}

// unexpected is what the framework answers to an undecodable body or a crash.
func unexpected(message string) answer {
	return answer{code: codeUnexpected, message: message, bare: true}
}

// crash is what the framework answers when a handler panics.
func crash(reason string) answer {
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

func (a answer) body() ([]byte, error) {
	var envelope any
	status := envelopeStatus{Code: a.code, Message: a.message, Details: append([]any{}, a.details...)}
	switch {
	case a.fields != nil:
		fields := maps.Clone(a.fields)
		fields["status"] = status
		envelope = fields
	case a.bare:
		envelope = struct {
			Status bareStatus `json:"status"`
		}{bareStatus{Code: a.code, Message: a.message}}
	case a.withData:
		envelope = struct {
			Status envelopeStatus `json:"status"`
			Data   any            `json:"data"`
		}{status, a.data}
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

// write sends the answer and notes its code on a recording writer.
func (a answer) write(w http.ResponseWriter) {
	body, err := a.body()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	noteCode(w, a.code)
	w.Header().Set("Content-Type", jsonContentType)
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(body) // the client going away is its own affair
}

// noCode stands for an answer without a code.
const noCode int32 = -1

// noteCode tells a writer that keeps records which code an answer has.
func noteCode(w http.ResponseWriter, code int32) {
	if noter, ok := w.(interface{ NoteCode(code int32) }); ok {
		noter.NoteCode(code)
	}
}

// rfc3339 is a time in answers.
func rfc3339(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// ErrUnknown is returned by direct access to an id or name that does not exist.
var ErrUnknown = errors.New("unknown to the sandbox")

// err is nil for a success.
func (a answer) err() error {
	if a.code == codeSuccess {
		return nil
	}
	return fmt.Errorf("code %d: %s", a.code, a.message)
}
