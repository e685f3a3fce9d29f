package domain

import (
	"fmt"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// The codes of route operations.
const (
	codeCreateRoute  int32 = 11400
	codeQueryRoute   int32 = 11401
	codeRouteStatus  int32 = 11402
	codeDeleteRoute  int32 = 11403
	codeRouteUnknown int32 = 11404
	codeRouteExists  int32 = 11405
)

var (
	routeKind  = objects.KindOf[objects.ClusterDomainRoute]()
	routeCodes = server.StoreCodes{NotFound: codeRouteUnknown, Exists: codeRouteExists}
)

// RouteObject is the kind route.
var RouteObject = server.Object{
	Name: "domain_routes", Kind: routeKind, Table: server.AsTable[objects.ClusterDomainRoute],
	Operations: map[string]server.Operation{
		"route/create": server.Handle(codeCreateRoute, Of, createRoute).Data().ForDomains(),
		"route/query": server.Handle(codeQueryRoute, Of, queryRoute).Data().ForDomains().
			Field("endpoint.ports.isTLS", versions.RouteTLSStored).Field("endpoint.ports.path_prefix", versions.RoutePathPrefix).
			Field("transit", versions.RouteTransit).Field("body_encryption", versions.RouteBodyEncryption),
		"route/delete":            server.Handle(codeDeleteRoute, Of, deleteRoute).ForDomains(),
		"route/status/batchQuery": server.Handle(codeRouteStatus, Of, batchQueryRouteStatus).Data().ForDomains(),
	},
	IDFields: []string{"source", "destination"},
}

// RouteCopyObject are the copies of routes for their domains.
var RouteCopyObject = server.Object{Name: "domain_route_copies", Table: server.AsTable[objects.DomainRoute]}

// The authentication types of Kuscia; it stores any other text as "".
const (
	authToken = "Token"
	authMTLS  = "MTLS"
	authNone  = "None"
)

type (
	routeToken struct {
		DestinationPublicKey string `json:"destination_public_key"`
		RollingUpdatePeriod  int64  `json:"rolling_update_period,string"`
		SourcePublicKey      string `json:"source_public_key"`
		TokenGenMethod       string `json:"token_gen_method"`
	}
	// RouteTransit is transit of a route.
	RouteTransit struct {
		TransitMethod string              `json:"transit_method"`
		Domain        *RouteTransitDomain `json:"domain"`
	}
	// RouteTransitDomain is the domain of a transit.
	RouteTransitDomain struct {
		DomainID string `json:"domain_id"`
	}
)

// The request messages of the route operations.
type (
	// CreateDomainRouteRequest is the body of route/create.
	CreateDomainRouteRequest struct {
		Header             *kuscia.RequestHeader       `json:"header"`
		AuthenticationType string                      `json:"authentication_type"`
		Destination        string                      `json:"destination"`
		Source             string                      `json:"source"`
		Endpoint           *kuscia.RouteEndpoint       `json:"endpoint"`
		TokenConfig        *TokenConfig                `json:"token_config"`
		MTLSConfig         *kuscia.RouteMTLSConfig     `json:"mtls_config"`
		Transit            *RouteTransit               `json:"transit"`
		BodyEncryption     *kuscia.RouteBodyEncryption `json:"body_encryption"`
	}
	// TokenConfig is token_config of a route.
	TokenConfig struct {
		DestinationPublicKey string `json:"destination_public_key"`
		RollingUpdatePeriod  int64  `json:"rolling_update_period"`
		SourcePublicKey      string `json:"source_public_key"`
		TokenGenMethod       string `json:"token_gen_method"`
	}
	// QueryDomainRouteRequest is the body of route/query.
	QueryDomainRouteRequest struct {
		Header      *kuscia.RequestHeader `json:"header"`
		Destination string                `json:"destination"`
		Source      string                `json:"source"`
	}
	// DeleteDomainRouteRequest is the body of route/delete.
	DeleteDomainRouteRequest QueryDomainRouteRequest
	// BatchQueryDomainRouteStatusRequest is the body of route/status/batchQuery.
	BatchQueryDomainRouteStatusRequest struct {
		Header    *kuscia.RequestHeader   `json:"header"`
		RouteKeys []kuscia.DomainRouteKey `json:"route_keys"`
	}
)

// routeName is the name in the store; two pairs of domains can share one.
func routeName(source, destination string) string { return source + "-" + destination }

func (w *Domains) route(source, destination string) *objects.ClusterDomainRoute {
	return w.routes.Get("", routeName(source, destination))
}

// checkRouteKey returns the error for a missing end of a route.
func checkRouteKey(source, destination string) string {
	switch {
	case source == "":
		return "source can not be empty"
	case destination == "":
		return "destination can not be empty"
	}
	return ""
}

func createRoute(w *Domains, s *server.Node, from server.Caller, request *CreateDomainRouteRequest) server.Response {
	if complaint := w.checkCreateRoute(request); complaint != "" {
		return server.Refuse(server.CodeValidate, complaint)
	}
	if complaint := routeWritable(from, request.Destination); complaint != "" {
		return server.Refuse(server.CodeAuthFailed, complaint)
	}
	for _, id := range []string{request.Source, request.Destination} {
		if w.domain(id) == nil && w.Version.Has(versions.RouteDomainCheck) {
			return domainCodes.Refuse(codeCreateRoute, domainKind.Missing(id))
		}
	}
	route := &objects.ClusterDomainRoute{Meta: objects.Meta{Name: routeName(request.Source, request.Destination)}}
	var complaint string
	route.Spec, complaint = w.buildRoute(request)
	if complaint == "" && !w.Version.Has(versions.RouteTokenConfig) &&
		(request.AuthenticationType == authToken && request.TokenConfig == nil || request.AuthenticationType == authMTLS && request.MTLSConfig == nil) {
		return nilDereference
	}
	if complaint == "" {
		complaint = w.checkStoredRoute(route)
	}
	if complaint != "" {
		return server.Refuse(codeCreateRoute, complaint)
	}
	s.PauseBeforeWrite()
	return routeCodes.DoneUnless(codeCreateRoute, w.routes.Create(route))
}

// routeWritable restricts a domain on the internal port to routes to itself.
func routeWritable(from server.Caller, destination string) string {
	if from.Domain == "" || from.Domain == destination {
		return ""
	}
	return fmt.Sprintf("domain's kusciaAPI could only operate DomainRoute with destination is itself, request.Destination must be %s not %s", from.Domain, destination)
}

func (w *Domains) checkCreateRoute(request *CreateDomainRouteRequest) string {
	if complaint := checkRouteKey(request.Source, request.Destination); complaint != "" {
		return complaint
	}
	if !w.Version.Has(versions.RouteTransit) && (request.Endpoint == nil || len(request.Endpoint.Ports) == 0) {
		return "endpoint can not be empty"
	}
	if request.AuthenticationType == "" {
		return "authentication type can not be empty"
	}
	if !w.Version.Has(versions.RouteTransit) {
		return ""
	}
	if transit := request.Transit; transit != nil {
		switch {
		case transit.TransitMethod == "":
			return "tranist method is required when transit is not empty"
		case transit.TransitMethod == "THIRD-DOMAIN" && (transit.Domain == nil || transit.Domain.DomainID == ""):
			return "domain is required when transit method is third domain"
		}
	} else if request.Endpoint == nil || len(request.Endpoint.Ports) == 0 {
		return "endpoint can not be empty when transit is not set"
	}
	if request.Endpoint != nil && w.Version.Has(versions.RoutePortCheck) {
		for _, port := range request.Endpoint.Ports {
			if port.Port <= 0 || port.Port > 65535 {
				return "endpoint port should be positive and less than or equal to 65535 "
			}
		}
	}
	return ""
}

// buildRoute is the stored form of a request: unknown types and protocols
// become "", fields that do not belong to the type are dropped.
func (w *Domains) buildRoute(request *CreateDomainRouteRequest) (spec objects.RouteSpec, complaint string) {
	spec = objects.RouteSpec{Source: request.Source, Destination: request.Destination}
	if w.Version.Has(versions.RouteBodyEncryption) {
		spec.BodyEncryption = (*objects.RouteBodyEncryption)(request.BodyEncryption)
	}
	if transit := request.Transit; transit != nil && w.Version.Has(versions.RouteTransit) {
		spec.Transit = &objects.RouteTransit{TransitMethod: transit.TransitMethod, Domain: (*objects.RouteTransitDomain)(transit.Domain)}
	}
	switch request.AuthenticationType {
	case authToken:
		spec.AuthenticationType = authToken
		spec.TokenConfig = &objects.RouteTokenConfig{TokenGenMethod: "RSA-GEN"}
		if request.TokenConfig != nil {
			token := objects.RouteTokenConfig(*request.TokenConfig)
			if !w.Version.Has(versions.RouteRollingUpdate) {
				token.RollingUpdatePeriod = 0
			}
			spec.TokenConfig = &token
		}
	case authMTLS:
		spec.AuthenticationType, spec.MTLSConfig = authMTLS, (*objects.RouteMTLSConfig)(request.MTLSConfig)
	case authNone:
		spec.AuthenticationType = authNone
	}
	if request.Endpoint == nil {
		return spec, ""
	}
	spec.Endpoint.Host = request.Endpoint.Host
	for _, given := range request.Endpoint.Ports {
		port := objects.RoutePort{Name: given.Name, Port: given.Port, IsTLS: given.IsTLS, PathPrefix: given.PathPrefix}
		if !w.Version.Has(versions.RoutePathPrefix) {
			port.PathPrefix = ""
		}
		if !w.Version.Has(versions.RouteTLSStored) {
			port.IsTLS = false
		}
		switch protocol := strings.ToUpper(given.Protocol); protocol {
		case "HTTP", "GRPC":
			port.Protocol = protocol
		case "HTTPS", "GRPCS":
			port.Protocol, port.IsTLS = strings.TrimSuffix(protocol, "S"), true
		default:
			return spec, "DomainRoute Port Protocol should be HTTP or HTTPS or GRPC or GRPCS"
		}
		spec.Endpoint.Ports = append(spec.Endpoint.Ports, port)
	}
	return spec, ""
}

// automaticRoute is the route that the controller creates from a new domain to
// its master. It has a token configuration whatever the authentication of the domain is, and
// no mtls block.
func automaticRoute(d *objects.Domain) *objects.ClusterDomainRoute {
	auth := d.Spec.AuthCenter
	if auth == nil {
		auth = defaultAuthCenter()
	}
	return &objects.ClusterDomainRoute{
		Meta: objects.Meta{Name: routeName(d.Name, server.MasterDomain), OwnerReferences: objects.OwnedBy(d)},
		Spec: objects.RouteSpec{
			Source: d.Name, Destination: server.MasterDomain, AuthenticationType: auth.AuthenticationType, InterConnProtocol: interConn,
			TokenConfig: &objects.RouteTokenConfig{TokenGenMethod: auth.TokenGenMethod, RollingUpdatePeriod: 86400},
		},
	}
}

// removeAutomaticRoute deletes it with the domain; routes that users have
// created remain.
func (w *Domains) removeAutomaticRoute(d *objects.Domain) {
	if r := w.route(d.Name, server.MasterDomain); r != nil && r.IsOwnedBy(d.UID) {
		_ = w.routes.Delete("", r.Name) // another client was faster
	}
}
