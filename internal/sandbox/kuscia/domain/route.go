package domain

import (
	"fmt"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
)

// The codes of route operations, and the kind in the texts of the store.
const (
	codeCreateRoute  int32 = 11400
	codeQueryRoute   int32 = 11401
	codeRouteStatus  int32 = 11402
	codeDeleteRoute  int32 = 11403
	codeRouteUnknown int32 = 11404
	codeRouteExists  int32 = 11405
	KindRoutes             = "clusterdomainroutes"
)

// RouteObject is the kind route.
var RouteObject = server.Object{
	Name: "domain_routes", Plural: KindRoutes,
	Operations: map[string]server.Operation{
		"route/create":            server.Handle(codeCreateRoute, Of, createRoute).Data().ForDomains(),
		"route/query":             server.Handle(codeQueryRoute, Of, queryRoute).Data().ForDomains(),
		"route/delete":            server.Handle(codeDeleteRoute, Of, deleteRoute).ForDomains(),
		"route/status/batchQuery": server.Handle(codeRouteStatus, Of, batchQueryRouteStatus).Data().ForDomains(),
	},
	IDFields: []string{"source", "destination"},
	Save:     server.SaveTable[routeSpec],
	Restore: server.RestoreTable(func(w *server.ControlPlane, r *cluster.Record[routeSpec]) {
		Of(w).wakeRoute(r)
	}),
}

// The authentication types of Kuscia; it stores any other text as "".
const (
	authToken = "Token"
	authMTLS  = "MTLS"
	authNone  = "None"
)

// routeSpec is a stored route.
type routeSpec struct {
	Source, Destination string
	AuthenticationType  string
	Endpoint            kuscia.RouteEndpoint
	Token               *routeToken
	MTLS                *kuscia.RouteMTLSConfig
	Transit             *RouteTransit
	BodyEncryption      *kuscia.RouteBodyEncryption
	// Succeeded and Reason are the status; Since is the time of its last
	// change.
	Succeeded bool
	Reason    string
	// Imposed: the status was set by SetRouteStatus.
	Imposed bool
}

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

func (w *Domains) route(source, destination string) *cluster.Record[routeSpec] {
	return server.TableOf[routeSpec](w.ControlPlane).Get("", routeName(source, destination))
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
	if complaint := checkCreateRoute(request); complaint != "" {
		return server.Refuse(server.CodeValidate, complaint)
	}
	if complaint := routeWritable(from, request.Destination); complaint != "" {
		return server.Refuse(server.CodeAuthFailed, complaint)
	}
	for _, id := range []string{request.Source, request.Destination} {
		if w.byID[id] == nil {
			return server.Refuse(codeDomainUnknown, server.LookupError(Kind, id))
		}
	}
	name := routeName(request.Source, request.Destination)
	spec, complaint := buildRoute(request)
	if complaint == "" {
		complaint = checkStoredRoute(name, request, spec)
	}
	if complaint != "" {
		return server.Refuse(codeCreateRoute, complaint)
	}
	s.PauseBeforeWrite()
	if w.route(request.Source, request.Destination) != nil {
		return server.Refuse(codeRouteExists, server.ExistsError(KindRoutes, name))
	}
	w.wakeRoute(server.TableOf[routeSpec](w.ControlPlane).Add(w.Engine, cluster.Key{Namespace: "", Name: name}, spec))
	return server.Result(nil)
}

// routeWritable restricts a domain on the internal port to routes to itself.
func routeWritable(from server.Caller, destination string) string {
	if from.Domain == "" || from.Domain == destination {
		return ""
	}
	return fmt.Sprintf("domain's kusciaAPI could only operate DomainRoute with destination is itself, request.Destination must be %s not %s", from.Domain, destination)
}

func checkCreateRoute(request *CreateDomainRouteRequest) string {
	if complaint := checkRouteKey(request.Source, request.Destination); complaint != "" {
		return complaint
	}
	if request.AuthenticationType == "" {
		return "authentication type can not be empty"
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
	if request.Endpoint != nil {
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
func buildRoute(request *CreateDomainRouteRequest) (spec routeSpec, complaint string) {
	spec = routeSpec{
		Source: request.Source, Destination: request.Destination,
		Endpoint: kuscia.RouteEndpoint{Ports: []kuscia.RoutePort{}}, Transit: request.Transit, BodyEncryption: request.BodyEncryption,
	}
	switch request.AuthenticationType {
	case authToken:
		spec.AuthenticationType = authToken
		spec.Token = &routeToken{TokenGenMethod: "RSA-GEN"}
		if given := request.TokenConfig; given != nil {
			*spec.Token = routeToken{
				TokenGenMethod: given.TokenGenMethod, RollingUpdatePeriod: given.RollingUpdatePeriod,
				SourcePublicKey: given.SourcePublicKey, DestinationPublicKey: given.DestinationPublicKey,
			}
		}
	case authMTLS:
		spec.AuthenticationType, spec.MTLS = authMTLS, request.MTLSConfig
	case authNone:
		spec.AuthenticationType = authNone
	}
	if request.Endpoint == nil {
		return spec, ""
	}
	spec.Endpoint.Host = request.Endpoint.Host
	for _, given := range request.Endpoint.Ports {
		port := kuscia.RoutePort{Name: given.Name, Port: given.Port, IsTLS: given.IsTLS, PathPrefix: given.PathPrefix}
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
// its master. For a domain that authenticates with certificates it has no mtls
// block.
func automaticRoute(d *domain) routeSpec {
	spec := routeSpec{Source: d.id, Destination: server.MasterDomain, AuthenticationType: authToken, Endpoint: kuscia.RouteEndpoint{Ports: []kuscia.RoutePort{}}}
	if d.auth != nil {
		spec.AuthenticationType = d.auth.AuthenticationType
	}
	if spec.AuthenticationType == authToken {
		spec.Token = &routeToken{TokenGenMethod: "RSA-GEN", RollingUpdatePeriod: 86400}
	}
	return spec
}

// addAutomaticRoute creates the route of a local domain to the master, once.
func (w *Domains) addAutomaticRoute(d *domain) {
	if w.byID[server.MasterDomain] == nil || d.id == server.MasterDomain || d.role != "" || !w.namespaces[d.id] || w.route(d.id, server.MasterDomain) != nil {
		return
	}
	w.wakeRoute(server.TableOf[routeSpec](w.ControlPlane).Add(w.Engine, cluster.Key{Namespace: "", Name: routeName(d.id, server.MasterDomain)}, automaticRoute(d)))
}

// removeAutomaticRoute deletes it with the domain; routes that users have
// created remain.
func (w *Domains) removeAutomaticRoute(d *domain) {
	if r := w.route(d.id, server.MasterDomain); r != nil && r.Spec.Source == d.id && r.Spec.Destination == server.MasterDomain {
		server.TableOf[routeSpec](w.ControlPlane).Remove(w.Engine, r)
	}
}
