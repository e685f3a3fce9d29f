package domain

import (
	"fmt"
	"maps"
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
)

// Store has the methods by which tests and demos access domains and their
// objects without the API.
type Store struct{ server *server.Node }

// NewStore returns access to the domains of a node.
func NewStore(s *server.Node) *Store { return &Store{server: s} }

// DomainIDs are the sorted ids of all domains, including that of the master.
func (s *Store) DomainIDs() []string {
	defer s.server.ControlPlane.Acquire()()
	w := Of(s.server.ControlPlane)
	return slices.Sorted(maps.Keys(w.byID))
}

// Domain is a stored domain, without its nodes and tokens.
func (s *Store) Domain(id string) (kuscia.Domain, error) {
	defer s.server.ControlPlane.Acquire()()
	w := Of(s.server.ControlPlane)
	d := w.byID[id]
	if d == nil {
		return kuscia.Domain{}, fmt.Errorf("domain %q: %w", id, server.ErrUnknown)
	}
	return kuscia.Domain{DomainID: d.id, Role: d.role, Cert: d.cert, AuthCenter: d.auth, MasterDomainID: d.master}, nil
}

// RouteToken returns the stored token configuration of a route, nil for a route
// without tokens, or ErrUnknown.
func (s *Store) RouteToken(source, destination string) (*kuscia.RouteTokenConfig, error) {
	defer s.server.ControlPlane.Acquire()()
	w := Of(s.server.ControlPlane)
	r := w.route(source, destination)
	if r == nil || r.Spec.Source != source {
		return nil, fmt.Errorf("route %q: %w", routeName(source, destination), server.ErrUnknown)
	}
	token := r.Spec.Token
	if token == nil {
		return nil, nil //nolint:nilnil // such a route has none
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
	w := Of(s.server.ControlPlane)
	value, ok = w.configOf(s.server.OwnDomain()).entries[key]
	return value, ok
}

// PutConfigValue stores a value without the API, also in the cache.
func (s *Store) PutConfigValue(key, value string) {
	defer s.server.ControlPlane.Acquire()()
	w := Of(s.server.ControlPlane)
	c := w.configOf(s.server.OwnDomain())
	c.entries[key], c.cache[key] = value, value
}

// DomainDataNames are the stored names of all domain data of a domain, by id.
func (s *Store) DomainDataNames(domainID string) map[string]string {
	return described(s, domainID, func(spec DataSpec) string { return spec.Name })
}

// DataSourceNames are the names of all data sources of a domain, by id.
func (s *Store) DataSourceNames(domainID string) map[string]string {
	return described(s, domainID, func(spec SourceSpec) string { return spec.Name })
}

// GrantFlows are the flow ids in the limits of a domain's grants, by the id of
// the grant.
func (s *Store) GrantFlows(domainID string) map[string]string {
	return described(s, domainID, func(spec GrantSpec) string {
		if spec.Limit == nil {
			return ""
		}
		return spec.Limit.FlowID
	})
}

// described returns a text about each object of a kind in a domain.
func described[T any](s *Store, domainID string, text func(T) string) map[string]string {
	defer s.server.ControlPlane.Acquire()()
	w := Of(s.server.ControlPlane)
	out := map[string]string{}
	for key, r := range server.TableOf[T](w.ControlPlane).Records {
		if key.Namespace == domainID {
			out[key.Name] = text(r.Spec)
		}
	}
	return out
}

// RegisterNode simulates the first report of a node to a domain, or a change of
// its state; the domain shows it some time later.
func (s *Store) RegisterNode(domainID, name string, ready bool) error {
	defer s.server.ControlPlane.Acquire()()
	w := Of(s.server.ControlPlane)
	d := w.byID[domainID]
	if d == nil {
		return fmt.Errorf("domain %q: %w", domainID, server.ErrUnknown)
	}
	delay := w.Steps(nodeSynced)
	node := d.node(name)
	if node == nil {
		delay = w.Steps(nodeSeen)
		node = &domainNode{name: name, status: nodeStatus{Name: name}}
		d.registered = append(d.registered, node)
	}
	node.ready = ready
	w.After(delay, func() { w.showNode(node) })
	w.wakeRoutesOf(domainID)
	return nil
}

// JoinNode simulates the start of a lite node of the domain: it sets its certificate unless
// there is one, uses a deploy token, becomes Ready, and creates the default data source. A
// node that joins again keeps its objects.
func (s *Store) JoinNode(domainID string) error {
	defer s.server.ControlPlane.Acquire()()
	w := Of(s.server.ControlPlane)
	d := w.byID[domainID]
	if d == nil {
		return fmt.Errorf("domain %q: %w", domainID, server.ErrUnknown)
	}
	return w.join(d)
}

// StartNode is JoinNode for the node that a server simulates, as starting a sandbox with
// Options.Lite does. It waits for JoinWithToken if its domain does not exist. Once it has
// joined, it joins again when its domain is deleted and created again.
func (s *Store) StartNode(domainID string) error {
	defer s.server.ControlPlane.Acquire()()
	w := Of(s.server.ControlPlane)
	d := w.byID[domainID]
	w.simulated[domainID] = d != nil
	if d == nil {
		return nil
	}
	return w.join(d)
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
	for id, d := range w.byID {
		i := slices.IndexFunc(d.tokens, func(one deployToken) bool { return one.Token == token })
		if i < 0 || d.tokenFrom.After(w.Now()) {
			continue
		}
		if !d.withNode { // it uses this token
			d.tokens[0], d.tokens[i] = d.tokens[i], d.tokens[0]
		}
		if _, simulated := w.simulated[id]; simulated {
			w.simulated[id] = true
		}
		return id, w.join(d)
	}
	return "", fmt.Errorf("deploy token: %w", server.ErrUnknown)
}

func (w *Domains) join(d *domain) error {
	if d.role != "" {
		return fmt.Errorf("domain %q is run by another cluster", d.id)
	}
	if d.cert == "" {
		files, err := server.MakeCertificates()
		if err != nil {
			return err
		}
		d.cert = encodePEM(files[server.FileServerCert])
		if err := w.write(d); err != nil {
			return err
		}
	}
	if !d.withNode {
		d.withNode, d.nodeSince = true, w.Now()
		if i := slices.IndexFunc(d.tokens, func(token deployToken) bool { return token.State == tokenUnused }); i >= 0 {
			d.tokens[i].State = tokenUsed
		}
		w.addToken(d, w.Timing.Apply)
	}
	w.AddDefaultDataSource(d.id)
	w.wakeRoutesOf(d.id)
	return nil
}

// SetRouteStatus sets what the gateways of a route report: success, or a
// failure with this reason, such as DestinationUnreachable.
func (s *Store) SetRouteStatus(source, destination string, succeeded bool, reason string) error {
	defer s.server.ControlPlane.Acquire()()
	w := Of(s.server.ControlPlane)
	r := w.route(source, destination)
	if r == nil {
		return fmt.Errorf("route %q: %w", routeName(source, destination), server.ErrUnknown)
	}
	spec := r.Spec
	spec.Imposed, spec.Succeeded, spec.Reason = true, succeeded, ""
	if !succeeded {
		spec.Reason = w.routeReason(reason, reason)
	}
	r.Set(w.Engine, spec)
	return nil
}
