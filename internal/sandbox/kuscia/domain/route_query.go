package domain

import (
	"fmt"
	"regexp"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
)

// routeHost is the store's pattern for hosts, which its error text contains.
const routeHost = `^$|^(?:(?:25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)\.){3}(?:25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)$|` +
	`^(([a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9\-]*[a-zA-Z0-9])\.)*([A-Za-z0-9]|[A-Za-z0-9][A-Za-z0-9\-]*[A-Za-z0-9])$`

var routeHostRule = regexp.MustCompile(routeHost)

// checkStoredRoute is the store's error for a route.
func checkStoredRoute(name string, request *CreateDomainRouteRequest, spec routeSpec) string {
	var errs server.FieldErrors
	if request.BodyEncryption != nil {
		errs.Supported("spec.bodyEncryption.algorithm", request.BodyEncryption.Algorithm, "AES", "SM4")
	}
	if !routeHostRule.MatchString(spec.Endpoint.Host) {
		errs = append(errs, fmt.Sprintf("spec.endpoint.host: Invalid value: %q: spec.endpoint.host in body should match '%s'", spec.Endpoint.Host, routeHost))
	}
	if spec.Token != nil {
		if spec.Token.RollingUpdatePeriod < 0 {
			errs = append(errs, fmt.Sprintf("spec.tokenConfig.rollingUpdatePeriod: Invalid value: %d: "+
				"spec.tokenConfig.rollingUpdatePeriod in body should be greater than or equal to 0", spec.Token.RollingUpdatePeriod))
		}
		errs.Supported("spec.tokenConfig.tokenGenMethod", spec.Token.TokenGenMethod, "RSA-GEN", "UID-RSA-GEN")
	}
	if spec.Transit != nil {
		errs.Supported("spec.transit.transitMethod", spec.Transit.TransitMethod, "THIRD-DOMAIN", "REVERSE-TUNNEL")
	}
	return errs.Text("ClusterDomainRoute", name)
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

func (r routeSpec) status() kuscia.RouteStatus {
	if r.Succeeded {
		return kuscia.RouteStatus{Status: "Succeeded"}
	}
	return kuscia.RouteStatus{Status: "Failed", Reason: r.Reason}
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
		return server.Refuse(codeRouteUnknown, server.LookupError(KindRoutes, routeName(request.Source, request.Destination)))
	}
	if r.Spec.AuthenticationType == authMTLS && r.Spec.MTLS == nil {
		return server.Crash("runtime error: invalid memory address or nil pointer dereference")
	}
	// The ends are those of the request, even if the name belongs to another
	// route.
	return server.Result(routeData{
		Name: r.Name, AuthenticationType: r.Spec.AuthenticationType, Source: request.Source, Destination: request.Destination,
		Endpoint: r.Spec.Endpoint, TokenConfig: r.Spec.Token, MTLSConfig: r.Spec.MTLS, Status: r.Spec.status(),
		Transit: r.Spec.Transit, BodyEncryption: r.Spec.BodyEncryption,
	})
}

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
			return server.Refuse(codeRouteUnknown, server.LookupError(KindRoutes, routeName(key.Source, key.Destination)))
		}
		list = append(list, kuscia.DomainRouteStatus{Name: r.Name, Destination: key.Destination, Source: key.Source, Status: r.Spec.status()})
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
	r := w.route(request.Source, request.Destination)
	if r == nil {
		return server.Refuse(codeRouteUnknown, server.LookupError(KindRoutes, routeName(request.Source, request.Destination)))
	}
	server.TableOf[routeSpec](w.ControlPlane).Remove(w.Engine, r)
	return server.Done()
}

// wakeRoute schedules the controller for a route: first it sets the keys, then
// the status.
func (w *Domains) wakeRoute(r *cluster.Record[routeSpec]) {
	routes := server.TableOf[routeSpec](w.ControlPlane)
	w.After(w.Timing.Reconcile, func() {
		if routes.Holds(r) {
			w.fillKeys(r)
		}
	})
	w.After(w.Timing.Reconcile+w.Timing.Apply/2, func() {
		if routes.Holds(r) {
			w.reconcileRoute(r)
		}
	})
}

// wakeRoutesOf schedules the controller for all routes of a domain.
func (w *Domains) wakeRoutesOf(domainID string) {
	for _, r := range server.TableOf[routeSpec](w.ControlPlane).All() {
		if r.Spec.Source == domainID || r.Spec.Destination == domainID {
			w.wakeRoute(r)
		}
	}
}

// fillKeys overwrites the keys of a route by those of the domains'
// certificates.
func (w *Domains) fillKeys(r *cluster.Record[routeSpec]) {
	if r.Spec.Token == nil {
		return
	}
	token := *r.Spec.Token
	for id, key := range map[string]*string{r.Spec.Source: &token.SourcePublicKey, r.Spec.Destination: &token.DestinationPublicKey} {
		if d := w.byID[id]; d != nil && d.cert != "" {
			*key = publicKeyOf(d.cert)
		}
	}
	if r.Spec.Source == r.Spec.Destination {
		token.SourcePublicKey = token.DestinationPublicKey
	}
	spec := r.Spec
	spec.Token = &token
	r.Set(w.Engine, spec)
}

// reconcileRoute writes the status of a route. It succeeds with a gateway at each
// end; in reality gateways and their certificates come with the nodes.
func (w *Domains) reconcileRoute(r *cluster.Record[routeSpec]) {
	if r.Spec.Imposed || !w.processed(r.Spec) {
		return
	}
	spec := r.Spec
	succeeded := w.hasGateway(spec.Source) && w.hasGateway(spec.Destination)
	if succeeded == spec.Succeeded && (succeeded || spec.Reason != "") {
		return
	}
	spec.Succeeded, spec.Reason = succeeded, ""
	if !succeeded {
		spec.Reason = w.routeReason("TokenNotGenerate", "DestinationIsNotAuthrized")
	}
	r.Set(w.Engine, spec)
}

// processed reports whether the controller sets a status for the route.
func (w *Domains) processed(spec routeSpec) bool {
	source := w.byID[spec.Source]
	if source == nil || source.role == DomainRolePartner || w.byID[spec.Destination] == nil {
		return false
	}
	switch spec.AuthenticationType {
	case authToken:
		return true
	case authMTLS:
		return spec.MTLS != nil && spec.MTLS.SourceClientCert != "" && spec.BodyEncryption == nil
	case authNone:
		return spec.BodyEncryption == nil
	default:
		return false
	}
}

func (w *Domains) routeReason(message, reason string) string {
	return fmt.Sprintf("LastUpdateAt=%s, Message=%s, Reason:%s", w.Now().UTC().Truncate(time.Second), message, reason)
}
