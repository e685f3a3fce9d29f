package sandbox

import (
	"fmt"
	"maps"
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// DomainIDs are the ids of all domains, sorted, with that of the master.
func (s *Sandbox) DomainIDs() []string {
	w := s.world
	defer w.enter()()
	return slices.Sorted(maps.Keys(w.domains))
}

// Domain is what is stored of a domain, without its nodes and tokens.
func (s *Sandbox) Domain(id string) (kuscia.Domain, error) {
	w := s.world
	defer w.enter()()
	d := w.domains[id]
	if d == nil {
		return kuscia.Domain{}, fmt.Errorf("domain %q: %w", id, ErrUnknown)
	}
	return kuscia.Domain{DomainID: d.id, Role: d.role, Cert: d.cert, AuthCenter: d.auth, MasterDomainID: d.master}, nil
}
