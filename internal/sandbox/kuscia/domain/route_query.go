package domain

import (
	"fmt"
	"regexp"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// routeHost is the store's pattern for hosts, which its error text contains.
const routeHost = `^$|^(?:(?:25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)\.){3}(?:25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)$|` +
	`^(([a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9\-]*[a-zA-Z0-9])\.)*([A-Za-z0-9]|[A-Za-z0-9][A-Za-z0-9\-]*[A-Za-z0-9])$`

var routeHostRule = regexp.MustCompile(routeHost)

// checkStoredRoute is the store's error for a route.
func (w *Domains) checkStoredRoute(route *objects.ClusterDomainRoute) string {
	var errs server.FieldErrors
	spec := route.Spec
	if spec.BodyEncryption != nil {
		errs.Supported("spec.bodyEncryption.algorithm", spec.BodyEncryption.Algorithm, "AES", "SM4")
	}
	if w.Version.Has(versions.RouteHostCheck) && !routeHostRule.MatchString(spec.Endpoint.Host) {
		errs = append(errs, fmt.Sprintf("spec.endpoint.host: Invalid value: %q: spec.endpoint.host in body should match '%s'", spec.Endpoint.Host, routeHost))
	}
	if token := spec.TokenConfig; token != nil {
		if token.RollingUpdatePeriod < 0 {
			errs = append(errs, fmt.Sprintf("spec.tokenConfig.rollingUpdatePeriod: Invalid value: %d: "+
				"spec.tokenConfig.rollingUpdatePeriod in body should be greater than or equal to 0", token.RollingUpdatePeriod))
		}
		errs.Supported("spec.tokenConfig.tokenGenMethod", token.TokenGenMethod, "RSA-GEN", "UID-RSA-GEN")
	}
	if spec.Transit != nil {
		errs.Supported("spec.transit.transitMethod", spec.Transit.TransitMethod, "THIRD-DOMAIN", "REVERSE-TUNNEL")
	}
	return errs.Text("ClusterDomainRoute", route.Name)
}

// routeData is a route in a response.
type routeData struct {
	Name               string                      `json:"name"`
	AuthenticationType string                      `json:"authentication_type"`
	Destination        string                      `json:"destination"`
	Endpoint           kuscia.RouteEndpoint        `json:"endpoint"`
	Source             string                      `json:"source"`
	TokenConfig        *routeToken                 `json:"token_config"`
	MTLSConfig         *kuscia.RouteMTLSConfig     `json:"mtls_config"`
	Status             kuscia.RouteStatus          `json:"status"`
	Transit            *RouteTransit               `json:"transit"`
	BodyEncryption     *kuscia.RouteBodyEncryption `json:"body_encryption"`
}

func (w *Domains) routeStatus(r *objects.ClusterDomainRoute) kuscia.RouteStatus {
	switch ready := r.Status.Ready(); {
	case ready == nil:
		return kuscia.RouteStatus{Status: "Failed"}
	case ready.Status == conditionTrue:
		return kuscia.RouteStatus{Status: "Succeeded"}
	case !w.Version.Has(versions.RouteReason):
		return kuscia.RouteStatus{Status: "Failed"}
	default:
		return kuscia.RouteStatus{Status: "Failed", Reason: fmt.Sprintf("LastUpdateAt=%s, Message=%s, Reason:%s",
			ready.LastUpdateTime.UTC().Truncate(time.Second), ready.Message, ready.Reason)}
	}
}

func queryRoute(w *Domains, s *server.Node, from server.Caller, request *QueryDomainRouteRequest) server.Response {
	if complaint := checkRouteKey(request.Source, request.Destination); complaint != "" {
		return server.Refuse(server.CodeValidate, complaint)
	}
	if from.Domain != "" && from.Domain != request.Source && from.Domain != request.Destination {
		return server.Refuse(server.CodeAuthFailed, fmt.Sprintf("domain's kusciaAPI could only query DomainRoute with itself, domain:%s ,destination:%s,source:%s",
			from.Domain, request.Destination, request.Source))
	}
	r := w.route(request.Source, request.Destination)
	if r == nil {
		return routeCodes.Refuse(codeQueryRoute, routeKind.Missing(routeName(request.Source, request.Destination)))
	}
	// The ends are those of the request, even if the name belongs to another
	// route.
	data := routeData{
		Name: r.Name, AuthenticationType: r.Spec.AuthenticationType, Source: request.Source, Destination: request.Destination,
		Endpoint: kuscia.RouteEndpoint{Host: r.Spec.Endpoint.Host, Ports: []kuscia.RoutePort{}}, Status: w.routeStatus(r),
		BodyEncryption: (*kuscia.RouteBodyEncryption)(r.Spec.BodyEncryption),
	}
	for _, port := range r.Spec.Endpoint.Ports {
		if !w.Version.Has(versions.RouteTLS) {
			port.IsTLS = false
		}
		data.Endpoint.Ports = append(data.Endpoint.Ports, kuscia.RoutePort(port))
	}
	if transit := r.Spec.Transit; transit != nil {
		data.Transit = &RouteTransit{TransitMethod: transit.TransitMethod, Domain: (*RouteTransitDomain)(transit.Domain)}
	}
	switch r.Spec.AuthenticationType {
	case authToken:
		data.TokenConfig = (*routeToken)(r.Spec.TokenConfig)
		if data.TokenConfig == nil {
			return nilDereference
		}
	case authMTLS:
		data.MTLSConfig = (*kuscia.RouteMTLSConfig)(r.Spec.MTLSConfig)
		if data.MTLSConfig == nil {
			return nilDereference
		}
	}
	return server.Result(data)
}

// nilDereference is the response to a query of a route without the block of its
// authentication type.
var nilDereference = server.Crash("runtime error: invalid memory address or nil pointer dereference")

func batchQueryRouteStatus(w *Domains, _ *server.Node, _ server.Caller, request *BatchQueryDomainRouteStatusRequest) server.Response {
	if len(request.RouteKeys) == 0 {
		return server.Refuse(server.CodeValidate, "DomainRoute keys can not be empty")
	}
	list := make([]kuscia.DomainRouteStatus, 0, len(request.RouteKeys))
	for _, key := range request.RouteKeys {
		if complaint := checkRouteKey(key.Source, key.Destination); complaint != "" {
			return server.Refuse(server.CodeValidate, complaint)
		}
		r := w.route(key.Source, key.Destination)
		if r == nil {
			return routeCodes.Refuse(codeRouteStatus, routeKind.Missing(routeName(key.Source, key.Destination)))
		}
		list = append(list, kuscia.DomainRouteStatus{Name: r.Name, Destination: key.Destination, Source: key.Source, Status: w.routeStatus(r)})
	}
	return server.Result(struct {
		Routes []kuscia.DomainRouteStatus `json:"routes"`
	}{list})
}

func deleteRoute(w *Domains, _ *server.Node, from server.Caller, request *DeleteDomainRouteRequest) server.Response {
	if complaint := checkRouteKey(request.Source, request.Destination); complaint != "" {
		return server.Refuse(server.CodeValidate, complaint)
	}
	if complaint := routeWritable(from, request.Destination); complaint != "" {
		return server.Refuse(server.CodeAuthFailed, complaint)
	}
	return routeCodes.DoneUnless(codeDeleteRoute, w.routes.Delete("", routeName(request.Source, request.Destination)))
}
