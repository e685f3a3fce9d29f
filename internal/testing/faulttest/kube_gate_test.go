package faulttest_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// kubeFault is something that goes wrong with a call of the Kubernetes API.
type kubeFault struct {
	// status and body take the place of the answer; without them the connection
	// breaks.
	status int
	body   string
	// after says that the call was carried out all the same.
	after bool
	// stale answers with what the object was before, as an API server does whose
	// cache is late.
	stale bool
	// interrupts is Ctrl-C when the call comes, which is answered as ever.
	interrupts bool
}

// kubeGate is a Kubernetes API with a fault, in front of one without.
type kubeGate struct {
	url string

	mu sync.Mutex
	// method and part of the path are those of calls that are struck, and times
	// how often; -1 is always.
	method, path string
	times        int
	fault        kubeFault
	interrupt    func()
	hits         int
	// before are the answers to reads of before the fault, by path.
	before map[string][]byte
}

// newKubeGate stands in front of the cluster of a kubeconfig.
func newKubeGate(t *testing.T, kubeconfig string) *kubeGate {
	t.Helper()
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	must(err)
	transport, err := rest.TransportFor(config)
	must(err)
	cluster, err := url.Parse(config.Host)
	must(err)
	proxy := httputil.NewSingleHostReverseProxy(cluster)
	proxy.Transport = transport
	g := &kubeGate{before: map[string][]byte{}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Host = cluster.Host
		g.serve(proxy, w, r)
	}))
	t.Cleanup(server.Close)
	g.url = server.URL
	return g
}

// strike lets the next calls that fit fail.
func (g *kubeGate) strike(method, path string, times int, fault kubeFault, interrupt func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.method, g.path, g.times, g.fault, g.interrupt = method, path, times, fault, interrupt
}

// heal ends the fault and says how often it struck.
func (g *kubeGate) heal() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.times = 0
	return g.hits
}

// struck uses up a fault that fits a call.
func (g *kubeGate) struck(r *http.Request) (fault kubeFault, struck bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.times == 0 || r.Method != g.method || !strings.Contains(r.URL.Path, g.path) || g.fault.stale && g.before[r.URL.Path] == nil {
		return kubeFault{}, false
	}
	g.times--
	g.hits++
	return g.fault, true
}

func (g *kubeGate) serve(proxy http.Handler, w http.ResponseWriter, r *http.Request) {
	fault, struck := g.struck(r)
	if !struck {
		g.pass(proxy, w, r)
		return
	}
	switch {
	case fault.interrupts:
		g.interrupt()
		g.pass(proxy, w, r)
		return
	case fault.stale:
		g.mu.Lock()
		stale := g.before[r.URL.Path]
		g.mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(stale)
		return
	case fault.after:
		proxy.ServeHTTP(httptest.NewRecorder(), r)
	default:
		_, _ = io.Copy(io.Discard, r.Body)
	}
	if fault.status == 0 {
		panic(http.ErrAbortHandler)
	}
	if strings.HasPrefix(fault.body, "{") {
		w.Header().Set("Content-Type", "application/json")
	}
	w.WriteHeader(fault.status)
	_, _ = io.WriteString(w, fault.body)
}

// pass passes a call on, and keeps what is read of an object as long as nothing
// is struck.
func (g *kubeGate) pass(proxy http.Handler, w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet {
		proxy.ServeHTTP(w, r)
		return
	}
	answer := httptest.NewRecorder()
	proxy.ServeHTTP(answer, r)
	g.mu.Lock()
	if answer.Code == http.StatusOK && g.hits == 0 && g.times == 0 {
		g.before[r.URL.Path] = bytes.Clone(answer.Body.Bytes())
	}
	g.mu.Unlock()
	for name, values := range answer.Header() {
		if name != "Content-Length" {
			w.Header()[name] = values
		}
	}
	w.WriteHeader(answer.Code)
	_, _ = w.Write(answer.Body.Bytes())
}
