package faulttest_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
)

// routeEnds are the ends of routes: domains that every server has.
var routeEnds = map[string]kuscia.DomainRouteKey{
	"one": {Source: "alice", Destination: "bob"}, "two": {Source: "bob", Destination: "alice"}, "three": {Source: "alice", Destination: "carol"},
}

// routeKind is routes; every change is a replacement.
var routeKind = objectKind{
	typeName: "kuscia_domain_route", path: "route", plural: "routes", changesLater: true,
	refersTo: []string{"kuscia_domain"},
	config: func(o objectSpec, _ string) attrs {
		key := routeEnds[o.name]
		return attrs{
			"source": key.Source, "destination": key.Destination, "authentication_type": "Token",
			"endpoint":     attrs{"host": "gateway.example", "ports": []any{attrs{"name": "http", "port": 1080, "protocol": "HTTP"}}},
			"token_config": attrs{"rolling_update_period": o.n},
		}
	},
	stored: func(server *sandbox.Sandbox, o objectSpec) string {
		token, err := server.RouteToken(routeEnds[o.name].Source, routeEnds[o.name].Destination)
		if err != nil {
			return ""
		}
		return fmt.Sprint("every ", token.RollingUpdatePeriod)
	},
	desired: func(o objectSpec) string { return fmt.Sprint("every ", o.n) },

	generate: generateRoutes,
	identity: []string{"source", "destination"},
	same: map[string][][]any{
		"wait_for_ready": {{nil, false}}, "endpoint.host": {{nil, ""}}, "endpoint.ports.is_tls": {{nil, false}}, "endpoint.ports.path_prefix": {{nil, ""}},
		"endpoint.ports.protocol":       {{"HTTP", "http", "Http"}, {"GRPC", "grpc", "Grpc"}},
		"token_config.token_gen_method": {{nil, "RSA-GEN"}}, "token_config.rolling_update_period": {{nil, 0}},
	},
	moveRequest: requestWith("source", "destination"),
	all: func(server *sandbox.Sandbox) string {
		var routes []string
		ends := append(server.DomainIDs(), "nobody")
		for _, source := range ends {
			for _, destination := range ends {
				if _, err := server.RouteToken(source, destination); err == nil {
					routes = append(routes, source+" to "+destination)
				}
			}
		}
		return fmt.Sprint(routes)
	},

	remove: func(ctx context.Context, api *kuscia.Client, value stateValue) error {
		return api.DeleteDomainRoute(ctx, kuscia.DomainRouteKey{Source: value("source"), Destination: value("destination")})
	},
}

func init() { registerKind(routeKind) }

// generateRoutes generates routes between generated domains and others. Kuscia
// itself creates the routes of alice.
func generateRoutes(g generator, config generatedConfig, add func(generatedResource)) {
	ends := append([]any{"bob", "carol"}, config.domains()...)
	name := func(end any) string {
		if to, is := end.(reference); is {
			return strings.TrimPrefix(to.address, domainKind.typeName+".")
		}
		return end.(string)
	}
	for i := range ends {
		for j := range ends {
			if i != j && g.chance(25) {
				add(g.route(fmt.Sprintf("route-%s-%s", name(ends[i]), name(ends[j])), ends[i], ends[j]))
			}
		}
	}
}

func (g generator) ports() any {
	var ports []any
	for i := range 1 + g.IntN(2) {
		ports = append(ports, attrs{
			"name": fmt.Sprint("port-", i), "port": 1 + g.IntN(65535), "protocol": pick(g, "HTTP", "GRPC", "http", "Grpc"),
			"is_tls": pick[any](g, nil, true, false), "path_prefix": pick[any](g, nil, "", "/x"),
		})
	}
	return ports
}

func (g generator) route(name string, source, destination any) generatedResource {
	kind := pick(g, "Token", "Token", "MTLS", "None")
	config := attrs{
		"source": source, "destination": destination, "authentication_type": kind,
		"endpoint":       attrs{"host": pick[any](g, nil, "", "gateway.example", "10.0.0.1"), "ports": g.ports()},
		"wait_for_ready": pick[any](g, nil, false),
	}
	if kind == "MTLS" {
		config["mtls_config"] = attrs{"tls_ca": encoded(g), "source_client_cert": encoded(g), "source_client_private_key": g.maybe("a2V5")}
	}
	if kind == "Token" {
		config["token_config"] = g.maybe(attrs{"token_gen_method": pick[any](g, nil, "RSA-GEN", "UID-RSA-GEN"), "rolling_update_period": pick[any](g, nil, 0, 60)})
		config["body_encryption"] = g.maybe(attrs{"algorithm": pick(g, "AES", "SM4")})
	}
	if g.chance(20) {
		config["transit"] = pick(g, attrs{"transit_method": "REVERSE-TUNNEL"}, attrs{"transit_method": "THIRD-DOMAIN", "domain_id": "alice"})
	}
	return generatedResource{"kuscia_domain_route", name, config}
}
