package kuscia

import (
	"context"
	"fmt"
	"sync"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// Error codes of routes (Kuscia v1.1).
const (
	CodeCreateDomainRoute      int32 = 11400
	CodeQueryDomainRoute       int32 = 11401
	CodeQueryDomainRouteStatus int32 = 11402
	CodeDeleteDomainRoute      int32 = 11403
	CodeDomainRouteNotExists   int32 = 11404
	CodeDomainRouteExists      int32 = 11405
)

var (
	opCreateRoute = register(operation{Operation: create("route/create"), code: CodeCreateDomainRoute})
	opQueryRoute  = register(operation{Operation: post("route/query"), code: CodeQueryDomainRoute})
	opDeleteRoute = register(operation{Operation: update("route/delete"), code: CodeDeleteDomainRoute})
	opRouteStatus = register(operation{Operation: post("route/status/batchQuery"), code: CodeQueryDomainRouteStatus})
)

var _ = errorRules.add(
	errorRule{code: CodeDomainNotExists, operations: "route/", kind: ErrDomainMissing},
	errorRule{code: CodeDomainRouteNotExists, fits: isGone, kind: ErrNotFound},
	errorRule{code: CodeDomainRouteExists, kind: ErrExists},
	errorRule{code: CodeCreateDomainRoute, fits: has("should be HTTP or HTTPS or GRPC or GRPCS"), kind: ErrInvalid},
)

var _ = hints.add(
	errorHint{fits: isKind(ErrDomainMissing), hint: "The domain that the message names does not exist. Create it first, for example by referring to its resource."},
	errorHint{
		operations: opQueryRoute.Name,
		fits:       func(e *Error) bool { return IsNilPointerPanic(e) },
		hint:       "Kuscia cannot return a route that authenticates with MTLS and has no mtls_config. The route exists; delete it, and create it with the block.",
	},
	errorHint{
		operations: opCreateRoute.Name, fits: isKind(ErrExists),
		hint: "A route with this name exists. The name is source-destination, so a to b-c and a-b to c cannot both exist. " +
			"If it is the same route, import it; otherwise use another ID for one of the domains.",
	},
)

var _ = secretFields.add("source_client_private_key")

// The states of a route. RouteFailed is also the state of a route that is not
// ready yet.
const (
	RouteSucceeded = "Succeeded"
	RouteFailed    = "Failed"
)

// DomainRoute is a route from one domain to another: the data of route/query
// and the body of route/create. It cannot be updated.
//
// Its name is the source, a dash and the destination, so that a to b-c and a-b
// to c are the same route for the server: the second create returns ErrExists,
// and a query of the second returns the first with the names in the request.
type DomainRoute struct {
	Header *RequestHeader `json:"header,omitempty"`
	// Name is set by the server.
	Name        string `json:"name,omitempty"`
	Source      string `json:"source"`
	Destination string `json:"destination"`
	// AuthenticationType is Token, MTLS or None. The server accepts any text,
	// stores others as "", and such a route never works.
	AuthenticationType string `json:"authentication_type"`
	// Endpoint is the address of the destination's gateway. It is required
	// unless there is a transit.
	Endpoint *RouteEndpoint `json:"endpoint,omitempty"`
	// TokenConfig is for Token only; otherwise it is dropped.
	TokenConfig *RouteTokenConfig `json:"token_config,omitempty"`
	// MTLSConfig is for MTLS only, and required for it: without it the create
	// succeeds and every query crashes in the server (Kuscia v1.1).
	MTLSConfig *RouteMTLSConfig `json:"mtls_config,omitempty"`
	Transit    *RouteTransit    `json:"transit,omitempty"`
	// BodyEncryption has no effect without Token.
	BodyEncryption *RouteBodyEncryption `json:"body_encryption,omitempty"`
	// Status is set by the server.
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

// RouteTokenConfig configures the tokens of a route.
type RouteTokenConfig struct {
	// TokenGenMethod is RSA-GEN (the server's default without a TokenConfig) or
	// UID-RSA-GEN.
	TokenGenMethod string `json:"token_gen_method"`
	// RollingUpdatePeriod is in seconds; 0 means never.
	RollingUpdatePeriod Int64 `json:"rolling_update_period"`
	// SourcePublicKey and DestinationPublicKey are those of the domains'
	// certificates; other values are kept only for a domain without a
	// certificate.
	SourcePublicKey      string `json:"source_public_key,omitempty"`
	DestinationPublicKey string `json:"destination_public_key,omitempty"`
}

// RouteMTLSConfig has the certificates of a route, as base64 of PEM.
type RouteMTLSConfig struct {
	TLSCA            string `json:"tls_ca"`
	SourceClientCert string `json:"source_client_cert"`
	// SourceClientPrivateKey can be read by everyone who may query the route.
	SourceClientPrivateKey string `json:"source_client_private_key"`
}

// RouteTransit routes traffic through another domain or a tunnel.
type RouteTransit struct {
	// TransitMethod is THIRD-DOMAIN or REVERSE-TUNNEL.
	TransitMethod string `json:"transit_method"`
	// Domain is required for THIRD-DOMAIN. Its existence is not checked.
	Domain *RouteTransitDomain `json:"domain,omitempty"`
}

// RouteTransitDomain is the domain that a route passes.
type RouteTransitDomain struct {
	DomainID string `json:"domain_id"`
}

// RouteBodyEncryption encrypts the bodies of requests.
type RouteBodyEncryption struct {
	// Algorithm is AES or SM4.
	Algorithm string `json:"algorithm"`
}

// RouteStatus is set by the server.
type RouteStatus struct {
	// Status is RouteSucceeded or RouteFailed.
	Status string `json:"status" text:"shown"`
	// Reason is "" before the controller has processed the route; later it
	// contains a time.
	Reason string `json:"reason" text:"shown"`
}

// DomainRouteKey identifies a route.
type DomainRouteKey struct {
	Source      string `json:"source"`
	Destination string `json:"destination"`
}

// ID identifies the route in errors and logs.
func (k DomainRouteKey) ID() string { return k.Source + "/" + k.Destination }

// DomainRouteStatus is a route in the response of route/status/batchQuery.
type DomainRouteStatus struct {
	Name        string      `json:"name"`
	Source      string      `json:"source"`
	Destination string      `json:"destination"`
	Status      RouteStatus `json:"status"`
}

// CreateDomainRoute creates a route. It returns ErrExists if the name exists,
// possibly for another pair of domains, and ErrDomainMissing if one of the two
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
// ErrServerFault for an existing route with MTLS and without MTLSConfig.
func (c *Client) QueryDomainRoute(ctx context.Context, key DomainRouteKey) (*DomainRoute, error) {
	var out DomainRoute
	request := &domainRouteKeyRequest{Header: c.header(nil), DomainRouteKey: key}
	if err := c.read(ctx, opQueryRoute, []string{key.ID()}, request, &out, func() error {
		if out.Source != key.Source || out.Destination != key.Destination {
			return fmt.Errorf("the response is for the route from %q to %q", httpapi.Text(out.Source), httpapi.Text(out.Destination))
		}
		if out.MTLSConfig != nil {
			return checkCertificates(out.MTLSConfig.TLSCA, out.MTLSConfig.SourceClientCert)
		}
		return nil
	}); err != nil {
		return nil, err
	}
	return &out, nil
}

// DeleteDomainRoute deletes a route, or returns ErrNotFound.
func (c *Client) DeleteDomainRoute(ctx context.Context, key DomainRouteKey) error {
	_, err := c.do(ctx, opDeleteRoute, []string{key.ID()}, &domainRouteKeyRequest{Header: c.header(nil), DomainRouteKey: key})
	return err
}

// BatchQueryDomainRouteStatus returns the states of routes in the order of the
// keys. If one does not exist, it returns ErrNotFound and no states. It also
// works for routes for which QueryDomainRoute crashes.
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

// idsOf are the ids of the keys' objects in errors and logs.
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

// clean also masks the private key of the route in its status.
func (r *DomainRoute) clean(c *Client, masker func() httpapi.Masker) {
	if r.Status == nil {
		return
	}
	own := masker
	if r.MTLSConfig != nil {
		own = sync.OnceValue(func() httpapi.Masker { return masker().With(r.MTLSConfig.SourceClientPrivateKey) })
	}
	r.Status.cleanTexts(message(own), c.name(own))
}

// routeStatuses is the data of a batch response about routes.
type routeStatuses struct {
	Routes []DomainRouteStatus `json:"routes"`
}

func (s *routeStatuses) clean(c *Client, masker func() httpapi.Masker) {
	for i := range s.Routes {
		s.Routes[i].Status.cleanTexts(message(masker), c.name(masker))
	}
}

func (s *RouteStatus) cleanTexts(text, name func(string) string) {
	s.Status, s.Reason = name(s.Status), text(s.Reason)
}
