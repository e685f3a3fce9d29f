package faulttest_test

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// silentServer starts a server of all APIs that accepts requests and does not answer them, and
// returns the environment of a provider that uses it.
func silentServer(t *testing.T, requested func()) map[string]string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if requested != nil {
			requested()
		}
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	}))
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return map[string]string{
		"KUSCIA_ENDPOINT": server.URL, "KUSCIA_CERTS_DIR": "", "KUSCIA_KUBE_HOST": server.URL,
		"KUSCIA_IEF_ENDPOINT": server.URL, "KUSCIA_IEF_PROJECT_ID": "p", "KUSCIA_IEF_TOKEN": "t0ken",
	}
}

// objectsOfAll are a configuration and an import id of each type.
func objectsOfAll() (configs map[string]protocol.Object, ids map[string]string) {
	configs = kusciaObjects()
	maps.Copy(configs, clusterObjects("x"))
	configs["kuscia_edge_deployment"] = edgeObject("x")
	ids = map[string]string{}
	for kind := range configs {
		ids[kind] = "x"
	}
	for _, kind := range []string{"kuscia_domain_route", "kuscia_domain_data", "kuscia_domain_data_source", "kuscia_domain_data_grant", "kuscia_rollout", "kuscia_traffic_routing"} {
		ids[kind] = "alice/x"
	}
	return configs, ids
}

// TestManyObjectsOfHangingServer: of many objects of a type only the first ones wait for a server
// that does not answer.
func TestManyObjectsOfHangingServer(t *testing.T) {
	t.Parallel()
	const n, parallel = 40, 10
	e := acctest.NewSandbox(t, sandbox.Options{})
	_, ids := objectsOfAll()
	delete(ids, "kuscia_rollout_approval") // it is no object
	for kind, id := range ids {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			var requests atomic.Int64
			s := e.Server(silentServer(t, func() { requests.Add(1) })).Configure(t, protocol.Object{"request_timeout": "1s", "max_retries": 1})
			turns := make(chan struct{}, parallel)
			var all sync.WaitGroup
			for i := range n {
				turns <- struct{}{}
				all.Go(func() {
					defer func() { <-turns }()
					// On a busy machine the connection takes longer than a second, too.
					if _, said := s.Resource(t, kind).Import(t, fmt.Sprint(id, "-", i)); !strings.Contains(said, "no complete response within 1s") && !strings.Contains(said, "the connection timed out") {
						t.Errorf("import %d: %s", i, said)
					}
				})
			}
			all.Wait()
			if got := requests.Load(); got > n {
				t.Errorf("%d requests", got)
			}
		})
	}
}

// TestHangingServer: plan, import, apply and destroy of each kind end soon after the run is
// interrupted, whichever server they wait for. An interrupted create looks its object up once more,
// for 5 s.
func TestHangingServer(t *testing.T) {
	t.Parallel()
	const limit = 8 * time.Second // the plan waits for a server for 10 s
	e := acctest.NewSandbox(t, sandbox.Options{})
	server := silentServer(t, nil)
	configs, ids := objectsOfAll()
	for kind, config := range configs {
		for name, call := range map[string]func(r *protocol.Resource){
			"plan":   func(r *protocol.Resource) { r.Plan(t, protocol.Value(r.Kind, config), r.None()) },
			"import": func(r *protocol.Resource) { r.Import(t, ids[kind]) },
			"apply": func(r *protocol.Resource) {
				value := protocol.Value(r.Kind, config)
				r.Change(t, value, r.None(), &tfprotov6.PlanResourceChangeResponse{PlannedState: protocol.Encode(r.Proposed(r.None().Value, value))})
			},
			"destroy": func(r *protocol.Resource) {
				r.Destroy(t, protocol.State{Value: protocol.Value(r.Kind, config)})
			},
			"destroy plan": func(r *protocol.Resource) {
				r.Plan(t, r.None().Value, protocol.State{Value: protocol.Value(r.Kind, config)})
			},
			"update plan": func(r *protocol.Resource) {
				r.Plan(t, protocol.Value(r.Kind, config), protocol.State{Value: protocol.Value(r.Kind, config)})
			},
		} {
			t.Run(kind+" "+name, func(t *testing.T) {
				t.Parallel()
				s := e.Server(server)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				s.Context = ctx
				time.AfterFunc(200*time.Millisecond, cancel)
				began := time.Now()
				call(s.Resource(t, kind))
				if took := time.Since(began); took > limit {
					t.Errorf("it took %s", took)
				}
			})
		}
	}
}
