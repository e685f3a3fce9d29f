package faulttest_test

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"testing"
)

// registeredKinds are the kinds in the files kind_*.
var registeredKinds []objectKind

// kindsOf are the kinds of the objects of an API: "" is that of Kuscia.
func kindsOf(api string) []objectKind {
	return slices.DeleteFunc(slices.Clone(registeredKinds), func(k objectKind) bool { return k.api != api })
}

// objectKind describes a kind for all tests of this package.
type objectKind struct {
	typeName string
	// api is its API, "" for that of Kuscia; path is the path of its operations there, and plural
	// the kind in names of scenarios.
	api, path, plural string
	// node is the domain of the node that manages the object; "" is a master.
	node string
	// replaced is set if Kuscia cannot change such an object.
	replaced bool
	// needs are objects that must exist before.
	needs []objectSpec

	// start starts another server than Kuscia, and calls are the calls to it by the verb of the
	// scenario, as a method and the end of a path.
	start func(t *testing.T, k objectKind) *testbed
	calls map[string][]string

	// config is an object in a configuration.
	config func(o objectSpec, c configuration) attrs
	// stored is the variable part of the object on the server, "" if it does
	// not exist; desired is the expected one.
	stored  func(*testbed, objectSpec) string
	desired func(objectSpec) string
}

// objectSpec is a configured object of a scenario.
type objectSpec struct {
	kind objectKind
	// name is its name in the configuration; n is the variable part.
	name string
	n    int
}

func (o objectSpec) address() string { return o.kind.typeName + "." + o.name }

// objectNames are the names of objects in scenarios.
var objectNames = []string{"one", "two", "three"}

// registerKind adds a kind, and its scenarios. A new one is a file kind_* that calls this function
// in its init.
func registerKind(kind objectKind) {
	registeredKinds = append(registeredKinds, kind)
	with := func(count, n int) configuration {
		c := configuration{objects: slices.Clone(kind.needs)}
		for _, name := range objectNames[:count] {
			c.objects = append(c.objects, objectSpec{kind, name, n})
		}
		return c
	}
	scenarios["create "+kind.plural] = func(n int) scenario { return scenario{with(0, 1), with(n, 1), kind} }
	scenarios["update "+kind.plural] = func(n int) scenario { return scenario{with(n, 1), with(n, 2), kind} }
	scenarios["delete "+kind.plural] = func(n int) scenario { return scenario{with(n, 1), with(0, 1), kind} }
}

// targets are the rows of the matrix for a kind.
func (k objectKind) targets() (rows []target) {
	calls := k.calls
	if calls == nil {
		calls = map[string][]string{"create": {"create", "query"}, "update": {"query", "update"}, "delete": {"delete"}}
		if k.replaced {
			calls["update"] = []string{"query", "delete"}
		}
	}
	for verb, calls := range calls {
		for _, call := range calls {
			row := target{api: cmp.Or(k.api, "kuscia"), path: k.path + "/" + call, scenario: verb + " " + k.plural, single: k.api == "kube"}
			if k.calls != nil {
				row.method, row.path, _ = strings.Cut(call, " ")
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// otherResources are the resources with rows of their own: faults_test.go. An approval
// changes a Rollout, and is no object itself: in resource/rollout, TestLostApproval stands for requests without
// a response, TestLateController for lost effects and waits that end before their time, TestResumedWaitOfEndedRelease
// for one that is resumed, and TestNotApproved for releases that are not as expected.
var otherResources = []string{"kuscia_app_image", "kuscia_serving", "kuscia_rollout_approval"}

// TestEveryObjectHasAKind: every resource of the provider is tested here.
func TestEveryObjectHasAKind(t *testing.T) {
	t.Parallel()
	known := slices.Clone(otherResources)
	for _, kind := range registeredKinds {
		known = append(known, kind.typeName)
	}
	slices.Sort(known)
	known = slices.Compact(known)
	if provided := slices.Sorted(maps.Keys(schema().ResourceSchemas)); !slices.Equal(provided, known) {
		t.Errorf("the provider has %v, and there are faults for %v: an object of the KusciaAPI has a file kind_* (registerKind)", provided, known)
	}
}
