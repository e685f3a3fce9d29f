package domainroute

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/movestate"
)

// domainRoute defines kuscia_domain_route.
var domainRoute = crud.New(crud.Spec[kuscia.DomainRoute]{
	Type: "domain_route", Title: "domain route",
	Schema: routeSchema(),
	Identity: crud.Identity{
		Attributes: []crud.IdentityAttribute{
			{Name: "source", Description: "Domain that sends requests over the route.", Problem: checkDomainID},
			{Name: "destination", Description: "Domain that receives the requests.", Problem: checkDomainID},
		},
		Moved: movestate.Kind{
			Request:  movestate.Request{IdentifyingAttribute: "destination", ID: []string{"source", "destination"}},
			Manifest: movestate.Manifest{Group: kuscia.Group, Kind: "ClusterDomainRoute", Spec: []string{"source", "destination"}},
		},
	},
	ToWire: toWire, FromWire: fromWire,
	API: calls, CustomResource: customResource,
	Checks:   crud.Checks[kuscia.DomainRoute]{Object: checkRoute, References: references, Guard: nameIsFree},
	Writes:   crud.Writes[kuscia.DomainRoute]{ReplaceAll: true},
	Deletion: crud.Deletion{Meanwhile: "Until the new route is ready, the source cannot reach the destination through it."},
	Planned:  noteName,
	Wait: &crud.Wait[kuscia.DomainRoute]{
		Attribute: "wait_for_ready", Timeouts: definition.Timeouts{Create: 5 * time.Minute, Update: 5 * time.Minute}, Done: ready,
		Fresh: fresh,
		For:   "A route is ready when the nodes of both domains have joined, their gateways run, and that of the source reaches the endpoint.",
		Description: "Whether a create, and a change in place, waits until Kuscia reports `Succeeded`: the gateways of both domains reach each other. Default `false`. " +
			"Kuscia also reports `Failed` for a route that is not ready yet, so a route that cannot work fails only at the timeout, with Kuscia's last reason. See the guide [A federation](../guides/federation.md#the-order).",
	},
})

var lookup = domainRoute.NewDataSource("One route from a domain to another, with its state, looked up by source and destination. The plan fails if it does not exist.")

// calls are the API calls for routes.
func calls(c *run.Run) crud.API[kuscia.DomainRoute] {
	server := routes{api: c.Kuscia, pairs: pairs{c.Domains}, adopts: c.AdoptExisting}
	return crud.API[kuscia.DomainRoute]{
		Create: server.create,
		Query: func(ctx context.Context, id crud.ID) (*kuscia.DomainRoute, error) {
			return server.query(ctx, keyOf(id))
		},
		Delete: func(ctx context.Context, id crud.ID) error { return server.delete(ctx, keyOf(id)) },
	}
}

func keyOf(id crud.ID) kuscia.DomainRouteKey {
	return kuscia.DomainRouteKey{Source: id[0], Destination: id[1]}
}

// routes implements the API calls, with workarounds for errors of the server.
type routes struct {
	api   *kuscia.Client
	pairs pairs
	// adopts is true if a create may adopt an existing route.
	adopts bool
}

// create explains the error for a name that is in use, by another pair of
// domains or by a route that Kuscia created.
func (s routes) create(ctx context.Context, route *kuscia.DomainRoute) error {
	err := s.api.CreateDomainRoute(ctx, route)
	if !errors.Is(err, kuscia.ErrExists) {
		return err
	}
	key := kuscia.DomainRouteKey{Source: route.Source, Destination: route.Destination}
	found, queryErr := s.query(ctx, key)
	if queryErr == nil && s.adopts {
		if other, maybe := s.pairs.another(ctx, key, found); maybe {
			return fmt.Errorf("%s. It is not adopted, since it may also be the route from %q to %q, which has the same name in Kuscia. If it is the one from %q to %q, import it",
				err, httpapi.Text(other.Source), httpapi.Text(other.Destination), httpapi.Text(key.Source), httpapi.Text(key.Destination)) //nolint:errorlint // as an error of a taken id it would be adopted
		}
	}
	var other *otherPairError
	switch {
	case errors.As(queryErr, &other):
		return fmt.Errorf("%s: %w", err, other) //nolint:errorlint // it exists, but is not this route: nothing to import or adopt
	case queryErr == nil && isBare(found):
		return fmt.Errorf("%w. It authenticates with MTLS but has no certificates, so Kuscia cannot return it: "+
			"it was created by Kuscia for a domain whose auth_center is MTLS, or manually. Import it to replace or remove it", err)
	case queryErr == nil && isAutomatic(found):
		return fmt.Errorf("%w. Kuscia creates this route itself, from each of its domains to its master, and deletes it with the domain: "+
			"remove it from the configuration, or import it", err)
	default:
		return err
	}
}

// isAutomatic reports whether Kuscia created a route automatically: all others
// have ports or a transit.
func isAutomatic(route *kuscia.DomainRoute) bool {
	return (route.Endpoint == nil || len(route.Endpoint.Ports) == 0) && route.Transit == nil
}

// isBare reports whether only the status of a route could be queried.
func isBare(route *kuscia.DomainRoute) bool {
	return route.AuthenticationType == authMTLS && route.MTLSConfig == nil
}

// query queries a route. If the server crashes, query checks whether the route
// exists, so that the route can be destroyed. Only a query that crashes again is
// the route's fault.
func (s routes) query(ctx context.Context, key kuscia.DomainRouteKey) (*kuscia.DomainRoute, error) {
	found, err := s.api.QueryDomainRoute(ctx, key)
	if kuscia.IsNilPointerPanic(err) {
		found, err = s.api.QueryDomainRoute(ctx, key)
	}
	if kuscia.IsNilPointerPanic(err) {
		found, err = s.bare(ctx, key, err)
	}
	if err != nil {
		return nil, err
	}
	if other, is := s.pairs.owner(ctx, key, found); is {
		return nil, &otherPairError{requested: key, other: other}
	}
	return found, nil
}

// bare returns the known fields of a route whose query crashes the server: it
// authenticates with MTLS without an mtls_config block. The status is known as
// well.
func (s routes) bare(ctx context.Context, key kuscia.DomainRouteKey, crash error) (*kuscia.DomainRoute, error) {
	found, err := s.api.BatchQueryDomainRouteStatus(ctx, []kuscia.DomainRouteKey{key})
	switch {
	case errors.Is(err, kuscia.ErrNotFound):
		return nil, err
	case err != nil:
		return nil, crash
	}
	return &kuscia.DomainRoute{
		Name: found[0].Name, Source: key.Source, Destination: key.Destination,
		AuthenticationType: authMTLS, Status: &found[0].Status,
	}, nil
}

// delete deletes a route, but not the route of another pair with the same name.
func (s routes) delete(ctx context.Context, key kuscia.DomainRouteKey) error {
	if len(otherPairs(key)) > 0 {
		var other *otherPairError
		if _, err := s.query(ctx, key); errors.As(err, &other) {
			return err
		}
	}
	return s.api.DeleteDomainRoute(ctx, key)
}

// ready reports whether a route works. Failed is not final: it is also the
// state of a route that Kuscia has not processed, or whose gateways have not
// connected.
func ready(route *kuscia.DomainRoute) (done bool, state string) {
	status := route.Status
	switch {
	case status == nil || status.Status == "":
		return false, "Kuscia reports no status"
	case status.Status == kuscia.RouteSucceeded:
		return true, status.Status
	case status.Reason == "":
		return false, status.Status + " without a reason: Kuscia has not processed the route"
	default:
		return false, status.Status + ", " + status.Reason + cause(route)
	}
}

// notAuthorized is part of Kuscia's reason while the gateway of the destination has not accepted
// the route.
const notAuthorized = "DestinationIsNotAuthrized"

// cause explains the reason of a route that is not ready, in parentheses, or returns "".
func cause(route *kuscia.DomainRoute) string {
	if !strings.Contains(route.Status.Reason, notAuthorized) {
		return ""
	}
	if token := route.TokenConfig; token != nil {
		for _, end := range [][2]string{{route.Destination, token.DestinationPublicKey}, {route.Source, token.SourcePublicKey}} {
			if end[1] == "" {
				return fmt.Sprintf(" (the node of the domain %q has not joined Kuscia: the domain has no public key yet. Start the node with the deploy token of the domain, or set cert of a partner)", httpapi.Text(end[0]))
			}
		}
	}
	return fmt.Sprintf(" (the gateway of the domain %q has not accepted the route yet: check that its node runs, has joined, and is reached at endpoint)", httpapi.Text(route.Destination))
}
