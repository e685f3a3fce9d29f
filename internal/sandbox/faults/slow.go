package faults

import (
	"net/http"
	"strings"
	"time"
)

// pause waits unless the client disconnects or the sandbox closes.
func (h *faultyHandler) pause(r *http.Request, delay time.Duration) {
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-r.Context().Done():
	case <-h.stopped:
	}
}

// hang waits until the client disconnects or the sandbox closes, at most limit
// if it is set.
func (h *faultyHandler) hang(r *http.Request, limit time.Duration) {
	if limit > 0 {
		h.pause(r, limit)
		return
	}
	select {
	case <-r.Context().Done():
	case <-h.stopped:
	}
}

// trickleSteps is the maximum number of pieces of a slow response.
const trickleSteps = 20

// trickle sends the buffered response in pieces over a time.
func (h *faultyHandler) trickle(w http.ResponseWriter, r *http.Request, held *bufferedResponse, over time.Duration) {
	for name, values := range held.header {
		w.Header()[name] = values
	}
	held.WriteHeader(http.StatusOK)
	w.WriteHeader(held.status)
	body := held.body.Bytes()
	step := max(1, len(body)/trickleSteps)
	for start := 0; start < len(body); start += step {
		h.pause(r, over/trickleSteps)
		if _, err := w.Write(body[start:min(start+step, len(body))]); err != nil {
			return
		}
		if flusher, ok := w.(http.Flusher); ok {
			flusher.Flush()
		}
	}
}

// endless sends the beginning of a response and then text, size bytes of it or
// until the client disconnects.
func (h *faultyHandler) endless(w http.ResponseWriter, r *http.Request, size int64) {
	w.Header().Set("Content-Type", jsonType)
	if _, err := w.Write([]byte(h.faults.api.EndlessPrefix())); err != nil {
		return
	}
	block := []byte(strings.Repeat("x", 64*1024))
	for sent := int64(0); size == 0 || sent < size; sent += int64(len(block)) {
		select {
		case <-r.Context().Done():
			return
		case <-h.stopped:
			return
		default:
		}
		if _, err := w.Write(block); err != nil {
			return
		}
	}
	_, _ = w.Write([]byte(`"}}`)) // the client may disconnect
}
