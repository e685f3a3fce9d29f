package clients

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/fakecluster"
)

// rolloutServer serves a Rollout "ro" of the Deployment "d", and counts requests.
type rolloutServer struct {
	discoveries, lists atomic.Int32
	// discovery and list are the HTTP statuses of the responses; 0 is 200.
	discovery, list atomic.Int32
	// items are the listed Rollouts; rollout and deployment are what is read, "" for none.
	items, rollout, deployment string
	// held delays every response until it is closed.
	held chan struct{}
}

func (s *rolloutServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	if s.held != nil {
		<-s.held
	}
	var status int32
	var body string
	switch {
	case strings.HasSuffix(r.URL.Path, "/rollouts/ro"):
		body = s.rollout
	case strings.HasSuffix(r.URL.Path, "/deployments/d"):
		body = s.deployment
	case strings.HasSuffix(r.URL.Path, "/rollouts"):
		s.lists.Add(1)
		status, body = s.list.Load(), `{"apiVersion":"rollouts.kruise.io/v1beta1","kind":"RolloutList","items":[`+s.items+`]}`
	default:
		s.discoveries.Add(1)
		status, body = s.discovery.Load(), `{"kind":"APIResourceList","groupVersion":"rollouts.kruise.io/v1beta1","resources":[{"name":"rollouts","kind":"Rollout","namespaced":true}]}`
	}
	if body == "" {
		status = http.StatusNotFound
	}
	if status != 0 {
		w.WriteHeader(int(status))
		body = fmt.Sprintf(`{"kind":"Status","status":"Failure","message":"refused","code":%d}`, status)
	}
	_, _ = fmt.Fprint(w, body)
}

// rolloutOf is a Rollout, with more in its metadata, and before its status, its spec and its strategy.
func rolloutOf(name, metadata, spec, style, status string) string {
	return fmt.Sprintf(`{"apiVersion":"rollouts.kruise.io/v1beta1","kind":"Rollout","metadata":{"namespace":"a","name":%q%s},`+
		`"spec":{%s"workloadRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"d"},"strategy":{%s}},"status":{%s}}`, name, metadata, spec, style, status)
}

// blueGreen is the style of a Rollout that allows no other strategy.
const blueGreen = `"blueGreen":{"steps":[{"replicas":"100%"}]}`

// newRolloutServer starts a server, and returns the clients of one run.
func newRolloutServer(t *testing.T, s *rolloutServer) (*Clients, *kube.Client) {
	t.Helper()
	client := fakecluster.Client(t, s)
	c := &Clients{}
	c.Kubernetes.Open = func() (*kube.Client, error) { return client, nil }
	return c, client
}

// refused reports whether a strategy of Kuscia is refused for a Deployment.
func refused(ctx context.Context, c *Clients, namespace, deployment string) bool {
	var diags diag.Diagnostics
	c.RecordStrategy(ctx, &diags, path.Root("parties"), namespace, deployment, `Serving "s"`)
	return diags.HasError()
}

// TestNoteStrategy_failed: what cannot be queried refuses nothing, and is not queried
// again in the same run, except for an update after a temporary failure. A cluster that does
// not respond delays a plan once, for a few seconds.
func TestNoteStrategy_failed(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		discovery, list    int32
		discoveries, lists int32
		held               bool
	}{
		"discovery forbidden":       {discovery: http.StatusForbidden, discoveries: 1},
		"discovery unavailable":     {discovery: http.StatusServiceUnavailable, discoveries: 2},
		"list forbidden":            {list: http.StatusForbidden, discoveries: 1, lists: 2},
		"list unavailable, retried": {list: http.StatusServiceUnavailable, discoveries: 1, lists: 4},
		"no response":               {held: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &rolloutServer{items: rolloutOf("ro", "", "", blueGreen, "")}
			c, _ := newRolloutServer(t, s)
			if test.held {
				s.held = make(chan struct{})
				t.Cleanup(func() { close(s.held) })
			}
			s.discovery.Store(test.discovery)
			s.list.Store(test.list)
			began := time.Now()
			for n := range 5 {
				for _, namespace := range []string{"a", "b"} {
					if refused(t.Context(), c, namespace, fmt.Sprint("d-", n)) {
						t.Errorf("%s is refused", namespace)
					}
				}
			}
			if took := time.Since(began); took > 25*time.Second {
				t.Errorf("it took %s", took)
			}
			if lists, discoveries := s.lists.Load(), s.discoveries.Load(); lists != test.lists || discoveries != test.discoveries {
				t.Errorf("%d lists and %d discoveries, want %d and %d", lists, discoveries, test.lists, test.discoveries)
			}
			if test.held {
				return
			}
			s.discovery.Store(0)
			s.list.Store(0)
			if _, _, found, err := c.currentRollout(t.Context(), "a", "d"); found != (max(test.discovery, test.list) == http.StatusServiceUnavailable) {
				t.Errorf("an update finds a Rollout: %t, %v", found, err)
			}
		})
	}
}

// TestForgetRollouts: after a write of a Rollout the Rollouts of its namespace are queried
// again, and a failure counts no longer.
func TestForgetRollouts(t *testing.T) {
	t.Parallel()
	s := &rolloutServer{}
	s.discovery.Store(http.StatusForbidden)
	c, _ := newRolloutServer(t, s)
	expect := func(when, namespace string, want bool, lists int32) {
		t.Helper()
		if got := refused(t.Context(), c, namespace, "d"); got != want || s.lists.Load() != lists {
			t.Errorf("%s: refused is %t after %d lists", when, got, s.lists.Load())
		}
	}
	expect("forbidden", "a", false, 0)
	s.discovery.Store(0)
	s.items = rolloutOf("ro", "", "", blueGreen, "")
	c.ForgetRollouts("a")
	expect("no failure", "a", true, 1)
	expect("no failure", "b", true, 2)
	s.items = rolloutOf("ro", "", "", `"canary":{}`, "")
	c.ForgetRollouts("a")
	expect("changed", "a", false, 3)
	expect("another namespace", "b", true, 3)
}

// TestQueryRollouts: a Rollout counts until its controller has disabled it, after another one
// of the Deployment, and never as blue-green.
func TestQueryRollouts(t *testing.T) {
	t.Parallel()
	const disabled, done = `"disabled":true,`, `"phase":"Disabled"`
	item := func(name, spec, status string) string { return rolloutOf(name, "", spec, blueGreen, status) }
	for name, test := range map[string]struct {
		items []string
		want  listedRollout
	}{
		"enabled":         {[]string{item("a", "", "")}, listedRollout{"a", true}},
		"disabled":        {[]string{item("a", disabled, done)}, listedRollout{}},
		"being disabled":  {[]string{item("a", disabled, "")}, listedRollout{"a", false}},
		"before another":  {[]string{item("a", disabled, ""), item("b", "", "")}, listedRollout{"b", true}},
		"after another":   {[]string{item("a", "", ""), item("b", disabled, "")}, listedRollout{"a", true}},
		"enabled, unseen": {[]string{item("a", "", done)}, listedRollout{"a", true}},
	} {
		c, _ := newRolloutServer(t, &rolloutServer{items: strings.Join(test.items, ",")})
		if found, err := c.queryRollouts(t.Context(), "a"); err != nil || found["d"] != test.want {
			t.Errorf("%s: %+v, %v", name, found, err)
		}
	}
}

// TestRecordRolloutLeaves: a Rollout that leaves its Deployment refuses nothing, unless
// another one of the same run takes its place, planned before or after it.
func TestRecordRolloutLeaves(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		plans []string // the planned Rollouts: that leaves after a "-"
		want  bool
	}{
		"leaves":        {[]string{"-first"}, false},
		"replaced":      {[]string{"-first", "second"}, true},
		"replaced late": {[]string{"second", "-first"}, true},
		"planned twice": {[]string{"second", "-second"}, false},
	} {
		c := &Clients{}
		for _, plan := range test.plans {
			if id, leaves := strings.CutPrefix(plan, "-"); leaves {
				c.PlannedWorkloads.RecordRolloutRemoved("a", "d", id, true)
			} else {
				c.PlannedWorkloads.RecordRollout("a", "d", PlannedRollout{ID: id, BlueGreen: true})
			}
		}
		if got := refused(t.Context(), c, "a", "d"); got != test.want {
			t.Errorf("%s: refused is %t", name, got)
		}
	}
}
