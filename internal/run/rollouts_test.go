package run

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/fakecluster"
)

// blueGreen is the style of a Rollout that allows no other strategy.
const blueGreen = `"blueGreen":{"steps":[{"replicas":"100%"}]}`

// newRolloutServer starts a server, and returns a run with its client.
func newRolloutServer(t *testing.T, s *fakecluster.Rollouts) *Run {
	t.Helper()
	client := fakecluster.Client(t, s)
	c := &Run{}
	c.Kubernetes.Open = func() (*kube.Client, error) { return client, nil }
	return c
}

// refused reports whether a strategy of Kuscia is refused for a Deployment.
func refused(ctx context.Context, c *Run, namespace, deployment string) bool {
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
			s := &fakecluster.Rollouts{Items: fakecluster.RolloutOf("ro", "", "", blueGreen, "")}
			c := newRolloutServer(t, s)
			if test.held {
				s.Held = make(chan struct{})
				t.Cleanup(func() { close(s.Held) })
			}
			s.Discovery.Store(test.discovery)
			s.List.Store(test.list)
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
			if lists, discoveries := s.Lists.Load(), s.Discoveries.Load(); lists != test.lists || discoveries != test.discoveries {
				t.Errorf("%d lists and %d discoveries, want %d and %d", lists, discoveries, test.lists, test.discoveries)
			}
			if test.held {
				return
			}
			s.Discovery.Store(0)
			s.List.Store(0)
			if _, _, found, err := c.CurrentRollout(t.Context(), "a", "d"); found != (max(test.discovery, test.list) == http.StatusServiceUnavailable) {
				t.Errorf("an update finds a Rollout: %t, %v", found, err)
			}
		})
	}
}

// TestForgetRollouts: after a write of a Rollout the Rollouts of its namespace are queried
// again, and a failure counts no longer.
func TestForgetRollouts(t *testing.T) {
	t.Parallel()
	s := &fakecluster.Rollouts{}
	s.Discovery.Store(http.StatusForbidden)
	c := newRolloutServer(t, s)
	expect := func(when, namespace string, want bool, lists int32) {
		t.Helper()
		if got := refused(t.Context(), c, namespace, "d"); got != want || s.Lists.Load() != lists {
			t.Errorf("%s: refused is %t after %d lists", when, got, s.Lists.Load())
		}
	}
	expect("forbidden", "a", false, 0)
	s.Discovery.Store(0)
	s.Items = fakecluster.RolloutOf("ro", "", "", blueGreen, "")
	c.ForgetRollouts("a")
	expect("no failure", "a", true, 1)
	expect("no failure", "b", true, 2)
	s.Items = fakecluster.RolloutOf("ro", "", "", `"canary":{}`, "")
	c.ForgetRollouts("a")
	expect("changed", "a", false, 3)
	expect("another namespace", "b", true, 3)
}

// TestQueryRollouts: a Rollout counts until its controller has disabled it, after another one
// of the Deployment, and never as blue-green.
func TestQueryRollouts(t *testing.T) {
	t.Parallel()
	const disabled, done = `"disabled":true,`, `"phase":"Disabled"`
	item := func(name, spec, status string) string {
		return fakecluster.RolloutOf(name, "", spec, blueGreen, status)
	}
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
		c := newRolloutServer(t, &fakecluster.Rollouts{Items: strings.Join(test.items, ",")})
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
		c := &Run{}
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
