package faulttest_test

import (
	"fmt"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
)

// objectSpec is an object without a rollout that a user asks for.
type objectSpec struct {
	kind objectKind
	// name is its name in the configuration, and n what changes.
	name string
	n    int
}

// objectKind is what the matrix knows of such objects.
type objectKind struct {
	typeName string
	config   func(objectSpec) attrs
	// held is what the server has of the object, "" for nothing, and wanted
	// what it has to have.
	held   func(*sandbox.Sandbox, objectSpec) string
	wanted func(objectSpec) string
}

func (o objectSpec) address() string { return o.kind.typeName + "." + o.name }

// objectNames are the names that scenarios use.
var objectNames = []string{"one", "two", "three"}

// objects are as many objects of a kind.
func objects(kind objectKind, count, n int) configuration {
	var c configuration
	for _, name := range objectNames[:count] {
		c.objects = append(c.objects, objectSpec{kind, name, n})
	}
	return c
}

// objectScenarios are those of each kind.
func init() { //nolint:gochecknoinits // the scenarios are one map
	for plural, kind := range map[string]objectKind{"routes": routeKind, "configs": configKind} {
		// What there was is gone too.
		none := configuration{kinds: []objectKind{kind}}
		scenarios["create "+plural] = func(n int) scenario { return scenario{wants: objects(kind, n, 1)} }
		scenarios["update "+plural] = func(n int) scenario { return scenario{has: objects(kind, n, 1), wants: objects(kind, n, 2)} }
		scenarios["delete "+plural] = func(n int) scenario { return scenario{has: objects(kind, n, 1), wants: none} }
	}
}

// otherDifferences lists where the server's objects are not what the
// configuration says.
func (c configuration) otherDifferences(server *sandbox.Sandbox) (found []string) {
	wanted := map[string]string{}
	kinds := c.kinds
	for _, o := range c.objects {
		wanted[o.address()] = o.kind.wanted(o)
		kinds = append(kinds, o.kind)
	}
	for _, kind := range kinds {
		for _, name := range objectNames {
			o := objectSpec{kind: kind, name: name}
			if got := kind.held(server, o); got != wanted[o.address()] {
				found = append(found, fmt.Sprintf("%s is %q, want %q", o.address(), got, wanted[o.address()]))
			}
		}
	}
	return found
}

// objectAt is the object of an address, of those that have no file of their own.
func objectAt(address string) (objectSpec, bool) {
	typeName, name, _ := strings.Cut(address, ".")
	kind, ok := objectKinds[typeName]
	return objectSpec{kind: kind, name: name}, ok
}

// objectPaths are the addresses of the objects behind paths of the API.
var objectPaths = map[string]string{"route": routeKind.typeName + ".", "config": configKind.typeName + "."}

var objectKinds = map[string]objectKind{routeKind.typeName: routeKind, configKind.typeName: configKind}

// The domains at the ends of routes are those that every server has.
var routeEnds = map[string]kuscia.DomainRouteKey{
	"one": {Source: "alice", Destination: "bob"}, "two": {Source: "bob", Destination: "alice"}, "three": {Source: "alice", Destination: "carol"},
}

// routeKind are routes, which every change replaces.
var routeKind = objectKind{
	typeName: "kuscia_domain_route",
	config: func(o objectSpec) attrs {
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
	wanted: func(o objectSpec) string { return fmt.Sprint("every ", o.n) },
}

// configKind are entries of the configuration.
var configKind = objectKind{
	typeName: "kuscia_config",
	config:   func(o objectSpec) attrs { return attrs{"key": "key-" + o.name, "value": configValue(o)} },
	held: func(server *sandbox.Sandbox, o objectSpec) string {
		value, _ := server.ConfigValue("key-" + o.name)
		return value
	},
	wanted: configValue,
}

func configValue(o objectSpec) string { return strings.Repeat(plantedKey, o.n) }
