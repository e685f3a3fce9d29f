package faulttest_test

import (
	"fmt"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// routeEnds are the ends of routes: domains that every server has.
var routeEnds = map[string]kuscia.DomainRouteKey{
	"one": {Source: "alice", Destination: "bob"}, "two": {Source: "bob", Destination: "alice"}, "three": {Source: "alice", Destination: "carol"},
}

// routeKind is routes; every change is a replacement.
var routeKind = objectKind{
	typeName: "kuscia_domain_route", path: "route", plural: "routes", replaced: true,
	config: func(o objectSpec, _ configuration) attrs {
		key := routeEnds[o.name]
		return attrs{
			"source": key.Source, "destination": key.Destination, "authentication_type": "Token",
			"endpoint":     attrs{"host": "gateway.example", "ports": []any{attrs{"name": "http", "port": 1080, "protocol": "HTTP"}}},
			"token_config": attrs{"rolling_update_period": o.n},
		}
	},
	stored: func(b *testbed, o objectSpec) string {
		token, err := b.server.RouteToken(routeEnds[o.name].Source, routeEnds[o.name].Destination)
		if err != nil {
			return ""
		}
		return fmt.Sprint("every ", token.RollingUpdatePeriod)
	},
	desired: func(o objectSpec) string { return fmt.Sprint("every ", o.n) },
}

func init() { registerKind(routeKind) }
