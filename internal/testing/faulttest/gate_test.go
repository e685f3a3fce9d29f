package faulttest_test

import (
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// gate is a listener in front of a server. While it is shut, connections are refused.
type gate struct {
	next   http.Handler
	server *http.Server

	mu       sync.Mutex
	address  string
	listener net.Listener // nil while shut
	// The nth request of a method and a path shuts the gate, if any; its response is lost before or
	// after the request takes effect, as if the server crashed during the request.
	method, path string
	nth          int
	stop         serverStop
}

// serverStop says at which point of a request the server goes down.
type serverStop int

const (
	noStop serverStop = iota
	stopBeforeEffect
	stopAfterEffect
)

func newGate(t *testing.T, next http.Handler) *gate {
	t.Helper()
	g := &gate{next: next, address: "127.0.0.1:0"}
	g.server = &http.Server{Handler: g, ReadHeaderTimeout: time.Minute, ErrorLog: log.New(io.Discard, "", 0)}
	g.open()
	t.Cleanup(func() { _ = g.server.Close() })
	return g
}

func (g *gate) endpoint() string { return "http://" + g.address }

// ServeHTTP implements http.Handler.
func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Connection", "close")
	if !g.goesDown(r) {
		g.next.ServeHTTP(w, r)
		return
	}
	if g.stop == stopAfterEffect {
		g.next.ServeHTTP(httptest.NewRecorder(), r)
	}
	panic(http.ErrAbortHandler)
}

// goesDown counts a request, and shuts the gate at the nth.
func (g *gate) goesDown(r *http.Request) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.nth == 0 || g.method != "" && g.method != r.Method || !strings.HasSuffix(r.URL.Path, g.path) {
		return false
	}
	if g.nth--; g.nth > 0 {
		return false
	}
	g.shut()
	return true
}

// shut refuses new connections; open ones stay open. The caller holds the lock.
func (g *gate) shut() {
	_ = g.listener.Close()
	g.listener = nil
}

// open accepts connections again, at the same address.
func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for {
		listener, err := net.Listen("tcp", g.address)
		if err == nil {
			g.listener, g.address = listener, listener.Addr().String()
			go func() { _ = g.server.Serve(listener) }() // ends when the listener is closed
			return
		}
		// Another process uses the port for a moment.
		time.Sleep(10 * time.Millisecond)
	}
}
