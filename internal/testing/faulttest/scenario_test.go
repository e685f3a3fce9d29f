package faulttest_test

import (
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
)

// scenario is what the user does: initial is applied before the fault is
// injected, desired while it is.
type scenario struct {
	initial, desired configuration
	// node is the domain of the node that the server simulates; "" is a master.
	node string
}

// scenarios create a scenario with the given number of objects: one, or three
// so that there is a third call.
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

// images has a serving that uses the first of n app images and rolls when its
// image changes.
func images(n int, tag string) configuration {
	return configuration{
		images:   []imageSpec{{name: "first", tag: tag}, {name: "second", tag: tag}, {name: "third", tag: tag, ports: []string{"more"}}}[:n],
		servings: []servingSpec{solo("serving", "first").with(func(s *servingSpec) { s.redeploys = true })},
	}
}

// within returns a copy in which servings have this time limit.
func (c configuration) within(timeout string) configuration {
	c.timeout = timeout
	return c
}

// newTestbedOf returns a testbed in the initial state of a scenario.
func newTestbedOf(t *testing.T, s scenario, timing sandbox.Timing) *testbed {
	t.Helper()
	b := newTestbed(t, sandbox.Options{Timing: timing, Autonomy: s.node})
	if len(s.initial.items()) > 0 {
		if o := b.apply(t, s.initial.within("1m")); !o.ok() {
			t.Fatalf("before the fault: %s", o.text())
		}
		b.server.ResetRequests()
	}
	return b
}
