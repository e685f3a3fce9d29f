package kuscia

import "net/http"

// objectOperation is the operation of a name below /api/v1/ that only reads.
func objectOperation(name string) operation {
	return operation{name: name, method: http.MethodPost, path: "/api/v1/" + name}
}

// changing marks an operation that changes something and may be repeated.
func (o operation) changing() operation {
	o.writes = true
	return o
}

// creating marks an operation that is repeated only when the earlier try
// certainly did not happen.
func (o operation) creating() operation {
	o.writes, o.creates = true, true
	return o
}

// withoutData marks an operation whose answer has its fields beside the status
// and not under data.
func (o operation) withoutData() operation {
	o.flat = true
	return o
}

// confidential marks an operation whose bodies are secrets all over.
func (o operation) confidential() operation {
	o.secret = true
	return o
}
