package server

import (
	"net/http"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// Failure is an error response that a fault requests.
type Failure struct {
	// Code and Message; 0 and "" mean those of the operation and the kind.
	Code    int32
	Message string
	Kind    FailureKind
}

// FailureKind is the kind of a Failure.
type FailureKind int

// The kinds of failures.
const (
	// FailedPlainly has no text of its own.
	FailedPlainly FailureKind = iota
	// FailedMaster: a node cannot reach its master.
	FailedMaster
	// FailedConflict: another client has modified the object.
	FailedConflict
	// FailedStore: the store does not respond.
	FailedStore
	// FailedPanic: the handler panicked.
	FailedPanic
)

// Fail writes the response to a failed request.
func (s *Node) Fail(w http.ResponseWriter, path string, body []byte, failure Failure) {
	s.failed(path, body, failure).write(w)
}

func (s *Node) failed(path string, body []byte, failure Failure) Response {
	op, ok := s.operations[path]
	kind, name := objects.Kind{}, ""
	if !ok || op.of == nil {
		op = Operation{code: codeUnexpected}
	} else {
		kind, name = op.of.Kind, op.of.named(body)
	}
	a := Response{Code: op.code, withData: op.withData}
	switch failure.Kind {
	case FailedMaster:
		a.Code, a.Message = codeMasterFailed, "request master failed, dial tcp: connection refused"
	case FailedConflict:
		a.Message = kind.Modified(name).Error()
	case FailedStore:
		a.Message = "etcdserver: request timed out"
	case FailedPanic:
		return Crash("runtime error: invalid memory address or nil pointer dereference")
	case FailedPlainly:
	}
	if failure.Code != 0 {
		a.Code = failure.Code
	}
	if failure.Message != "" {
		a.Message = failure.Message
	}
	return a
}
