package faults

import (
	"bytes"
	"fmt"
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
	Fault Kind `json:"fault,omitempty"`
}

// noCode is the code of requests that were not answered with one.
const noCode int32 = -1

// Recorder keeps the last requests and counts all.
type Recorder struct {
	mu     sync.Mutex
	limit  int
	list   []*Request
	counts map[string]int
}

// NewRecorder makes a recorder of the last limit requests; negative is none.
func NewRecorder(limit int) *Recorder {
	return &Recorder{limit: limit, counts: map[string]int{}}
}

// add notes a request before it is answered, so that it counts even when the
// answer never comes; the entry is completed later.
func (r *Recorder) add(entry Request) *Request {
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

func (r *Recorder) complete(entry *Request, status int, code int32) {
	r.mu.Lock()
	defer r.mu.Unlock()
	entry.HTTPStatus, entry.Code = status, code
}

func (r *Recorder) markFault(entry *Request, kind Kind) {
	r.mu.Lock()
	defer r.mu.Unlock()
	entry.Fault = kind
}

// Requests lists the requests received since the start or the last
// ResetRequests, oldest first, at most as many as are kept.
func (r *Recorder) Requests() []Request {
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
func (r *Recorder) Count(path string) int {
	counts := r.Counts()
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
func (r *Recorder) Counts() map[string]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	counts := make(map[string]int, len(r.counts))
	for path, count := range r.counts {
		counts[path] = count
	}
	return counts
}

// ResetRequests forgets all requests and counts.
func (r *Recorder) ResetRequests() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list, r.counts = nil, map[string]int{}
}

// Handler answers requests through next, unless a fault is in the way, and
// records each with its body and what was answered. When stopped is closed,
// answers that hang on purpose end.
func Handler(list *List, records *Recorder, stopped <-chan struct{}, next http.Handler) http.Handler {
	faulty := &faultyHandler{faults: list, records: records, next: next, stopped: stopped}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, fmt.Sprintf("reading the request body: %v", err), http.StatusBadRequest)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		entry := records.add(Request{
			Time: time.Now(), Method: r.Method, Op: r.URL.Path, Body: string(body), Code: noCode,
		})
		status, code := faulty.serve(w, r, body, entry)
		records.complete(entry, status, code)
	})
}
