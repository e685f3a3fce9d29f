package ief

import (
	"net/http"
	"strings"
	"time"
)

// Fault selects requests and how they fail: the connection is dropped, unless
// Status is set.
type Fault struct {
	// Method and the suffix Path select requests; "" means all.
	Method, Path string
	// Times is the number of affected requests; 0 means one, negative means
	// all.
	Times int
	// AfterEffect injects the fault after the request takes effect.
	AfterEffect bool
	// Status, Body and Header are the response instead of a dropped connection.
	Status int
	Body   string
	Header map[string]string
	// Delay passes before the fault is injected. With Harmless set, the correct
	// response follows.
	Delay    time.Duration
	Harmless bool

	left int
}

// Inject adds a fault.
func (s *Server) Inject(fault Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fault.left = fault.Times
	if fault.left == 0 {
		fault.left = 1
	}
	s.faults = append(s.faults, &fault)
}

// FaultHits is the number of affected requests so far.
func (s *Server) FaultHits() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hits
}

// Heal removes all faults.
func (s *Server) Heal() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = nil
}

func (f *Fault) hits(r *http.Request) bool {
	if f.left == 0 || f.Method != "" && f.Method != r.Method || !strings.HasSuffix(r.URL.Path, f.Path) {
		return false
	}
	f.left--
	return true
}

// strike applies the fault, and reports whether it has handled the request.
func (f *Fault) strike(w http.ResponseWriter, r *http.Request, after bool) bool {
	if f == nil || f.AfterEffect != after {
		return false
	}
	if f.Delay > 0 {
		select {
		case <-time.After(f.Delay):
		case <-r.Context().Done():
		}
	}
	switch {
	case f.Harmless:
		return false
	case f.Status != 0:
		for name, value := range f.Header {
			w.Header().Set(name, value)
		}
		w.WriteHeader(f.Status)
		_, _ = w.Write([]byte(f.Body))
	default:
		panic(http.ErrAbortHandler)
	}
	return true
}
