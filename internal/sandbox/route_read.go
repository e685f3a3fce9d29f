package sandbox

import (
	"fmt"
	"regexp"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// routeHost is the store's pattern of hosts, as it appears in its complaint.
const routeHost = `^$|^(?:(?:25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)\.){3}(?:25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)$|` +
	`^(([a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9\-]*[a-zA-Z0-9])\.)*([A-Za-z0-9]|[A-Za-z0-9][A-Za-z0-9\-]*[A-Za-z0-9])$`

var routeHostRule = regexp.MustCompile(routeHost)

// checkStoredRoute is the store's complaint about a route.
func checkStoredRoute(name string, request *CreateDomainRouteRequest, spec routeSpec) string {
	var errs fieldErrors
	if request.BodyEncryption != nil {
		errs.supported("spec.bodyEncryption.algorithm", request.BodyEncryption.Algorithm, "AES", "SM4")
	}
	if !routeHostRule.MatchString(spec.Endpoint.Host) {
		errs = append(errs, fmt.Sprintf("spec.endpoint.host: Invalid value: %q: spec.endpoint.host in body should match '%s'", spec.Endpoint.Host, routeHost))
	}
	if spec.Token != nil {
		if spec.Token.RollingUpdatePeriod < 0 {
			errs = append(errs, fmt.Sprintf("spec.tokenConfig.rollingUpdatePeriod: Invalid value: %d: "+
				"spec.tokenConfig.rollingUpdatePeriod in body should be greater than or equal to 0", spec.Token.RollingUpdatePeriod))
		}
		errs.supported("spec.tokenConfig.tokenGenMethod", spec.Token.TokenGenMethod, "RSA-GEN", "UID-RSA-GEN")
	}
	if spec.Transit != nil {
		errs.supported("spec.transit.transitMethod", spec.Transit.TransitMethod, "THIRD-DOMAIN", "REVERSE-TUNNEL")
	}
	return errs.text("ClusterDomainRoute", name)
}

// routeData is a route in an answer.
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

func queryRoute(s *Server, from caller, request *QueryDomainRouteRequest) answer {
	w := domainsOf(s.World)
	defer w.Enter()()
	if complaint := checkRouteKey(request.Source, request.Destination); complaint != "" {
		return refuseData(codeValidate, complaint)
	}
	if from.domain != "" && from.domain != request.Source && from.domain != request.Destination {
		return refuseData(codeAuthFailed, fmt.Sprintf("domain's kusciaAPI could only query DomainRoute with itself, domain:%s ,destination:%s,source:%s",
			from.domain, request.Destination, request.Source))
	}
	r := w.route(request.Source, request.Destination)
	if r == nil {
		return refuseData(codeRouteUnknown, lookupError(kindRoutes, routeName(request.Source, request.Destination)))
	}
	if r.spec.AuthenticationType == authMTLS && r.spec.MTLS == nil {
		return crash("runtime error: invalid memory address or nil pointer dereference")
	}
	// The ends are those that were asked, whoever else has this name.
	return result(routeData{
		Name: r.name, AuthenticationType: r.spec.AuthenticationType, Source: request.Source, Destination: request.Destination,
		Endpoint: r.spec.Endpoint, TokenConfig: r.spec.Token, MTLSConfig: r.spec.MTLS, Status: r.spec.status(),
		Transit: r.spec.Transit, BodyEncryption: r.spec.BodyEncryption,
	})
}

func batchQueryRouteStatus(s *Server, _ caller, request *BatchQueryDomainRouteStatusRequest) answer {
	w := domainsOf(s.World)
	defer w.Enter()()
	if len(request.RouteKeys) == 0 {
		return refuseData(codeValidate, "DomainRoute keys can not be empty")
	}
	list := make([]kuscia.DomainRouteStatus, 0, len(request.RouteKeys))
	for _, key := range request.RouteKeys {
		if complaint := checkRouteKey(key.Source, key.Destination); complaint != "" {
			return refuseData(codeValidate, complaint)
		}
		r := w.route(key.Source, key.Destination)
		if r == nil {
			return refuseData(codeRouteUnknown, lookupError(kindRoutes, routeName(key.Source, key.Destination)))
		}
		list = append(list, kuscia.DomainRouteStatus{Name: r.name, Destination: key.Destination, Source: key.Source, Status: r.spec.status()})
	}
	return result(struct {
		Routes []kuscia.DomainRouteStatus `json:"routes"`
	}{list})
}

func deleteRoute(s *Server, from caller, request *DeleteDomainRouteRequest) answer {
	w := domainsOf(s.World)
	defer w.Enter()()
	if complaint := checkRouteKey(request.Source, request.Destination); complaint != "" {
		return refuse(codeValidate, complaint)
	}
	if complaint := routeWritable(from, request.Destination); complaint != "" {
		return refuse(codeAuthFailed, complaint)
	}
	r := w.route(request.Source, request.Destination)
	if r == nil {
		return refuse(codeRouteUnknown, lookupError(kindRoutes, routeName(request.Source, request.Destination)))
	}
	tableOf[routeSpec](w.World).remove(w.Engine, r)
	return done()
}

// wakeRoute lets the controller look at a route: first it fills in the keys,
// then it makes the status.
func (w *Domains) wakeRoute(r *record[routeSpec]) {
	routes := tableOf[routeSpec](w.World)
	w.After(w.Timing.Reconcile, func() {
		if routes.holds(r) {
			w.fillKeys(r)
		}
	})
	w.After(w.Timing.Reconcile+w.Timing.Apply/2, func() {
		if routes.holds(r) {
			w.judgeRoute(r)
		}
	})
}

// wakeRoutesOf lets the controller look at all routes of a domain.
func (w *Domains) wakeRoutesOf(domainID string) {
	for _, r := range tableOf[routeSpec](w.World).all() {
		if r.spec.Source == domainID || r.spec.Destination == domainID {
			w.wakeRoute(r)
		}
	}
}

// fillKeys overwrites the keys of a route by those of the domains' certificates.
func (w *Domains) fillKeys(r *record[routeSpec]) {
	if r.spec.Token == nil {
		return
	}
	token := *r.spec.Token
	for id, key := range map[string]*string{r.spec.Source: &token.SourcePublicKey, r.spec.Destination: &token.DestinationPublicKey} {
		if d := w.byID[id]; d != nil && d.cert != "" {
			*key = publicKeyOf(d.cert)
		}
	}
	if r.spec.Source == r.spec.Destination {
		token.SourcePublicKey = token.DestinationPublicKey
	}
	spec := r.spec
	spec.Token = &token
	r.set(w.Engine, spec)
}

// judgeRoute writes the status of a route. A gateway at each end makes it
// succeed; in life it is the nodes that bring gateways, and their certificates
// too.
func (w *Domains) judgeRoute(r *record[routeSpec]) {
	if r.spec.Imposed || !w.processed(r.spec) {
		return
	}
	spec := r.spec
	succeeded := w.hasGateway(spec.Source) && w.hasGateway(spec.Destination)
	if succeeded == spec.Succeeded && (succeeded || spec.Reason != "") {
		return
	}
	spec.Succeeded, spec.Reason = succeeded, ""
	if !succeeded {
		spec.Reason = w.routeReason("TokenNotGenerate", "DestinationIsNotAuthrized")
	}
	r.set(w.Engine, spec)
}

// processed tells which routes the controller gives a status at all.
func (w *Domains) processed(spec routeSpec) bool {
	source := w.byID[spec.Source]
	if source == nil || source.role == domainRolePartner || w.byID[spec.Destination] == nil {
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
