package faulttest_test

import (
	"context"
	"maps"
	"slices"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
)

// registeredKinds are the kinds in the files kind_*.
var registeredKinds []objectKind

// registerKind adds a kind. A new one is a file kind_* that calls this function
// in its init.
func registerKind(kind objectKind) { registeredKinds = append(registeredKinds, kind) }

// objectKinds are all kinds of objects without a rollout.
func objectKinds() []objectKind { return registeredKinds }

// objectKind describes a kind for all tests of this package.
type objectKind struct {
	typeName string
	// path is the path of its operations in the API, plural the kind in names
	// of scenarios.
	path, plural string
	// node is the domain of the node that manages the object; "" is a master.
	node string
	// needs are objects that must exist before.
	needs []objectSpec

	// config is the configuration of an object in a scenario.
	config func(o objectSpec, timeout string) attrs
	// stored is the variable part of the object on the server, "" if it does
	// not exist; desired is the expected one.
	stored  func(*sandbox.Sandbox, objectSpec) string
	desired func(objectSpec) string

	// edit and remove are writes of another client. edit is nil if Kuscia
	// cannot change such an object.
	edit, remove externalWrite
}

// externalWrite changes or deletes an object outside of Terraform.
type externalWrite func(ctx context.Context, api *kuscia.Client, o objectSpec) error

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

// init adds the scenarios of each kind.
func init() { //nolint:gochecknoinits // the scenarios are one map
	for _, kind := range objectKinds() {
		with := func(count, n int) configuration {
			c := configuration{objects: slices.Clone(kind.needs)}
			for _, name := range objectNames[:count] {
				c.objects = append(c.objects, objectSpec{kind, name, n})
			}
			return c
		}
		scenarios["create "+kind.plural] = func(n int) scenario { return scenario{with(0, 1), with(n, 1), kind.node} }
		scenarios["update "+kind.plural] = func(n int) scenario { return scenario{with(n, 1), with(n, 2), kind.node} }
		scenarios["delete "+kind.plural] = func(n int) scenario { return scenario{with(n, 1), with(0, 1), kind.node} }
	}
}

// targets are the rows of the matrix for a kind. Without an update, a change is a replacement.
func (k objectKind) targets() []target {
	row := func(operation, scenario string) target {
		return target{path: k.path + "/" + operation, scenario: scenario + " " + k.plural}
	}
	change := row("update", "update")
	if k.edit == nil {
		change = row("delete", "update")
	}
	return []target{row("create", "create"), row("query", "create"), row("query", "update"), row("delete", "delete"), change}
}

// otherResources are the resources with rows of their own: faults_test.go, TestEdgeMatrix; an
// approval changes a Rollout, and is no object itself.
var otherResources = []string{"kuscia_app_image", "kuscia_serving", "kuscia_edge_deployment", "kuscia_rollout_approval"}

// TestEveryObjectHasAKind: every resource of the provider is tested here.
func TestEveryObjectHasAKind(t *testing.T) {
	t.Parallel()
	known := slices.Clone(otherResources)
	for _, kind := range objectKinds() {
		known = append(known, kind.typeName)
	}
	for _, kind := range kubeKinds {
		known = append(known, kind.typeName)
	}
	slices.Sort(known)
	if provided := slices.Sorted(maps.Keys(schema().ResourceSchemas)); !slices.Equal(provided, known) {
		t.Errorf("the provider has %v, and there are faults for %v: an object of the KusciaAPI has a file kind_* (registerKind)", provided, known)
	}
}
