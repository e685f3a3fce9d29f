package clients

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
)

// rolloutServer serves one blue-green Rollout "ro" of Deployment "d" in each namespace
// that starts with "green", and counts requests.
type rolloutServer struct {
	discoveries, lists atomic.Int32
	// discovery and list are the HTTP statuses of the responses; 0 is 200.
	discovery, list atomic.Int32
	// canary makes the Rollouts canary releases.
	canary atomic.Bool
	// held delays every response until it is closed.
	held chan struct{}
}

func (s *rolloutServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	count, status := &s.discoveries, &s.discovery
	body := `{"kind":"APIResourceList","groupVersion":"rollouts.kruise.io/v1beta1","resources":[{"name":"rollouts","kind":"Rollout","namespaced":true}]}`
	if _, rest, isList := strings.Cut(r.URL.Path, "/namespaces/"); isList || strings.HasSuffix(r.URL.Path, "/rollouts") {
		count, status = &s.lists, &s.list
		body = s.rollouts(strings.TrimSuffix(rest, "/rollouts"))
	}
	count.Add(1)
	if s.held != nil {
		<-s.held
	}
	if code := int(status.Load()); code != 0 {
		w.WriteHeader(code)
		body = fmt.Sprintf(`{"kind":"Status","status":"Failure","message":"refused","code":%d}`, code)
	}
	_, _ = fmt.Fprint(w, body)
}

func (s *rolloutServer) rollouts(namespace string) string {
	items, style := "", "blueGreen"
	if s.canary.Load() {
		style = "canary"
	}
	if strings.HasPrefix(namespace, "green") {
		items = fmt.Sprintf(`{"metadata":{"namespace":%q,"name":"ro"},"spec":{"workloadRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"d"},"strategy":{%q:{"steps":[{"replicas":"100%%"}]}}}}`, namespace, style)
	}
	return `{"apiVersion":"rollouts.kruise.io/v1beta1","kind":"RolloutList","items":[` + items + `]}`
}

// newRolloutServer returns a server and the clients of one run.
func newRolloutServer(t *testing.T, s http.Handler) *Clients {
	t.Helper()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	client, err := kube.New(kube.Config{Host: server.URL, MaxRetries: 1})
	if err != nil {
		t.Fatal(err)
	}
	c := &Clients{}
	c.Kubernetes.Open = func() (*kube.Client, error) { return client, nil }
	return c
}

// refused reports whether a strategy of Kuscia is refused for a Deployment.
func refused(ctx context.Context, c *Clients, namespace, deployment string) bool {
	var diags diag.Diagnostics
	c.RecordStrategy(ctx, &diags, path.Root("parties"), namespace, deployment, `Serving "s"`)
	return diags.HasError()
}

// TestNoteStrategy_failed: what cannot be queried refuses nothing, and is not queried
// again in the same run.
func TestNoteStrategy_failed(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		discovery, list    int32
		discoveries, lists int32
	}{
		"discovery forbidden":       {discovery: http.StatusForbidden, discoveries: 1},
		"list forbidden":            {list: http.StatusForbidden, discoveries: 1, lists: 2},
		"list unavailable, retried": {list: http.StatusServiceUnavailable, discoveries: 1, lists: 4},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &rolloutServer{}
			s.discovery.Store(test.discovery)
			s.list.Store(test.list)
			c := newRolloutServer(t, s)
			for n := range 5 {
				for _, namespace := range []string{"green-1", "green-2"} {
					if refused(t.Context(), c, namespace, fmt.Sprint("d-", n)) {
						t.Errorf("%s is refused", namespace)
					}
				}
			}
			if lists, discoveries := s.lists.Load(), s.discoveries.Load(); lists != test.lists || discoveries != test.discoveries {
				t.Errorf("%d lists and %d discoveries, want %d and %d", lists, discoveries, test.lists, test.discoveries)
			}
		})
	}
}

// TestRecordRolloutLeaves: a Rollout that leaves its Deployment refuses nothing, unless
// another one of the same run takes its place, planned before or after it.
func TestRecordRolloutLeaves(t *testing.T) {
	t.Parallel()
	second := PlannedRollout{ID: "green-1/second", BlueGreen: true}
	for name, test := range map[string]struct {
		plan func(p *PlannedWorkloads)
		want bool
	}{
		"leaves": {func(p *PlannedWorkloads) { p.RecordRolloutRemoved("green-1", "d", "green-1/first", true) }, false},
		"replaced, first": {func(p *PlannedWorkloads) {
			p.RecordRolloutRemoved("green-1", "d", "green-1/first", true)
			p.RecordRollout("green-1", "d", second)
		}, true},
		"replaced, second": {func(p *PlannedWorkloads) {
			p.RecordRollout("green-1", "d", second)
			p.RecordRolloutRemoved("green-1", "d", "green-1/first", true)
		}, true},
		"planned twice": {func(p *PlannedWorkloads) {
			p.RecordRollout("green-1", "d", second)
			p.RecordRolloutRemoved("green-1", "d", second.ID, true)
		}, false},
	} {
		c := &Clients{}
		test.plan(&c.PlannedWorkloads)
		if got := refused(t.Context(), c, "green-1", "d"); got != test.want {
			t.Errorf("%s: refused is %t", name, got)
		}
	}
}

// TestForgetRollouts: after a write of a Rollout the Rollouts of its namespace are queried
// again, and a failure counts no longer.
func TestForgetRollouts(t *testing.T) {
	t.Parallel()
	s := &rolloutServer{}
	c := newRolloutServer(t, s)
	if !refused(t.Context(), c, "green-1", "d") || !refused(t.Context(), c, "green-2", "d") {
		t.Error("a blue-green Rollout refuses nothing")
	}
	s.canary.Store(true)
	c.ForgetRollouts("green-1")
	if refused(t.Context(), c, "green-1", "d") {
		t.Error("a Rollout that was changed still refuses")
	}
	if !refused(t.Context(), c, "green-2", "d") || s.lists.Load() != 3 {
		t.Errorf("another namespace was queried again: %d lists", s.lists.Load())
	}

	failing := &rolloutServer{}
	failing.discovery.Store(http.StatusForbidden)
	c = newRolloutServer(t, failing)
	c.ForgetRollouts("green-1")
	if refused(t.Context(), c, "green-1", "d") {
		t.Error("what is forbidden refuses")
	}
	failing.discovery.Store(0)
	c.ForgetRollouts("green-1")
	if !refused(t.Context(), c, "green-1", "d") {
		t.Error("the failure was kept after a write")
	}
}

// TestNoteStrategy_hanging: a cluster that does not respond delays a plan once, and for a few
// seconds.
func TestNoteStrategy_hanging(t *testing.T) {
	t.Parallel()
	s := &rolloutServer{held: make(chan struct{})}
	c := newRolloutServer(t, s)
	t.Cleanup(func() { close(s.held) })
	limit := 20 * time.Second
	for _, namespace := range []string{"green-1", "green-2"} {
		began := time.Now()
		if refused(t.Context(), c, namespace, "d") || time.Since(began) > limit {
			t.Errorf("%s: after %s", namespace, time.Since(began))
		}
		limit = 2 * time.Second
	}
}
