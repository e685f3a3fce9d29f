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
	// Code is the returned status.code, or -1 if there was none: an error by
	// HTTP status, a dropped connection, a response that a fault replaced.
	Code int32 `json:"code"`
	// HTTPStatus is 0 if the connection was dropped.
	HTTPStatus int `json:"http_status"`
	// Fault is the kind of the fault that was applied, if any.
	Fault Kind `json:"fault,omitempty"`
}

// noCode is the code of requests without a status.code in the response.
const noCode int32 = -1

// Recorder keeps the last requests and counts all requests.
type Recorder struct {
	mu     sync.Mutex
	limit  int
	list   []*Request
	counts map[string]int
}

// NewRecorder returns a recorder of the last limit requests; negative means
// none.
func NewRecorder(limit int) *Recorder {
	return &Recorder{limit: limit, counts: map[string]int{}}
}

// add records a request before it is handled, so that it is counted even
// without a response; the entry is completed later.
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

// Requests returns the requests since the start or the last ResetRequests,
// oldest first, up to the limit.
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

// Count is the number of requests for a path since the last ResetRequests; ""
// means all paths.
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

// Counts is the number of requests for each path since the last ResetRequests.
func (r *Recorder) Counts() map[string]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	counts := make(map[string]int, len(r.counts))
	for path, count := range r.counts {
		counts[path] = count
	}
	return counts
}

// ResetRequests deletes all requests and counts.
func (r *Recorder) ResetRequests() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list, r.counts = nil, map[string]int{}
}

// Handler passes requests to next, unless a fault applies, and records each
// with its body and response. When stopped is closed, hanging responses end.
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
