package kuscia

import (
	"context"
	"fmt"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

var (
	opCreateRoute = row(operation{Operation: create("route/create"), code: CodeCreateDomainRoute})
	opQueryRoute  = row(operation{Operation: post("route/query"), code: CodeQueryDomainRoute})
	opDeleteRoute = row(operation{Operation: update("route/delete"), code: CodeDeleteDomainRoute})
	opRouteStatus = row(operation{Operation: post("route/status/batchQuery"), code: CodeQueryDomainRouteStatus})
)

// The states of a route. RouteFailed is also the state of a route that is not
// ready yet.
const (
	RouteSucceeded = "Succeeded"
	RouteFailed    = "Failed"
)

// DomainRoute is a way from one domain to another: the data of route/query and
// the body of route/create. It cannot be changed.
//
// Its name is the source, a dash and the destination, so that a to b-c and a-b
// to c are the same route for the server: the second create is ErrExists, and a
// query of the second answers with the first under the names that were asked.
type DomainRoute struct {
	Header *RequestHeader `json:"header,omitempty"`
	// Name is made by the server.
	Name        string `json:"name,omitempty"`
	Source      string `json:"source"`
	Destination string `json:"destination"`
	// AuthenticationType is Token, MTLS or None. The server accepts any text,
	// stores others as "", and such a route never works.
	AuthenticationType string `json:"authentication_type"`
	// Endpoint is where the gateway of the destination listens. Needed unless
	// there is a transit.
	Endpoint *RouteEndpoint `json:"endpoint,omitempty"`
	// TokenConfig is for Token only; others lose it.
	TokenConfig *RouteTokenConfig `json:"token_config,omitempty"`
	// MTLSConfig is for MTLS only, and needed there: without it the create
	// succeeds and every query crashes in the server (Kuscia v1.1).
	MTLSConfig *RouteMTLSConfig `json:"mtls_config,omitempty"`
	Transit    *RouteTransit    `json:"transit,omitempty"`
	// BodyEncryption does nothing without Token.
	BodyEncryption *RouteBodyEncryption `json:"body_encryption,omitempty"`
	// Status is the server's.
	Status *RouteStatus `json:"status,omitempty"`
}

// RouteEndpoint is the address of a gateway.
type RouteEndpoint struct {
	// Host is an IPv4 address, a DNS name or "".
	Host  string      `json:"host"`
	Ports []RoutePort `json:"ports"`
}

// RoutePort is a port of a gateway.
type RoutePort struct {
	Name string `json:"name"`
	// Port is 1 to 65535.
	Port int32 `json:"port"`
	// Protocol is HTTP, HTTPS, GRPC or GRPCS in any case; it is stored as HTTP
	// or GRPC, with IsTLS for the other two.
	Protocol   string `json:"protocol"`
	IsTLS      bool   `json:"isTLS"`
	PathPrefix string `json:"path_prefix"`
}

// RouteTokenConfig is how the tokens of a route are made.
type RouteTokenConfig struct {
	// TokenGenMethod is RSA-GEN (the server's default without a TokenConfig) or
	// UID-RSA-GEN.
	TokenGenMethod string `json:"token_gen_method"`
	// RollingUpdatePeriod is in seconds; 0 is never.
	RollingUpdatePeriod Int64 `json:"rolling_update_period"`
	// SourcePublicKey and DestinationPublicKey follow the certificates of the
	// domains; own values survive only for a domain without a certificate.
	SourcePublicKey      string `json:"source_public_key,omitempty"`
	DestinationPublicKey string `json:"destination_public_key,omitempty"`
}

// RouteMTLSConfig has the certificates of a route, as base64 of PEM.
type RouteMTLSConfig struct {
	TLSCA            string `json:"tls_ca"`
	SourceClientCert string `json:"source_client_cert"`
	// SourceClientPrivateKey is readable by whoever may query the route.
	SourceClientPrivateKey string `json:"source_client_private_key"`
}

// RouteTransit leads a route through something else.
type RouteTransit struct {
	// TransitMethod is THIRD-DOMAIN or REVERSE-TUNNEL.
	TransitMethod string `json:"transit_method"`
	// Domain is needed for THIRD-DOMAIN. Nobody checks that it exists.
	Domain *RouteTransitDomain `json:"domain,omitempty"`
}

// RouteTransitDomain is the domain that a route leads through.
type RouteTransitDomain struct {
	DomainID string `json:"domain_id"`
}

// RouteBodyEncryption encrypts the bodies of requests.
type RouteBodyEncryption struct {
	// Algorithm is AES or SM4.
	Algorithm string `json:"algorithm"`
}

// RouteStatus is what the server knows of a route.
type RouteStatus struct {
	// Status is RouteSucceeded or RouteFailed.
	Status string `json:"status" text:"shown"`
	// Reason is "" before the controller has looked at the route; later it has
	// a time in it.
	Reason string `json:"reason" text:"shown"`
}

// DomainRouteKey names a route.
type DomainRouteKey struct {
	Source      string `json:"source"`
	Destination string `json:"destination"`
}

// ID is how errors and logs call the route.
func (k DomainRouteKey) ID() string { return k.Source + "/" + k.Destination }

// DomainRouteStatus is a route in the answer of route/status/batchQuery.
type DomainRouteStatus struct {
	Name        string      `json:"name"`
	Source      string      `json:"source"`
	Destination string      `json:"destination"`
	Status      RouteStatus `json:"status"`
}

// CreateDomainRoute creates a route. ErrExists says that the name is taken,
// maybe by another pair of domains; ErrDomainMissing that one of the two
// domains does not exist.
func (c *Client) CreateDomainRoute(ctx context.Context, route *DomainRoute) error {
	body := *route
	body.Header = c.header(route.Header)
	key := DomainRouteKey{Source: route.Source, Destination: route.Destination}
	var secrets []string
	if route.MTLSConfig != nil {
		secrets = append(secrets, route.MTLSConfig.SourceClientPrivateKey)
	}
	_, err := c.do(ctx, opCreateRoute, []string{key.ID()}, &body, secrets...)
	return err
}

// QueryDomainRoute returns a route, or an error that is ErrNotFound. It is
// ErrServerFault for a route with MTLS and without its block, which exists.
func (c *Client) QueryDomainRoute(ctx context.Context, key DomainRouteKey) (*DomainRoute, error) {
	var out DomainRoute
	request := &domainRouteKeyRequest{Header: c.header(nil), DomainRouteKey: key}
	if err := c.read(ctx, opQueryRoute, []string{key.ID()}, request, &out, func() error {
		if out.Source != key.Source || out.Destination != key.Destination {
			return fmt.Errorf("the answer is about the route from %q to %q", httpapi.Text(out.Source), httpapi.Text(out.Destination))
		}
		return nil
	}); err != nil {
		return nil, err
	}
	return &out, nil
}

// DeleteDomainRoute deletes a route, or fails with ErrNotFound.
func (c *Client) DeleteDomainRoute(ctx context.Context, key DomainRouteKey) error {
	_, err := c.do(ctx, opDeleteRoute, []string{key.ID()}, &domainRouteKeyRequest{Header: c.header(nil), DomainRouteKey: key})
	return err
}

// BatchQueryDomainRouteStatus returns the states of routes in the order of the
// keys. It fails as a whole, with ErrNotFound, when one does not exist. It also
// answers for routes at which QueryDomainRoute crashes.
func (c *Client) BatchQueryDomainRouteStatus(ctx context.Context, keys []DomainRouteKey) ([]DomainRouteStatus, error) {
	var out routeStatuses
	request := &domainRouteKeysRequest{Header: c.header(nil), RouteKeys: keys}
	if err := c.read(ctx, opRouteStatus, idsOf(keys), request, &out, func() error {
		return sameCount(len(out.Routes), len(keys), "routes")
	}); err != nil {
		return nil, err
	}
	return out.Routes, nil
}

// idsOf is how errors and logs call the objects of keys.
func idsOf[K interface{ ID() string }](keys []K) []string {
	ids := make([]string, len(keys))
	for i, key := range keys {
		ids[i] = key.ID()
	}
	return ids
}

type domainRouteKeyRequest struct {
	Header *RequestHeader `json:"header,omitempty"`
	DomainRouteKey
}

type domainRouteKeysRequest struct {
	Header    *RequestHeader   `json:"header,omitempty"`
	RouteKeys []DomainRouteKey `json:"route_keys"`
}
