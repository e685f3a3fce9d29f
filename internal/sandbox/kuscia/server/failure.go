package server

import "net/http"

// Failure is an answer that a fault wants in place of the right one.
type Failure struct {
	// Code and Message; 0 and "" are those of the operation and the text.
	Code    int32
	Message string
	Kind    FailureKind
}

// FailureKind is what went wrong.
type FailureKind int

// The kinds of failures.
const (
	// FailedPlainly has no text of its own.
	FailedPlainly FailureKind = iota
	// FailedMaster is a master that a node does not reach.
	FailedMaster
	// FailedConflict is an object that somebody else has modified.
	FailedConflict
	// FailedStore is a store that does not answer.
	FailedStore
	// FailedPanic is a handler that crashed.
	FailedPanic
)

// Fail writes the answer to a request that fails.
func (s *Node) Fail(w http.ResponseWriter, path string, body []byte, failure Failure) {
	s.failed(path, body, failure).write(w)
}

func (s *Node) failed(path string, body []byte, failure Failure) Answer {
	op, ok := s.operations[path]
	kind, name := "", ""
	if !ok || op.of == nil {
		op = Operation{code: codeUnexpected}
	} else {
		kind = op.of.Kind
		if op.of.Named != nil {
			name = op.of.Named(body)
		}
	}
	a := Answer{Code: op.code, WithData: op.withData}
	switch failure.Kind {
	case FailedMaster:
		a.Code, a.Message = codeMasterFailed, "request master failed, dial tcp: connection refused"
	case FailedConflict:
		a.Message = ConflictError(kind, name)
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
