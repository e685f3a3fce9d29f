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

// gate is a listener in front of a server. While it is shut, connections are
// refused. Every connection serves one request only.
type gate struct {
	next   http.Handler
	server *http.Server

	mu       sync.Mutex
	address  string
	listener net.Listener // nil while shut
	// shutAt is the event at which the gate shuts; the zero rule never matches.
	shutAt rule
	seen   int
	// stop drops the response of the request at which the gate shuts, before
	// or after the request takes effect. It simulates a server that crashes
	// during the request.
	stop serverStop
}

// serverStop says at which point of a request the server goes down.
type serverStop int

const (
	noStop serverStop = iota
	stopBeforeEffect
	stopAfterEffect
)

// rule selects an event: the nth response of a path, or the nth announced call
// of the plugin protocol for addresses with a prefix.
type rule struct {
	path string

	rpc, prefix string

	nth int
	// when is an additional condition for an event, or nil.
	when func() bool
}

func newGate(t *testing.T, next http.Handler) *gate {
	t.Helper()
	g := &gate{next: next, address: "127.0.0.1:0"}
	g.server = &http.Server{Handler: g, ReadHeaderTimeout: time.Minute, ErrorLog: log.New(io.Discard, "", 0)}
	g.open()
	t.Cleanup(func() { _ = g.server.Close() })
	return g
}

func (g *gate) endpoint() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return "http://" + g.address
}

// ServeHTTP implements http.Handler.
func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Connection", "close")
	// Shut before the response is sent, so that the next request of its
	// receiver is refused.
	shut := g.notice(func(at rule) bool { return at.path != "" && strings.HasSuffix(r.URL.Path, at.path) })
	if !shut || g.stop == noStop {
		g.next.ServeHTTP(w, r)
		return
	}
	if g.stop == stopAfterEffect {
		g.next.ServeHTTP(httptest.NewRecorder(), r)
	}
	panic(http.ErrAbortHandler)
}

// announced counts a call of the plugin protocol.
func (g *gate) announced(rpc, address string) {
	g.notice(func(at rule) bool { return at.rpc == rpc && strings.HasPrefix(address, at.prefix) })
}

// notice counts a matching event, and shuts the gate at the nth. It returns
// whether it has shut the gate.
func (g *gate) notice(matches func(rule) bool) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shutAt.nth == 0 || !matches(g.shutAt) || g.shutAt.when != nil && !g.shutAt.when() {
		return false
	}
	if g.seen++; g.seen != g.shutAt.nth {
		return false
	}
	g.shut()
	return true
}

// shut refuses new connections; open ones stay open. The caller holds the lock.
func (g *gate) shut() {
	if g.listener != nil {
		_ = g.listener.Close()
		g.listener = nil
	}
}

// open accepts connections again, at the same address.
func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.shutAt = rule{}
	if g.listener != nil {
		return
	}
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

// whenRefused returns the event at which the gate has to shut to refuse the nth
// call of a target; run reports whether all desired servings run.
func whenRefused(t target, nth int, run func() bool) rule {
	switch {
	case t.path == "serving/query" && t.scenario == "create servings":
		// The second status of running servings confirms the first, and ends
		// the waits.
		return rule{path: "serving/status/batchQuery", nth: 2, when: run}
	case t.path == "serving/query" && t.scenario == "update servings":
		return rule{rpc: "ReadResource", prefix: servingAddress(""), nth: nth}
	case t.path == "serving/query":
		return rule{rpc: "ReadResource", prefix: servingAddress(""), nth: 1}
	case t.path == "serving/create" && nth == 1: // the first one asks for the version first
		return rule{path: "version", nth: 1}
	case t.path == "serving/update": // each update queries first, as each refresh did
		return rule{path: "serving/query", nth: 2 * nth}
	case t.path == "serving/status/batchQuery" && nth > 1:
		return rule{path: t.path, nth: nth - 1}
	case t.path == "serving/status/batchQuery":
		return rule{path: map[string]string{
			"create servings": "serving/create", "update servings": "serving/update", "delete servings": "serving/delete",
		}[t.scenario], nth: 1}
	case t.path == "appimage/query" && t.scenario == "create images":
		return rule{path: "appimage/create", nth: nth}
	case t.path == "appimage/query" && t.scenario == "create servings":
		return rule{path: "appimage/create", nth: 1}
	case t.path == "appimage/query":
		return rule{rpc: "ReadResource", prefix: imageAddress(""), nth: nth}
	case t.path == "appimage/update": // likewise
		return rule{path: "appimage/query", nth: 2 * nth}
	case strings.HasPrefix(t.path, "appimage/"):
		return rule{rpc: "ApplyResourceChange", prefix: imageAddress(""), nth: nth}
	}
	group, operation, _ := strings.Cut(t.path, "/")
	if kind, known := kindOfPath(group); known {
		switch {
		case operation == "create" && kind.queriesFirst:
			return rule{path: group + "/query", nth: nth}
		case operation != "query":
			return rule{rpc: "ApplyResourceChange", prefix: kind.typeName + ".", nth: nth}
		case strings.HasPrefix(t.scenario, "create "):
			return rule{path: group + "/create", nth: nth}
		}
		return rule{rpc: "ReadResource", prefix: kind.typeName + ".", nth: nth}
	}
	return rule{rpc: "ApplyResourceChange", prefix: servingAddress(""), nth: nth}
}
