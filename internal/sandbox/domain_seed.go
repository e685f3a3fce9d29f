package sandbox

import (
	"fmt"
	"maps"
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// DomainStore is what tests and demos do with domains, and with what is in
// them, beside the API.
type DomainStore struct{ server *Server }

// NewDomainStore gives access to the domains that a server has.
func NewDomainStore(s *Server) *DomainStore { return &DomainStore{server: s} }

// DomainIDs are the ids of all domains, sorted, with that of the master.
func (s *DomainStore) DomainIDs() []string {
	w := domainsOf(s.server.World)
	defer w.Enter()()
	return slices.Sorted(maps.Keys(w.byID))
}

// Domain is what is stored of a domain, without its nodes and tokens.
func (s *DomainStore) Domain(id string) (kuscia.Domain, error) {
	w := domainsOf(s.server.World)
	defer w.Enter()()
	d := w.byID[id]
	if d == nil {
		return kuscia.Domain{}, fmt.Errorf("domain %q: %w", id, ErrUnknown)
	}
	return kuscia.Domain{DomainID: d.id, Role: d.role, Cert: d.cert, AuthCenter: d.auth, MasterDomainID: d.master}, nil
}

// RouteToken returns how the tokens of a route are made, as it is stored, nil
// for a route without tokens, or ErrUnknown.
func (s *DomainStore) RouteToken(source, destination string) (*kuscia.RouteTokenConfig, error) {
	w := domainsOf(s.server.World)
	defer w.Enter()()
	r := w.route(source, destination)
	if r == nil || r.spec.Source != source {
		return nil, fmt.Errorf("route %q: %w", routeName(source, destination), ErrUnknown)
	}
	token := r.spec.Token
	if token == nil {
		return nil, nil //nolint:nilnil // such a route has none
	}
	return &kuscia.RouteTokenConfig{
		TokenGenMethod: token.TokenGenMethod, RollingUpdatePeriod: kuscia.Int64(token.RollingUpdatePeriod),
		SourcePublicKey: token.SourcePublicKey, DestinationPublicKey: token.DestinationPublicKey,
	}, nil
}

// ConfigValue is the value of a key of the sandbox's own configuration as it is
// stored, whatever the cache shows, and whether there is one.
func (s *DomainStore) ConfigValue(key string) (value string, ok bool) {
	w := domainsOf(s.server.World)
	defer w.Enter()()
	value, ok = w.configOf(s.server.ownDomain()).entries[key]
	return value, ok
}

// PutConfigValue stores a value behind the API's back, in the cache too.
func (s *DomainStore) PutConfigValue(key, value string) {
	w := domainsOf(s.server.World)
	defer w.Enter()()
	c := w.configOf(s.server.ownDomain())
	c.entries[key], c.cache[key] = value, value
}

// DomainDataNames are the names of all domain data of a domain by their ids, as
// they are stored.
func (s *DomainStore) DomainDataNames(domainID string) map[string]string {
	return described(s, domainID, func(spec dataSpec) string { return spec.Name })
}

// DataSourceNames are the names of all data sources of a domain by their ids.
func (s *DomainStore) DataSourceNames(domainID string) map[string]string {
	return described(s, domainID, func(spec sourceSpec) string { return spec.Name })
}

// GrantFlows are the flows that the grants of a domain are limited to, by the
// ids of the grants.
func (s *DomainStore) GrantFlows(domainID string) map[string]string {
	return described(s, domainID, func(spec grantSpec) string {
		if spec.Limit == nil {
			return ""
		}
		return spec.Limit.FlowID
	})
}

// described is a text about each object of a kind in a domain.
func described[T any](s *DomainStore, domainID string, text func(T) string) map[string]string {
	w := domainsOf(s.server.World)
	defer w.Enter()()
	out := map[string]string{}
	for key, r := range tableOf[T](w.World).records {
		if key.namespace == domainID {
			out[key.name] = text(r.spec)
		}
	}
	return out
}

// RegisterNode lets a node report to a domain for the first time, or change its
// state; the domain shows it some time later.
func (s *DomainStore) RegisterNode(domainID, name string, ready bool) error {
	w := domainsOf(s.server.World)
	defer w.Enter()()
	d := w.byID[domainID]
	if d == nil {
		return fmt.Errorf("domain %q: %w", domainID, ErrUnknown)
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

// JoinNode lets a lite node of the domain start and register, as starting a
// sandbox with Options.Lite does: it brings its certificate unless there is one,
// uses a deploy token, becomes Ready, and makes the default data source. A node
// that joins again keeps what it has.
func (s *DomainStore) JoinNode(domainID string) error {
	w := domainsOf(s.server.World)
	defer w.Enter()()
	d := w.byID[domainID]
	switch {
	case d == nil:
		return fmt.Errorf("domain %q: %w", domainID, ErrUnknown)
	case d.role != "":
		return fmt.Errorf("domain %q is run by another cluster", domainID)
	}
	if d.cert == "" {
		files, err := makeCertificates()
		if err != nil {
			return err
		}
		d.cert = encodePEM(files[fileServerCert])
	}
	if !d.withNode {
		d.withNode, d.nodeSince = true, w.Now()
		if i := slices.IndexFunc(d.tokens, func(token deployToken) bool { return token.State == tokenUnused }); i >= 0 {
			d.tokens[i].State = tokenUsed
		}
		w.addToken(d, w.Timing.Apply)
	}
	w.addDefaultDataSource(domainID)
	w.wakeRoutesOf(domainID)
	return nil
}

// SetRouteStatus imposes what the gateways of a route report: success, or a
// failure with this reason, such as DestinationUnreachable.
func (s *DomainStore) SetRouteStatus(source, destination string, succeeded bool, reason string) error {
	w := domainsOf(s.server.World)
	defer w.Enter()()
	r := w.route(source, destination)
	if r == nil {
		return fmt.Errorf("route %q: %w", routeName(source, destination), ErrUnknown)
	}
	spec := r.spec
	spec.Imposed, spec.Succeeded, spec.Reason = true, succeeded, ""
	if !succeeded {
		spec.Reason = w.routeReason(reason, reason)
	}
	r.set(w.Engine, spec)
	return nil
}
