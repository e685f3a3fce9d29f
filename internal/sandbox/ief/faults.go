package ief

import (
	"net/http"
	"strings"
	"time"
)

// Fault says which requests go wrong and how: the connection is dropped, unless
// Status says what is answered.
type Fault struct {
	// Method and the end of the path choose requests; "" is all.
	Method, Path string
	// Times is how many requests are hit; 0 is one, negative is all.
	Times int
	// AfterEffect lets the request have its effect first.
	AfterEffect bool
	// Status, Body and Header are answered in place of a dropped connection.
	Status int
	Body   string
	Header map[string]string
	// Delay passes before the fault strikes. With Harmless set, the right
	// answer follows.
	Delay    time.Duration
	Harmless bool

	left int
}

// Inject lets requests go wrong from now on.
func (s *Server) Inject(fault Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fault.left = fault.Times
	if fault.left == 0 {
		fault.left = 1
	}
	s.faults = append(s.faults, &fault)
}

// FaultHits is how many requests faults have hit so far.
func (s *Server) FaultHits() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hits
}

// Heal ends all faults.
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

// strike does what the fault does, and says whether the request is answered by
// that.
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
