package sandbox

import (
	"fmt"
	"regexp"
	"time"
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

type (
	routeStatus struct {
		Status string `json:"status"`
		Reason string `json:"reason"`
	}
	routeData struct {
		Name               string               `json:"name"`
		AuthenticationType string               `json:"authentication_type"`
		Destination        string               `json:"destination"`
		Endpoint           routeEndpoint        `json:"endpoint"`
		Source             string               `json:"source"`
		TokenConfig        *routeToken          `json:"token_config"`
		MTLSConfig         *RouteMTLS           `json:"mtls_config"`
		Status             routeStatus          `json:"status"`
		Transit            *RouteTransit        `json:"transit"`
		BodyEncryption     *RouteBodyEncryption `json:"body_encryption"`
	}
	batchRouteStatus struct {
		Name        string      `json:"name"`
		Destination string      `json:"destination"`
		Source      string      `json:"source"`
		Status      routeStatus `json:"status"`
	}
)

func (r routeSpec) status() routeStatus {
	if r.Succeeded {
		return routeStatus{Status: "Succeeded"}
	}
	return routeStatus{Status: "Failed", Reason: r.Reason}
}

func (s *Sandbox) queryRoute(from caller, request *QueryDomainRouteRequest) answer {
	w := s.world
	defer w.enter()()
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

func (s *Sandbox) batchQueryRouteStatus(_ caller, request *BatchQueryDomainRouteStatusRequest) answer {
	w := s.world
	defer w.enter()()
	if len(request.RouteKeys) == 0 {
		return refuseData(codeValidate, "DomainRoute keys can not be empty")
	}
	list := make([]batchRouteStatus, 0, len(request.RouteKeys))
	for _, key := range request.RouteKeys {
		if complaint := checkRouteKey(key.Source, key.Destination); complaint != "" {
			return refuseData(codeValidate, complaint)
		}
		r := w.route(key.Source, key.Destination)
		if r == nil {
			return refuseData(codeRouteUnknown, lookupError(kindRoutes, routeName(key.Source, key.Destination)))
		}
		list = append(list, batchRouteStatus{Name: r.name, Destination: key.Destination, Source: key.Source, Status: r.spec.status()})
	}
	return result(struct {
		Routes []batchRouteStatus `json:"routes"`
	}{list})
}

func (s *Sandbox) deleteRoute(from caller, request *DeleteDomainRouteRequest) answer {
	w := s.world
	defer w.enter()()
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
	tableOf[routeSpec](w).remove(w, r)
	return done()
}

// wakeRoute lets the controller look at a route: first it fills in the keys,
// then it makes the status.
func (w *world) wakeRoute(r *record[routeSpec]) {
	routes := tableOf[routeSpec](w)
	w.after(w.timing.Reconcile, func() {
		if routes.holds(r) {
			w.fillKeys(r)
		}
	})
	w.after(w.timing.Reconcile+w.timing.Apply/2, func() {
		if routes.holds(r) {
			w.judgeRoute(r)
		}
	})
}

// wakeRoutesOf lets the controller look at all routes of a domain.
func (w *world) wakeRoutesOf(domainID string) {
	for _, r := range tableOf[routeSpec](w).all() {
		if r.spec.Source == domainID || r.spec.Destination == domainID {
			w.wakeRoute(r)
		}
	}
}

// fillKeys overwrites the keys of a route by those of the domains' certificates.
func (w *world) fillKeys(r *record[routeSpec]) {
	if r.spec.Token == nil {
		return
	}
	token := *r.spec.Token
	for id, key := range map[string]*string{r.spec.Source: &token.SourcePublicKey, r.spec.Destination: &token.DestinationPublicKey} {
		if d := w.domains[id]; d != nil && d.cert != "" {
			*key = publicKeyOf(d.cert)
		}
	}
	if r.spec.Source == r.spec.Destination {
		token.SourcePublicKey = token.DestinationPublicKey
	}
	spec := r.spec
	spec.Token = &token
	r.set(w, spec)
}

// judgeRoute writes the status of a route. A gateway at each end makes it
// succeed; in life it is the nodes that bring gateways, and their certificates
// too.
func (w *world) judgeRoute(r *record[routeSpec]) {
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
	r.set(w, spec)
}

// processed tells which routes the controller gives a status at all.
func (w *world) processed(spec routeSpec) bool {
	source := w.domains[spec.Source]
	if source == nil || source.role == domainRolePartner || w.domains[spec.Destination] == nil {
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

func (w *world) routeReason(message, reason string) string {
	return fmt.Sprintf("LastUpdateAt=%s, Message=%s, Reason:%s", w.now.UTC().Truncate(time.Second), message, reason)
}

// SetRouteStatus imposes what the gateways of a route report: success, or a
// failure with this reason, such as DestinationUnreachable.
func (s *Sandbox) SetRouteStatus(source, destination string, succeeded bool, reason string) error {
	w := s.world
	defer w.enter()()
	r := w.route(source, destination)
	if r == nil {
		return fmt.Errorf("route %q: %w", routeName(source, destination), ErrUnknown)
	}
	spec := r.spec
	spec.Imposed, spec.Succeeded, spec.Reason = true, succeeded, ""
	if !succeeded {
		spec.Reason = w.routeReason(reason, reason)
	}
	r.set(w, spec)
	return nil
}
