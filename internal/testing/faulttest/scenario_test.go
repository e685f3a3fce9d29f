package faulttest_test

import (
	"maps"
	"os"
	"path/filepath"
	"sync"
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

// snapshot is the server and the state after an apply without faults, as the
// starting point of a cell.
type snapshot struct {
	server []byte
	node   string
	state  map[string]*object
}

// snapshots has one snapshot for each scenario.
var snapshots sync.Map

type snapshotKey struct {
	scenario string
	objects  int
}

func snapshotOf(t *testing.T, key snapshotKey) *snapshot {
	t.Helper()
	made, _ := snapshots.LoadOrStore(key, sync.OnceValue(func() *snapshot {
		file := filepath.Join(t.TempDir(), "state.json")
		b := newTestbed(t, sandbox.Options{StateFile: file, Autonomy: scenarios[key.scenario](key.objects).node})
		if o := b.apply(t, scenarios[key.scenario](key.objects).initial.within("1m")); !o.ok() {
			t.Errorf("before the fault: %s", o.text())
			return nil
		}
		must(b.server.Close())
		saved, err := os.ReadFile(file)
		must(err)
		return &snapshot{server: saved, state: b.terraform.state, node: scenarios[key.scenario](key.objects).node}
	}))
	taken := made.(func() *snapshot)()
	if taken == nil {
		t.Fatal("no snapshot was made")
	}
	return taken
}

// newTestbedOf returns a testbed in the initial state of a scenario.
func newTestbedOf(t *testing.T, key snapshotKey, timing sandbox.Timing) *testbed {
	t.Helper()
	if len(scenarios[key.scenario](key.objects).initial.resources()) == 0 {
		return newTestbed(t, sandbox.Options{Timing: timing, Autonomy: scenarios[key.scenario](key.objects).node})
	}
	return snapshotOf(t, key).restore(t, timing)
}

// restore returns a testbed in the state of the snapshot.
func (s *snapshot) restore(t *testing.T, timing sandbox.Timing) *testbed {
	t.Helper()
	file := filepath.Join(t.TempDir(), "state.json")
	must(os.WriteFile(file, s.server, 0o600))
	b := newTestbed(t, sandbox.Options{StateFile: file, Timing: timing, Autonomy: s.node})
	b.terraform.state = maps.Clone(s.state)
	return b
}
