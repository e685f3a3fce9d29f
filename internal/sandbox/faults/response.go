package faults

import (
	"bytes"
	"net/http"
)

// bufferedResponse buffers a response until the fault is applied.
type bufferedResponse struct {
	header http.Header
	status int
	body   bytes.Buffer
	code   int32
}

func newBufferedResponse() *bufferedResponse {
	return &bufferedResponse{header: http.Header{}, code: noCode}
}

// SetCode is called by the product with the code of a response.
func (b *bufferedResponse) SetCode(code int32) { b.code = code }

// Header implements http.ResponseWriter.
func (b *bufferedResponse) Header() http.Header { return b.header }

// WriteHeader implements http.ResponseWriter.
func (b *bufferedResponse) WriteHeader(status int) {
	if b.status == 0 {
		b.status = status
	}
}

// Write implements http.ResponseWriter.
func (b *bufferedResponse) Write(p []byte) (int, error) {
	b.WriteHeader(http.StatusOK)
	return b.body.Write(p)
}

// copyTo sends the buffered response.
func (b *bufferedResponse) copyTo(w http.ResponseWriter) {
	for name, values := range b.header {
		w.Header()[name] = values
	}
	b.WriteHeader(http.StatusOK)
	w.WriteHeader(b.status)
	_, _ = w.Write(b.body.Bytes()) // the client may disconnect
}
