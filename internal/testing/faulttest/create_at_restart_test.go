package faulttest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// TestCreateAtRestart: where Kuscia has responded to the plan, a create that is the first call of
// the apply, which is another process, awaits its restart. If it has not, or at another endpoint,
// the apply fails at once.
func TestCreateAtRestart(t *testing.T) {
	t.Parallel()
	e := acctest.NewSandbox(t, sandbox.Options{})
	g := newGate(t, e.Sandbox.Handler())
	run := func(endpoint string) *protocol.Resource {
		return e.Server(nil).Configure(t, protocol.Object{"endpoint": endpoint, "max_retries": 1}).Resource(t, "kuscia_config")
	}
	config := func(key string) protocol.Object { return protocol.Object{"key": key, "value": "{}"} }
	shut := func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.shut()
	}
	planned := run(g.endpoint())
	value := protocol.Value(planned.Kind, config("a"))
	plan, _ := planned.Plan(t, value, planned.None())

	shut()
	began, reopened := time.Now(), time.AfterFunc(4*time.Second, g.open)
	made := run(g.endpoint()).Change(t, value, planned.None(), plan)
	reopened.Stop()
	if said := protocol.Messages(made.Diagnostics); said != "" || time.Since(began) < 3*time.Second {
		t.Errorf("after %s: %s", time.Since(began), said)
	}

	g.open()
	value = protocol.Value(planned.Kind, config("b"))
	plan, _ = planned.Plan(t, value, planned.None())
	shut()
	unknown := *plan
	unknown.PlannedPrivate = nil
	for what, test := range map[string]struct {
		r    *protocol.Resource
		plan *tfprotov6.PlanResourceChangeResponse
	}{"another endpoint": {run("http://127.0.0.1:1"), plan}, "a plan without Kuscia": {run(g.endpoint()), &unknown}} {
		began := time.Now()
		failed := test.r.Change(t, value, planned.None(), test.plan)
		if said := protocol.Messages(failed.Diagnostics); !strings.Contains(said, "connection refused") || time.Since(began) > 20*time.Second {
			t.Errorf("%s: after %s: %s", what, time.Since(began), said)
		}
	}
}
