package faulttest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

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
	run := func(endpoint string) *protocol.Resource {
		return e.Server(nil).Configure(t, protocol.Object{"endpoint": endpoint, "max_retries": 1}).Resource(t, "kuscia_config")
	}
	planned := run(e.Sandbox.Endpoint())
	config := func(key string) tftypes.Value {
		return protocol.Value(planned.Kind, protocol.Object{"key": key, "value": "{}"})
	}
	plan, _ := planned.Plan(t, config("a"), planned.None())
	must(e.Sandbox.Pause())
	began := time.Now()
	time.AfterFunc(4*time.Second, func() { must(e.Sandbox.Resume(t.Context())) })
	made := run(e.Sandbox.Endpoint()).Change(t, config("a"), planned.None(), plan)
	if said := protocol.Messages(made.Diagnostics); said != "" || time.Since(began) < 3*time.Second {
		t.Fatalf("after %s: %s", time.Since(began), said)
	}

	plan, _ = planned.Plan(t, config("b"), planned.None())
	must(e.Sandbox.Pause())
	unknown := *plan
	unknown.PlannedPrivate = nil
	for what, test := range map[string]struct {
		r    *protocol.Resource
		plan *tfprotov6.PlanResourceChangeResponse
	}{"another endpoint": {run("http://127.0.0.1:1"), plan}, "a plan without Kuscia": {run(e.Sandbox.Endpoint()), &unknown}} {
		began := time.Now()
		failed := test.r.Change(t, config("b"), planned.None(), test.plan)
		if said := protocol.Messages(failed.Diagnostics); !strings.Contains(said, "connection refused") || time.Since(began) > 20*time.Second {
			t.Errorf("%s: after %s: %s", what, time.Since(began), said)
		}
	}
}
