package faulttest_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/provider"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	simulated "github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia"
)

// registeredKinds are the kinds in the files kind_*.
var registeredKinds []objectKind

// registerKind adds a kind. A new one is a file kind_* that calls this function
// in its init.
func registerKind(kind objectKind) { registeredKinds = append(registeredKinds, kind) }

// objectKinds are all kinds of objects without a rollout. Random configurations
// are generated in this order: a kind follows those that it refers to.
var objectKinds = sync.OnceValue(func() (sorted []objectKind) {
	rest := slices.SortedFunc(slices.Values(registeredKinds), func(a, b objectKind) int { return strings.Compare(a.typeName, b.typeName) })
	isSorted := func(typeName string) bool {
		return slices.ContainsFunc(sorted, func(k objectKind) bool { return k.typeName == typeName })
	}
	for len(rest) > 0 {
		next := slices.IndexFunc(rest, func(k objectKind) bool {
			return !slices.ContainsFunc(k.refersTo, func(typeName string) bool { return !isSorted(typeName) })
		})
		if next < 0 {
			panic(rest[0].typeName + " refers to itself, or to a resource type that is not a kind")
		}
		sorted = append(sorted, rest[next])
		rest = slices.Delete(rest, next, next+1)
	}
	return sorted
})

// objectKind describes a kind for all tests of this package.
type objectKind struct {
	typeName string
	// refersTo are the resource types whose attributes its random configurations
	// refer to.
	refersTo []string
	// path is the path of its operations in the API, plural the kind in names
	// of scenarios.
	path, plural string
	// node is the domain of the node that manages the object; "" is a master.
	node string
	// needs are objects that must exist before.
	needs []objectSpec
	// queriesFirst is set if a create first queries the object.
	queriesFirst bool
	// changesLater is set if a controller adds to the object shortly after a
	// create.
	changesLater bool

	// config is the configuration of an object in a scenario.
	config func(o objectSpec, timeout string) attrs
	// stored is the variable part of the object on the server, "" if it does
	// not exist; desired is the expected one.
	stored  func(*sandbox.Sandbox, objectSpec) string
	desired func(objectSpec) string
	// differences are missing and unexpected objects on the server, also those
	// that no scenario creates; may be nil.
	differences func(configured []objectSpec, server *sandbox.Sandbox) []string

	// generate adds random objects to a configuration, which has those of the
	// kinds before.
	generate func(g generator, config generatedConfig, add func(generatedResource))
	// identity are the attributes that an edit of a random configuration keeps.
	identity []string
	// same are equivalent values by attribute; the first of each is the one on
	// the server.
	same map[string][][]any
	// respell changes the spelling of other attributes; may be nil.
	respell func(g generator, config attrs)
	// moveRequest is the request of the create in the state of another
	// provider, by which a moved block finds the object.
	moveRequest func(stateValue) attrs
	// all describes all objects on a server.
	all func(*sandbox.Sandbox) string

	// edit and remove are writes of another client. edit is nil if Kuscia
	// cannot change such an object.
	edit, remove externalWrite
	// drift is an edit after which the plan updates this object and no other,
	// or nil if there is none for the configuration. It may be nil itself.
	drift func(config attrs) externalWrite
}

// stateValue returns a string attribute of the state.
type stateValue func(attribute string) string

// externalWrite changes or deletes the object of a state outside of Terraform.
type externalWrite func(ctx context.Context, api *kuscia.Client, value stateValue) error

// requestWith is a request with these attributes.
func requestWith(attributes ...string) func(stateValue) attrs {
	return func(value stateValue) attrs {
		request := attrs{}
		for _, name := range attributes {
			request[name] = value(name)
		}
		return request
	}
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

// objects are count objects of a kind.
func objects(kind objectKind, count, n int) configuration {
	var c configuration
	for _, name := range objectNames[:count] {
		c.objects = append(c.objects, objectSpec{kind, name, n})
	}
	return c
}

// init adds the scenarios of each kind.
func init() { //nolint:gochecknoinits // the scenarios are one map
	for _, kind := range objectKinds() {
		// An existing object is deleted too.
		without := configuration{objects: kind.needs, kinds: []objectKind{kind}}
		with := func(count, n int) configuration {
			c := objects(kind, count, n)
			c.objects = append(slices.Clone(kind.needs), c.objects...)
			return c
		}
		before := configuration{objects: kind.needs}
		scenarios["create "+kind.plural] = func(n int) scenario { return scenario{before, with(n, 1), kind.node} }
		scenarios["update "+kind.plural] = func(n int) scenario { return scenario{with(n, 1), with(n, 2), kind.node} }
		scenarios["delete "+kind.plural] = func(n int) scenario { return scenario{with(n, 1), without, kind.node} }
	}
}

// operationScenarios are the scenarios that call an operation, by its name.
// Resources do not call the others.
var operationScenarios = map[string][]string{
	"create": {"create"}, "query": {"create", "update"}, "update": {"update"}, "delete": {"delete"},
}

// targets are the rows of the matrix for a kind: the operations that the server
// has for it. Without an update, a change is a replacement.
func (k objectKind) targets() (rows []target) {
	served := servedOperations()
	for _, operation := range slices.Sorted(slices.Values(served[k.path])) {
		for _, scenario := range operationScenarios[operation] {
			rows = append(rows, target{path: k.path + "/" + operation, scenario: scenario + " " + k.plural})
		}
	}
	if !slices.Contains(served[k.path], "update") {
		rows = append(rows, target{path: k.path + "/delete", scenario: "update " + k.plural, longOnly: true})
	}
	return rows
}

// servedOperations are the names of the operations of the sandbox, by path.
func servedOperations() map[string][]string {
	served := map[string][]string{}
	for _, object := range simulated.Objects {
		for path := range object.Operations {
			group, operation, _ := strings.Cut(path, "/")
			served[group] = append(served[group], operation)
		}
	}
	return served
}

// TestObjectTargets: every object that can be created in the sandbox has rows
// in the matrix, and there is a row for every operation that a resource calls.
func TestObjectTargets(t *testing.T) {
	t.Parallel()
	for path, operations := range servedOperations() {
		if !slices.Contains(operations, "create") {
			continue
		}
		if !slices.ContainsFunc(targets(), func(row target) bool { return strings.HasPrefix(row.path, path+"/") }) {
			t.Errorf("objects of %s have no rows in the matrix: add a file kind_* (registerKind)", path)
		}
	}
	for _, kind := range objectKinds() {
		b := newTestbed(t, sandbox.Options{Autonomy: kind.node})
		for _, name := range []string{"create ", "update ", "delete "} {
			b.checkConverges(t, scenarios[name+kind.plural](1).desired)
		}
		for _, request := range b.server.Requests() {
			path := operationOf(request)
			if path == "domain/batchQuery" { // only checks a plan, see TestPlanWithoutKuscia
				continue
			}
			if strings.HasPrefix(path, kind.path+"/") && !slices.ContainsFunc(targets(), func(row target) bool { return row.path == path }) {
				t.Errorf("%s is called and has no row in the matrix", path)
			}
		}
	}
}

// otherResources are the resources without a kind, and the reason.
var otherResources = map[string]string{
	"kuscia_app_image":        "its scenarios and rows are in configuration_test.go and faults_test.go",
	"kuscia_serving":          "its scenarios and rows are in configuration_test.go and faults_test.go",
	"kuscia_deployment":       "in a cluster: TestKubeMatrix",
	"kuscia_rollout":          "in a cluster: TestKubeMatrix",
	"kuscia_rollout_approval": "changes a Rollout, and is no object itself",
	"kuscia_traffic_routing":  "in a cluster: TestKubeMatrix",
	"kuscia_edge_deployment":  "an object of IEF: TestEdgeMatrix",
}

// TestEveryObjectHasAKind: every resource of the provider for an object of the
// KusciaAPI is tested here.
func TestEveryObjectHasAKind(t *testing.T) {
	t.Parallel()
	schemas, err := provider.NewServer(provider.Build{Version: "test"}, true)().GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for typeName := range schemas.ResourceSchemas {
		_, isKind := findKind(func(k objectKind) bool { return k.typeName == typeName })
		if isOther := otherResources[typeName] != ""; isKind == isOther {
			t.Errorf("%s has a kind: %v, and is in otherResources: %v. An object of the KusciaAPI has a file kind_* (registerKind)", typeName, isKind, isOther)
		}
	}
	for _, kind := range objectKinds() {
		if schemas.ResourceSchemas[kind.typeName] == nil {
			t.Errorf("%s is not a resource of the provider", kind.typeName)
		}
	}
	for typeName := range otherResources {
		if schemas.ResourceSchemas[typeName] == nil {
			t.Errorf("%s is in otherResources, and is not a resource of the provider", typeName)
		}
	}
}

// otherDifferences lists where the server's objects differ from the
// configuration.
func (c configuration) otherDifferences(server *sandbox.Sandbox) (found []string) {
	desired := map[string]string{}
	kinds := slices.Clone(c.kinds)
	for _, o := range c.objects {
		desired[o.address()] = o.kind.desired(o)
		kinds = append(kinds, o.kind)
	}
	for _, kind := range objectKinds() {
		if kind.differences != nil {
			configured := slices.DeleteFunc(slices.Clone(c.objects), func(o objectSpec) bool { return o.kind.typeName != kind.typeName })
			found = append(found, kind.differences(configured, server)...)
		}
	}
	for _, kind := range kinds {
		for _, name := range objectNames {
			o := objectSpec{kind: kind, name: name}
			if got := kind.stored(server, o); got != desired[o.address()] {
				found = append(found, fmt.Sprintf("%s is %q, want %q", o.address(), got, desired[o.address()]))
			}
		}
	}
	return found
}

// kindOfPath is the kind of objects of API operations.
func kindOfPath(path string) (kind objectKind, known bool) {
	return findKind(func(k objectKind) bool { return k.path == path })
}

// kindOfType is the kind of objects of a resource type.
func kindOfType(typeName string) objectKind {
	kind, known := findKind(func(k objectKind) bool { return k.typeName == typeName })
	if !known {
		panic("no kind of objects has the resource type " + typeName)
	}
	return kind
}

// objectAt is the object of an address.
func objectAt(address string) (objectSpec, bool) {
	typeName, name, _ := strings.Cut(address, ".")
	kind, known := findKind(func(k objectKind) bool { return k.typeName == typeName })
	return objectSpec{kind: kind, name: name}, known
}

func findKind(matches func(objectKind) bool) (kind objectKind, known bool) {
	i := slices.IndexFunc(objectKinds(), matches)
	if i < 0 {
		return objectKind{}, false
	}
	return objectKinds()[i], true
}
