package sandbox

// operationTraits is what an error of an operation looks like.
type operationTraits struct {
	code     int32
	withData bool
	kind     string
}

func traitsOf(path string) operationTraits {
	op, ok := operations[path]
	if !ok || op.of == nil {
		return operationTraits{code: codeUnexpected}
	}
	return operationTraits{op.code, op.withData, op.of.kind}
}

// codeAnswer is the answer of the faults that answer a status code.
func (f *activeFault) codeAnswer(path string, body []byte) answer {
	traits := traitsOf(path)
	a := answer{code: traits.code, withData: traits.withData}
	switch f.Kind {
	case FaultMasterFailed:
		a.code, a.message = codeMasterFailed, "request master failed, dial tcp: connection refused"
	case FaultConflict:
		a.message = conflictError(traits.kind, nameIn(path, body))
	case FaultEtcdTimeout:
		a.message = "etcdserver: request timed out"
	case FaultPanic:
		return crash("runtime error: invalid memory address or nil pointer dereference")
	default:
		a.message = f.Message
	}
	if f.Code != 0 {
		a.code = f.Code
	}
	if f.Message != "" {
		a.message = f.Message
	}
	return a
}

// nameIn is the name of the object that a request is about.
func nameIn(path string, body []byte) string {
	of := operations[path].of
	if of == nil || of.named == nil {
		return ""
	}
	return of.named(body)
}
