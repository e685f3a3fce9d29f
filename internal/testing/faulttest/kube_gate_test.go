package faulttest_test

import (
	"bytes"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// kubeFault is a fault in a call of the Kubernetes API.
type kubeFault struct {
	// status and body replace the response; without them the connection is
	// dropped.
	status int
	body   string
	// after injects the fault after the request takes effect.
	after bool
	// stale returns the previous version of the object, as an API server with a
	// delayed cache does.
	stale bool
	// interrupts presses Ctrl-C when the request arrives; the response is
	// unchanged.
	interrupts bool
	// down refuses connections for this time from the call on.
	down time.Duration
}

// kubeGate is a proxy in front of a Kubernetes API that injects a fault.
type kubeGate struct {
	front  *gate
	proxy  *httputil.ReverseProxy
	closed sync.WaitGroup // until it is open again

	mu sync.Mutex
	// method and a part of the path select the affected calls, times their
	// number; -1 means all.
	method, path string
	times        int
	fault        kubeFault
	interrupt    func()
	hits         int
	// before are the responses to reads before the fault, by path.
	before map[string][]byte
}

// newKubeGate starts a proxy for the cluster of a kubeconfig, with its credentials.
func newKubeGate(t *testing.T, kubeconfig string) *kubeGate {
	t.Helper()
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	must(err)
	transport, err := rest.TransportFor(config)
	must(err)
	cluster, err := url.Parse(config.Host)
	must(err)
	g := &kubeGate{before: map[string][]byte{}}
	g.proxy = &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(cluster) }, Transport: transport, ModifyResponse: g.remember,
		ErrorLog: log.New(io.Discard, "", 0), // requests that the provider cancels
	}
	g.front = newGate(t, g)
	return g
}

// kubeconfigText is a kubeconfig with one cluster and one user.
func kubeconfigText(cluster, user string) string {
	return "current-context: x\nclusters: [{name: c, cluster: {" + cluster + "}}]\nusers: [{name: u, user: {" + user + "}}]\ncontexts: [{name: x, context: {cluster: c, user: u}}]\n"
}

// inject injects the fault into the next matching calls.
func (g *kubeGate) inject(method, path string, times int, fault kubeFault, interrupt func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.method, g.path, g.times, g.fault, g.interrupt = method, path, times, fault, interrupt
}

// stopFault removes the fault and returns the number of affected calls.
func (g *kubeGate) stopFault() int {
	g.closed.Wait()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.times = 0
	return g.hits
}

// faultFor returns the fault for a matching call and counts it.
func (g *kubeGate) faultFor(r *http.Request) (fault kubeFault, hit bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.times == 0 || r.Method != g.method || !strings.Contains(r.URL.Path, g.path) || g.fault.stale && g.before[r.URL.Path] == nil {
		return kubeFault{}, false
	}
	g.times--
	g.hits++
	return g.fault, true
}

// ServeHTTP implements http.Handler.
func (g *kubeGate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	fault, hit := g.faultFor(r)
	if !hit {
		g.proxy.ServeHTTP(w, r)
		return
	}
	switch {
	case fault.interrupts:
		g.interrupt()
		g.proxy.ServeHTTP(w, r)
		return
	case fault.stale:
		g.mu.Lock()
		stale := g.before[r.URL.Path]
		g.mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(stale)
		return
	case fault.down > 0:
		g.front.mu.Lock()
		g.front.shut()
		g.front.mu.Unlock()
		g.closed.Add(1)
		time.AfterFunc(fault.down, func() { g.front.open(); g.closed.Done() })
	case fault.after:
		g.proxy.ServeHTTP(httptest.NewRecorder(), r)
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

// remember stores the responses to reads before the fault.
func (g *kubeGate) remember(r *http.Response) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if r.Request.Method != http.MethodGet || r.StatusCode != http.StatusOK || g.hits > 0 || g.times != 0 {
		return nil
	}
	body, err := io.ReadAll(r.Body)
	g.before[r.Request.URL.Path], r.Body = body, io.NopCloser(bytes.NewReader(body))
	return err
}
