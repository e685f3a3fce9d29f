package faulttest_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
)

// objectSpec is a configured object without a rollout.
type objectSpec struct {
	kind objectKind
	// name is its name in the configuration; n is the variable part.
	name string
	n    int
}

// objectKind describes a kind of such objects for the matrix.
type objectKind struct {
	typeName string
	// path is the path of its operations in the API, plural the kind in names
	// of scenarios.
	path, plural string
	config       func(o objectSpec, timeout string) attrs
	// held is the object's value on the server, "" if it does not exist;
	// desired is the expected value.
	held    func(*sandbox.Sandbox, objectSpec) string
	desired func(objectSpec) string
	// needs are objects that must exist before.
	needs []objectSpec
	// node is the domain of the node that manages the object; "" is a master.
	node string
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

// objectKinds are all kinds.
var objectKinds = []objectKind{domainKind, routeKind, configKind, dataKind, sourceKind, grantKind}

// objectScenarios are the scenarios of each kind.
func init() { //nolint:gochecknoinits // the scenarios are one map
	for _, kind := range objectKinds {
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

// otherDifferences lists where the server's objects differ from the
// configuration.
func (c configuration) otherDifferences(server *sandbox.Sandbox) (found []string) {
	desired := map[string]string{}
	kinds := slices.Clone(c.kinds)
	for _, o := range c.objects {
		desired[o.address()] = o.kind.desired(o)
		kinds = append(kinds, o.kind)
	}
	for _, kind := range kinds {
		for _, name := range objectNames {
			o := objectSpec{kind: kind, name: name}
			if got := kind.held(server, o); got != desired[o.address()] {
				found = append(found, fmt.Sprintf("%s is %q, want %q", o.address(), got, desired[o.address()]))
			}
		}
	}
	return append(found, c.domainDifferences(server)...)
}

// kindOfPath is the kind of objects of API operations.
func kindOfPath(path string) (kind objectKind, known bool) {
	i := slices.IndexFunc(objectKinds, func(k objectKind) bool { return k.path == path })
	if i < 0 {
		return objectKind{}, false
	}
	return objectKinds[i], true
}

// objectAt is the object of an address.
func objectAt(address string) (objectSpec, bool) {
	typeName, name, _ := strings.Cut(address, ".")
	i := slices.IndexFunc(objectKinds, func(k objectKind) bool { return k.typeName == typeName })
	if i < 0 {
		return objectSpec{}, false
	}
	return objectSpec{kind: objectKinds[i], name: name}, true
}

// routeEnds are the ends of routes: domains that every server has.
var routeEnds = map[string]kuscia.DomainRouteKey{
	"one": {Source: "alice", Destination: "bob"}, "two": {Source: "bob", Destination: "alice"}, "three": {Source: "alice", Destination: "carol"},
}

// routeKind is routes; every change is a replacement.
var routeKind = objectKind{
	typeName: "kuscia_domain_route", path: "route", plural: "routes",
	config: func(o objectSpec, _ string) attrs {
		key := routeEnds[o.name]
		return attrs{
			"source": key.Source, "destination": key.Destination, "authentication_type": "Token",
			"endpoint":     attrs{"host": "gateway.example", "ports": []any{attrs{"name": "http", "port": 1080, "protocol": "HTTP"}}},
			"token_config": attrs{"rolling_update_period": o.n},
		}
	},
	held: func(server *sandbox.Sandbox, o objectSpec) string {
		token, err := server.RouteToken(routeEnds[o.name].Source, routeEnds[o.name].Destination)
		if err != nil {
			return ""
		}
		return fmt.Sprint("every ", token.RollingUpdatePeriod)
	},
	desired: func(o objectSpec) string { return fmt.Sprint("every ", o.n) },
}

// configKind is configuration entries.
var configKind = objectKind{
	typeName: "kuscia_config", path: "config", plural: "configs",
	config: func(o objectSpec, _ string) attrs { return attrs{"key": "key-" + o.name, "value": configValue(o)} },
	held: func(server *sandbox.Sandbox, o objectSpec) string {
		value, _ := server.ConfigValue("key-" + o.name)
		return value
	},
	desired: configValue,
}

func configValue(o objectSpec) string { return strings.Repeat(plantedKey, o.n) }
