package domain

import (
	"reflect"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// routeChanged is the beginning of a pass of the controller of routes.
func (w *Domains) routeChanged(before, after *objects.ClusterDomainRoute) {
	switch {
	case after == nil:
		for _, copied := range w.copies.With("", routeLabels(before)) {
			if copied.IsOwnedBy(before.UID) {
				_ = w.copies.Delete(copied.Namespace, copied.Name) // another client was faster
			}
		}
	case before == nil || before.UID != after.UID || before.Generation != after.Generation:
		w.wakeRoute(after)
	}
}

// wakeRoute schedules the controller for a route: first it sets the keys and makes the
// copies, then the status.
func (w *Domains) wakeRoute(route *objects.ClusterDomainRoute) {
	w.Reconcile(w.Timing.Reconcile, func() {
		if r := w.routes.Current(route); r != nil {
			w.fillKeys(r)
		}
	})
	w.Reconcile(w.Timing.Reconcile+w.Timing.Apply/2, func() {
		if r := w.routes.Current(route); r != nil {
			w.reconcileRoute(r)
		}
	})
}

// wakeRoutesOf schedules the controller for all routes of a domain.
func (w *Domains) wakeRoutesOf(domainID string) {
	for _, r := range w.routes.List("") {
		if r.Spec.Source == domainID || r.Spec.Destination == domainID {
			w.wakeRoute(r)
		}
	}
}

func routeLabels(r *objects.ClusterDomainRoute) map[string]string {
	return map[string]string{objects.LabelRouteSource: r.Spec.Source, objects.LabelRouteDestination: r.Spec.Destination}
}

// fillKeys overwrites the keys of a route by those of the domains' certificates, and copies
// it to its domains. An old controller crashes because of a route without a token
// configuration, and all others with it.
func (w *Domains) fillKeys(r *objects.ClusterDomainRoute) {
	if r.Spec.TokenConfig == nil && !w.Version.Has(versions.RouteWithoutToken) {
		w.EndControllers()
		return
	}
	for name, value := range routeLabels(r) {
		r.Label(name, value)
	}
	source, destination := w.domain(r.Spec.Source), w.domain(r.Spec.Destination)
	if r.Spec.TokenConfig != nil {
		token := *r.Spec.TokenConfig
		for key, d := range map[*string]*objects.Domain{&token.SourcePublicKey: source, &token.DestinationPublicKey: destination} {
			if d != nil && d.Spec.Cert != "" {
				*key = publicKeyOf(d.Spec.Cert)
			}
		}
		r.Spec.TokenConfig = &token
	}
	if w.routes.Update(r) != nil {
		return // it has changed, and is seen again
	}
	again := false
	for _, d := range []*objects.Domain{source, destination} {
		if d != nil && d.Spec.Role == "" && !strings.Contains(d.Name, ".") {
			again = w.copyRoute(r, d.Name) || again
		}
	}
	if r = w.routes.Current(r); again && r != nil && len(r.Status.TokenStatus) > 0 {
		r.Status.TokenStatus = nil
		_ = w.setReady(r, false, tokenNotGenerated, notAuthorized) // after a conflict it is seen again
	}
}

// copyRoute makes the copy of a route for a domain, or brings it up to date. again is set if it is made
// again, as for another endpoint, where it has no token then (read in Kuscia's source, not recorded).
func (w *Domains) copyRoute(r *objects.ClusterDomainRoute, namespace string) (again bool) {
	copied := w.copies.Get(namespace, r.Name)
	switch {
	case copied == nil:
	case !copied.IsOwnedBy(r.UID) || reflect.DeepEqual(copied.Spec, r.Spec):
		return false
	case reflect.DeepEqual(copied.Spec.Endpoint, r.Spec.Endpoint) && sameKeys(copied.Spec.TokenConfig, r.Spec.TokenConfig):
		copied.Spec = r.Spec
		_ = w.copies.Update(copied)
		return false
	default:
		again = w.copies.Delete(namespace, r.Name) == nil
	}
	copied = &objects.DomainRoute{
		Meta: objects.Meta{Namespace: namespace, Name: r.Name, Labels: r.Labels, OwnerReferences: objects.OwnedBy(r)}, Spec: r.Spec,
	}
	_ = w.copies.Create(copied) // another client was faster
	return again
}

// sameKeys reports whether two copies can have the same token.
func sameKeys(a, b *objects.RouteTokenConfig) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.SourcePublicKey == b.SourcePublicKey && a.DestinationPublicKey == b.DestinationPublicKey
}

// Values of a condition.
const (
	conditionTrue  = "True"
	conditionFalse = "False"
)

// The message and the reason of a route without a token.
const (
	tokenNotGenerated = "TokenNotGenerate"
	notAuthorized     = "DestinationIsNotAuthrized"
)

// reconcileRoute writes the status of a route. It succeeds with a gateway at each
// end; in reality gateways and their certificates come with the nodes. What a gateway has
// reported remains.
func (w *Domains) reconcileRoute(r *objects.ClusterDomainRoute) {
	if isReported(r) || !w.processed(r.Spec) {
		return
	}
	succeeded := hasGateway(w.domain(r.Spec.Source)) && hasGateway(w.domain(r.Spec.Destination))
	if ready := r.Status.Ready(); ready == nil || (ready.Status == conditionTrue) != succeeded {
		r.Status.TokenStatus = nil
		if copied := w.copies.Get(r.Spec.Source, r.Name); succeeded && r.Spec.AuthenticationType == authToken && copied != nil {
			r.Status.TokenStatus = tokenStatus(copied.UID)
		}
		_ = w.setReady(r, succeeded, tokenNotGenerated, notAuthorized) // after a conflict it is seen again
	}
}

// reportedToken is the token of a route whose status a test has set.
const reportedToken = "reported"

func isReported(r *objects.ClusterDomainRoute) bool {
	return reflect.DeepEqual(r.Status.TokenStatus["sourceTokens"], tokenStatus(reportedToken)["sourceTokens"])
}

// tokenStatus is the status of a route whose gateways have agreed on a token.
func tokenStatus(token string) map[string]any {
	return map[string]any{"sourceTokens": []any{map[string]any{"isReady": true, "token": token}}}
}

// setReady writes the condition of a route.
func (w *Domains) setReady(r *objects.ClusterDomainRoute, succeeded bool, message, reason string) error {
	condition := objects.Condition{
		Type: objects.RouteReady, Status: conditionTrue, LastUpdateTime: w.Now().UTC(), LastTransitionTime: w.Now().UTC(), Message: "Success",
	}
	if !succeeded {
		condition.Status, condition.Message, condition.Reason = conditionFalse, message, reason
	}
	r.Status.Conditions = []objects.Condition{condition}
	return w.routes.UpdateStatus(r)
}

// processed reports whether the controller sets a status for the route.
func (w *Domains) processed(spec objects.RouteSpec) bool {
	source := w.domain(spec.Source)
	if source == nil || source.Spec.Role == DomainRolePartner || w.domain(spec.Destination) == nil {
		return false
	}
	switch spec.AuthenticationType {
	case authToken:
		return true
	case authMTLS:
		return spec.MTLSConfig != nil && spec.MTLSConfig.SourceClientCert != "" && spec.BodyEncryption == nil
	case authNone:
		return spec.BodyEncryption == nil
	default:
		return false
	}
}
