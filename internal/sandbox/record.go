package sandbox

import (
	"bytes"
	"io"
	"net/http"
	"sync"
	"time"
)

// Request is a request that the sandbox received.
type Request struct {
	Time   time.Time `json:"time"`
	Method string    `json:"method"`
	// Op is the path, such as /api/v1/serving/create.
	Op   string `json:"op"`
	Body string `json:"body"`
	// Code is the answered status.code, or -1 when there was none: a refusal
	// by HTTP status, a dropped connection, an answer that a fault replaced.
	Code int32 `json:"code"`
	// HTTPStatus is 0 when the connection was dropped.
	HTTPStatus int `json:"http_status"`
	// Fault is the kind of the fault that hit the request, if any.
	Fault FaultKind `json:"fault,omitempty"`
}

// noCode is the code of requests that were not answered with one.
const noCode int32 = -1

// recorder keeps the last requests and counts all.
type recorder struct {
	mu     sync.Mutex
	limit  int
	list   []*Request
	counts map[string]int
}

func newRecorder(limit int) *recorder {
	return &recorder{limit: limit, counts: map[string]int{}}
}

// add notes a request before it is answered, so that it counts even when the
// answer never comes; the entry is completed later.
func (r *recorder) add(entry Request) *Request {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.counts[entry.Op]++
	stored := &entry
	if r.limit > 0 {
		if len(r.list) >= 2*r.limit {
			r.list = append(r.list[:0:0], r.list[len(r.list)-r.limit:]...)
		}
		r.list = append(r.list, stored)
	}
	return stored
}

func (r *recorder) complete(entry *Request, status int, code int32) {
	r.mu.Lock()
	defer r.mu.Unlock()
	entry.HTTPStatus, entry.Code = status, code
}

func (r *recorder) markFault(entry *Request, kind FaultKind) {
	r.mu.Lock()
	defer r.mu.Unlock()
	entry.Fault = kind
}

// Requests lists the requests received since the start or the last
// ResetRequests, oldest first, at most Options.RecordLimit.
func (s *Sandbox) Requests() []Request {
	r := s.records
	r.mu.Lock()
	defer r.mu.Unlock()
	list := r.list
	if len(list) > r.limit && r.limit > 0 {
		list = list[len(list)-r.limit:]
	}
	copied := make([]Request, len(list))
	for i, entry := range list {
		copied[i] = *entry
	}
	return copied
}

// Count is how often a path was requested since the last ResetRequests; "" is
// all paths together.
func (s *Sandbox) Count(path string) int {
	counts := s.Counts()
	if path != "" {
		return counts[path]
	}
	total := 0
	for _, count := range counts {
		total += count
	}
	return total
}

// Counts is how often each path was requested since the last ResetRequests.
func (s *Sandbox) Counts() map[string]int {
	r := s.records
	r.mu.Lock()
	defer r.mu.Unlock()
	counts := make(map[string]int, len(r.counts))
	for path, count := range r.counts {
		counts[path] = count
	}
	return counts
}

// ResetRequests forgets all requests and counts.
func (s *Sandbox) ResetRequests() {
	r := s.records
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list, r.counts = nil, map[string]int{}
}

// record notes every request with its body and what was answered.
func (s *Sandbox) record(next *faultyHandler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := readBody(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		entry := s.records.add(Request{
			Time: time.Now(), Method: r.Method, Op: r.URL.Path, Body: string(body), Code: noCode,
		})
		status, code := next.serve(w, r, body, entry)
		s.records.complete(entry, status, code)
	})
}

// bufferedResponse holds an answer back until it is known what a fault makes
// of it.
type bufferedResponse struct {
	header http.Header
	status int
	body   bytes.Buffer
	code   int32
}

func newBufferedResponse() *bufferedResponse {
	return &bufferedResponse{header: http.Header{}, code: noCode}
}

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

// copyTo sends the held answer.
func (b *bufferedResponse) copyTo(w http.ResponseWriter) {
	for name, values := range b.header {
		w.Header()[name] = values
	}
	b.WriteHeader(http.StatusOK)
	w.WriteHeader(b.status)
	_, _ = w.Write(b.body.Bytes()) // the client going away is its own affair
}
