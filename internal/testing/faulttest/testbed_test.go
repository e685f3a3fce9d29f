package faulttest_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// testbed is a simulated server with a simulated Terraform.
type testbed struct {
	// server is a Kuscia, edge an IEF, and cluster a Kubernetes API: one of them.
	server  *sandbox.Sandbox
	edge    *ief.Server
	cluster *acctest.Kube
	// endpoint is its address, handler what serves it, with the injected faults.
	endpoint string
	handler  http.Handler
	faults   faultyServer
	// kinds are the kinds of its objects, and name the name of one in a cluster.
	kinds     []objectKind
	name      string
	terraform *terraform
}

// faultyServer is a simulated server.
type faultyServer interface {
	Inject(f sandbox.Fault)
	FaultHits() int
	ClearFaults()
}

func newTestbed(t *testing.T, options sandbox.Options) *testbed {
	t.Helper()
	options.CertsDir, options.Token = t.TempDir(), plantedToken
	if options.Domains == nil {
		options.Domains = []string{"alice", "bob", "carol"}
	}
	server, err := sandbox.Start(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	return (&testbed{server: server, endpoint: server.Endpoint(), handler: server.Handler(), faults: server, kinds: kindsOf("")}).configured()
}

// configured returns the testbed with a Terraform.
func (b *testbed) configured() *testbed {
	b.terraform = newTerraform(nil)
	b.configureProvider(b.endpoint, "20s")
	return b
}

// configureProvider sets the provider block, which contains secrets.
func (b *testbed) configureProvider(endpoint, requestTimeout string) {
	block := attrs{"request_timeout": requestTimeout, "max_retries": 2}
	switch {
	case b.edge != nil:
		o := b.edge.Options()
		block["ief"] = attrs{
			"endpoint": endpoint, "project_id": o.ProjectID,
			"access_key": o.AccessKey, "secret_key": plantedSecretKey, "security_token": plantedSecurityToken,
		}
	case b.cluster != nil:
		block["kubernetes"] = attrs{"host": endpoint, "token": plantedToken}
	default:
		block = with(block, attrs{"endpoint": endpoint, "token": plantedToken, "custom_headers": attrs{"tenant": plantedHeader}})
	}
	b.terraform.providerBlock = block
}

// inject injects a fault, with Ctrl-C when it hits a request. stopFault returns the number of these.
func (b *testbed) inject(f sandbox.Fault, interrupts bool) (stopFault func() int) {
	b.faults.Inject(f)
	end := func() {}
	if interrupts {
		end = b.terraform.stopWhen(func() bool { return b.faults.FaultHits() > 0 })
	}
	return func() int {
		end()
		hits := b.faults.FaultHits()
		b.faults.ClearFaults()
		return hits
	}
}

// apply applies a configuration, with compareChanges.
func (b *testbed) apply(t *testing.T, c configuration) *outcome {
	t.Helper()
	c.prefix = b.name
	b.compareChanges(t, c)
	return b.terraform.applyChecked(t, c.resources())
}

// compareChanges compares every change that is reported as done with the objects on the server.
func (b *testbed) compareChanges(t *testing.T, c configuration) {
	t.Helper()
	b.terraform.done = func(address string, _ *object, gone bool) {
		if gone {
			if exists(b, address) {
				t.Errorf("%s was reported as deleted but still exists", address)
			}
			return
		}
		if difference := c.difference(b, address); difference != "" {
			t.Errorf("%s was reported as done but differs from the server: %s", address, difference)
		}
	}
}

// checkConverges is that of the Terraform, which also checks the server.
func (b *testbed) checkConverges(t *testing.T, c configuration) {
	t.Helper()
	c.timeout = "3m" // without an observed start, a rollout counts as complete only after servingstatus.StartTimeout
	c.prefix = b.name
	b.compareChanges(t, c)
	b.terraform.checkConverges(t, c.resources(), func() []string { return c.differences(b) })
}

// operationOf is the operation of a request, such as serving/create.
func operationOf(r sandbox.Request) string { return strings.TrimPrefix(r.Op, "/api/v1/") }

// scenario is what the user applies before the fault is injected, and while it is.
type scenario struct {
	initial, desired configuration
	kind             objectKind // the zero value for servings and app images
}

// scenarios have a number of objects: one, or three so that there is a third call.
var scenarios = map[string]func(objects int) scenario{
	"create servings": func(n int) scenario { return scenario{desired: servings(n)} },
	"update servings": func(n int) scenario {
		changed := servings(n)
		changes := []func(*servingSpec){
			func(s *servingSpec) { s.parties[0].replicas = 2 },
			func(s *servingSpec) { s.model = "b" },
			func(s *servingSpec) { s.parties[0].cpu = "500m" },
		}
		for i := range changed.servings {
			changed.servings[i] = changed.servings[i].with(changes[i])
		}
		return scenario{initial: servings(n), desired: changed}
	},
	"delete servings": func(n int) scenario {
		return scenario{initial: servings(n), desired: configuration{images: servings(n).images}}
	},
	"create images": func(n int) scenario { return scenario{desired: images(n, "1")} },
	"update images": func(n int) scenario { return scenario{initial: images(n, "1"), desired: images(n, "2")} },
	"delete images": func(n int) scenario {
		return scenario{initial: configuration{images: images(n, "1").images}}
	},
}

func servings(n int) configuration {
	return configuration{
		images: []imageSpec{{name: "app", tag: "1"}},
		servings: []servingSpec{
			solo("one", "app"),
			duo("two").with(func(s *servingSpec) { s.parties[0].role, s.parties[1].role = "host", "guest" }),
			solo("three", "app").with(func(s *servingSpec) { s.parties[0].cpu = "250m" }),
		}[:n],
	}
}

// images has a serving that rolls when the first of n app images changes.
func images(n int, tag string) configuration {
	return configuration{
		images:   []imageSpec{{name: "first", tag: tag}, {name: "second", tag: tag}, {name: "third", tag: tag, ports: []string{"more"}}}[:n],
		servings: []servingSpec{solo("serving", "first").with(func(s *servingSpec) { s.redeploys = true })},
	}
}

// newTestbedOf returns a testbed in the initial state of a scenario.
func newTestbedOf(t *testing.T, s scenario, start time.Duration) *testbed {
	t.Helper()
	var b *testbed
	if s.kind.start != nil {
		b = s.kind.start(t, s.kind)
	} else {
		timing := sandbox.QuickTiming()
		if start > 0 {
			timing.Start = start
		}
		b = newTestbed(t, sandbox.Options{Timing: timing, Autonomy: s.kind.node})
	}
	if len(s.initial.items()) > 0 {
		if o := b.apply(t, s.initial.within("1m")); !o.ok() {
			t.Fatalf("before the fault: %s", o.text())
		}
	}
	if b.server != nil {
		b.server.ResetRequests()
	}
	return b
}
