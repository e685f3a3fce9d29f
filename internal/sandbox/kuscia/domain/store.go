package domain

import (
	"fmt"
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// Store has the methods by which tests and demos access domains and their
// objects without the API.
type Store struct{ server *server.Node }

// NewStore returns access to the domains of a node.
func NewStore(s *server.Node) *Store { return &Store{server: s} }

// DomainIDs are the sorted ids of all domains, including that of the master.
func (s *Store) DomainIDs() []string {
	defer s.server.ControlPlane.Acquire()()
	var ids []string
	for _, d := range Of(s.server.ControlPlane).domains.List("") {
		ids = append(ids, d.Name)
	}
	return ids
}

// Domain is a stored domain, without its nodes and tokens.
func (s *Store) Domain(id string) (shown kuscia.Domain, err error) {
	err = s.with(id, func(_ *Domains, d *objects.Domain) error {
		shown = kuscia.Domain{DomainID: d.Name, Role: d.Spec.Role, Cert: d.Spec.Cert, AuthCenter: (*AuthCenter)(d.Spec.AuthCenter), MasterDomainID: d.Spec.Master}
		return nil
	})
	return shown, err
}

// with calls a function with a domain, with the lock held.
func (s *Store) with(id string, do func(w *Domains, d *objects.Domain) error) error {
	defer s.server.ControlPlane.Acquire()()
	w := Of(s.server.ControlPlane)
	if d := w.domain(id); d != nil {
		return do(w, d)
	}
	return fmt.Errorf("domain %q: %w", id, server.ErrUnknown)
}

// RouteToken returns the stored token configuration of a route, nil for a route
// without tokens, or ErrUnknown.
func (s *Store) RouteToken(source, destination string) (*kuscia.RouteTokenConfig, error) {
	defer s.server.ControlPlane.Acquire()()
	r := Of(s.server.ControlPlane).route(source, destination)
	if r == nil || r.Spec.Source != source {
		return nil, fmt.Errorf("route %q: %w", routeName(source, destination), server.ErrUnknown)
	}
	token := r.Spec.TokenConfig
	if token == nil {
		return nil, nil // such a route has none
	}
	return &kuscia.RouteTokenConfig{
		TokenGenMethod: token.TokenGenMethod, RollingUpdatePeriod: kuscia.Int64(token.RollingUpdatePeriod),
		SourcePublicKey: token.SourcePublicKey, DestinationPublicKey: token.DestinationPublicKey,
	}, nil
}

// ConfigValue is the stored value of a key of the node's own configuration,
// regardless of the cache; ok is false if there is none.
func (s *Store) ConfigValue(key string) (value string, ok bool) {
	defer s.server.ControlPlane.Acquire()()
	domainID := s.server.OwnDomain()
	encrypted, ok := Of(s.server.ControlPlane).storedConfig(domainID).Data[key]
	value, _ = objects.Decrypt(domainID, encrypted)
	return value, ok
}

// PutConfigValue stores a value without the API, also in the cache.
func (s *Store) PutConfigValue(key, value string) {
	defer s.server.ControlPlane.Acquire()()
	w, domainID := Of(s.server.ControlPlane), s.server.OwnDomain()
	c := w.configOf(domainID)
	w.storeConfig(s.server, codeUpdateConfig, func(stored map[string]string) { stored[key] = objects.Encrypt(domainID, value) })
	c.data = w.storedConfig(domainID).Data
}

// DomainDataNames are the stored names of all domain data of a domain, by id.
func (s *Store) DomainDataNames(domainID string) map[string]string {
	return described(s, domainID, func(data *objects.DomainData) string { return data.Spec.Name })
}

// DataSourceNames are the names of all data sources of a domain, by id.
func (s *Store) DataSourceNames(domainID string) map[string]string {
	return described(s, domainID, func(source *objects.DomainDataSource) string { return source.Spec.Name })
}

// GrantFlows are the flow ids in the limits of a domain's grants, by the id of
// the grant.
func (s *Store) GrantFlows(domainID string) map[string]string {
	return described(s, domainID, func(grant *objects.DomainDataGrant) string { return deref(grant.Spec.Limit).FlowID })
}

// described returns a text about each object of a kind in a domain.
func described[T any](s *Store, domainID string, text func(*T) string) map[string]string {
	defer s.server.ControlPlane.Acquire()()
	out := map[string]string{}
	for _, object := range server.TableOf[T](s.server.ControlPlane).List(domainID) {
		out[objects.MetaOf(object).Name] = text(object)
	}
	return out
}

// RegisterNode simulates the first report of a node to a domain, or a change of
// its state; the domain shows it some time later.
func (s *Store) RegisterNode(domainID, name string, ready bool) error {
	return s.with(domainID, func(w *Domains, d *objects.Domain) error { return w.register(d, name, ready) })
}

// JoinNode simulates the start of a lite node of the domain: it sets its certificate unless
// there is one, uses a deploy token, becomes Ready, and creates the default data source. A
// node that joins again keeps its objects.
func (s *Store) JoinNode(domainID string) error {
	return s.with(domainID, func(w *Domains, d *objects.Domain) error { return w.join(d, "") })
}

// StartNode is JoinNode for the node that a server simulates, as starting a sandbox with
// Options.Lite does. It waits for JoinWithToken if its domain does not exist. Once it has
// joined, it joins again when its domain is deleted and created again.
func (s *Store) StartNode(domainID string) error {
	defer s.server.ControlPlane.Acquire()()
	w := Of(s.server.ControlPlane)
	d := w.domain(domainID)
	w.simulated[domainID] = d != nil
	if d == nil {
		return nil
	}
	return w.join(d, "")
}

// NodeWaits reports whether the node that a server simulates has not joined its domain yet.
func (s *Store) NodeWaits(domainID string) bool {
	defer s.server.ControlPlane.Acquire()()
	joined, simulated := Of(s.server.ControlPlane).simulated[domainID]
	return simulated && !joined
}

// StopNode ends the node that a server simulates: it joins no domain from then on.
func (s *Store) StopNode(domainID string) {
	defer s.server.ControlPlane.Acquire()()
	delete(Of(s.server.ControlPlane).simulated, domainID)
}

// JoinWithToken is JoinNode for the domain that a deploy token belongs to, which it
// returns. A used token is that of a node that starts again.
func (s *Store) JoinWithToken(token string) (domainID string, err error) {
	defer s.server.ControlPlane.Acquire()()
	w := Of(s.server.ControlPlane)
	for _, d := range w.domains.List("") {
		if !slices.ContainsFunc(d.Status.DeployTokenStatuses, func(one objects.DeployToken) bool { return one.Token == token }) {
			continue
		}
		if _, simulated := w.simulated[d.Name]; simulated {
			w.simulated[d.Name] = true
		}
		return d.Name, w.join(d, token)
	}
	return "", fmt.Errorf("deploy token: %w", server.ErrUnknown)
}

// SetRouteStatus sets what the gateways of a route report: success, or a
// failure with this reason, such as DestinationUnreachable.
func (s *Store) SetRouteStatus(source, destination string, succeeded bool, reason string) error {
	defer s.server.ControlPlane.Acquire()()
	w := Of(s.server.ControlPlane)
	for {
		r := w.route(source, destination)
		if r == nil {
			return fmt.Errorf("route %q: %w", routeName(source, destination), server.ErrUnknown)
		}
		r.Status.TokenStatus = tokenStatus(reportedToken)
		if err := w.setReady(r, succeeded, reason, reason); objects.ReasonOf(err) != objects.Conflict {
			return err
		} // a controller has written meanwhile
	}
}
