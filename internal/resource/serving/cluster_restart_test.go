package serving_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"k8s.io/client-go/rest"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// restartable is an address of an API server that restarts as a real one does.
type restartable struct {
	t       *testing.T
	address string
	server  *httptest.Server
	// starts is what it answers while it starts, nil otherwise.
	starts  atomic.Pointer[func(w http.ResponseWriter)]
	forward http.Handler
}

func newRestartable(t *testing.T, k *acctest.Kube) *restartable {
	t.Helper()
	target, err := url.Parse(k.Server.Config.Host)
	if err != nil {
		t.Fatal(err)
	}
	forward := httputil.NewSingleHostReverseProxy(target)
	if forward.Transport, err = rest.TransportFor(k.Server.Config); err != nil {
		t.Fatal(err)
	}
	r := &restartable{t: t, address: "127.0.0.1:0", forward: forward}
	r.listen()
	r.address = r.server.Listener.Addr().String()
	t.Cleanup(func() { r.server.Close() })
	return r
}

func (r *restartable) listen() {
	listener, err := net.Listen("tcp", r.address)
	if err != nil {
		r.t.Error(err)
		return
	}
	r.server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		if starts := r.starts.Load(); starts != nil {
			(*starts)(w)
			return
		}
		r.forward.ServeHTTP(w, request)
	}))
	r.server.Listener = listener
	r.server.Start()
}

// restart ends all connections, refuses new ones, and then answers without its store, its permissions and
// its kinds.
func (r *restartable) restart() {
	r.server.Listener.Close() //nolint:errcheck // it is made again
	r.server.CloseClientConnections()
	r.server.Close()
	time.Sleep(600 * time.Millisecond)
	answers := []func(w http.ResponseWriter){
		func(w http.ResponseWriter) { http.Error(w, "etcd is not ready", http.StatusInternalServerError) },
		func(w http.ResponseWriter) { http.Error(w, "", http.StatusServiceUnavailable) },
		func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusForbidden)
			_, _ = io.WriteString(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","code":403,"message":"domains \"alice\" is forbidden: User \"u\" cannot get resource \"domains\": RBAC: clusterrole not found"}`)
		},
		func(w http.ResponseWriter) { http.Error(w, "404 page not found", http.StatusNotFound) },
	}
	for i := range answers {
		r.starts.Store(&answers[i])
		if i == 0 {
			r.listen()
		}
		time.Sleep(400 * time.Millisecond)
	}
	r.starts.Store(nil)
}

// TestClusterRestarts: a restart of the API server in the middle of an apply ends no create and no wait: neither
// the requests before anything is sent, nor those of the waits.
func TestClusterRestarts(t *testing.T) {
	t.Parallel()
	k := acctest.NewKube(t)
	k.RequireSimulated(t, "the API server restarts")
	c := newClustered(t, k)
	server := newRestartable(t, k)
	r := c.env.Server(map[string]string{acctest.EnvKubeConfigPath: "", "KUSCIA_KUBE_HOST": "http://" + server.address, "KUSCIA_MAX_RETRIES": "1"}).Resource(t, "kuscia_serving")
	create := func(i int) {
		id := fmt.Sprintf("%s-%d", c.name, i)
		state, said := r.Apply(t, c.config(r, "v1", protocol.Object{"serving_id": id, "parties": protocol.Object{"alice": protocol.Object{"app_image": c.images["v1"], "replicas": 1}}}), r.None())
		if strings.Contains(said, "ERROR") || !state.At("rollout_complete").Equal(tftypes.NewValue(tftypes.Bool, true)) {
			t.Errorf("serving %d: %s", i, said)
		}
	}
	create(0)
	restarted := make(chan struct{})
	go func() { defer close(restarted); server.restart() }()
	var group sync.WaitGroup
	for i := range 6 {
		group.Go(func() {
			time.Sleep(time.Duration(i) * 300 * time.Millisecond)
			create(i + 1)
		})
	}
	group.Wait()
	<-restarted
}
