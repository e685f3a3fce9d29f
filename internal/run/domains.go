package run

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// DomainSource queries domains; *kuscia.Client implements it. Batch responses
// have no deploy tokens, which are not needed, and a lite node returns other
// domains only in them.
type DomainSource interface {
	BatchQueryDomains(ctx context.Context, ids []string) ([]kuscia.Domain, error)
}

// DomainCache caches domains: many servings have the same parties. It is safe
// for concurrent use.
type DomainCache struct {
	responses *cache[*kuscia.Domain]
	// objects are the objects that this run plans.
	objects *Objects
	// roles are the roles that this run is going to give to domains; "unknown" for one that is
	// not known yet.
	roles sync.Map
}

// UnknownRole is the planned role of a domain that is known only after apply.
const UnknownRole = "unknown"

// missingDomainKept is how long a missing or refused domain is cached: long
// enough for a plan of many servings to query it once, and short enough for a
// domain that is created outside of Terraform during the apply.
const missingDomainKept = 30 * time.Second

// NewDomainCache returns an empty cache.
func NewDomainCache(source DomainSource, objects *Objects) *DomainCache {
	together := &batcher[kuscia.Domain]{query: source.BatchQueryDomains}
	responses := newCache(func(ctx context.Context, id string) (*kuscia.Domain, error) {
		domain, err := together.get(ctx, id)
		if err != nil {
			return nil, err
		}
		return &domain, nil
	})
	responses.keepError = keepRefusal
	return &DomainCache{responses: responses, objects: objects}
}

// Get returns a domain, or an error that is kuscia.ErrNotFound. A domain that
// this run is going to create or keep is returned with the role that the plan gives it,
// without a request.
func (c *DomainCache) Get(ctx context.Context, id string) (*kuscia.Domain, error) {
	if c.IsPlanned(id) {
		role, _ := c.roles.Load(id)
		planned, _ := role.(string)
		return &kuscia.Domain{DomainID: id, Role: planned}, nil
	}
	return c.responses.get(ctx, id)
}

// Current returns a domain with the role and the certificate that the server has, also
// if this run is going to keep it. For a domain that the server does not have it is Get.
func (c *DomainCache) Current(ctx context.Context, id string) (*kuscia.Domain, error) {
	domain, err := c.responses.get(ctx, id)
	if errors.Is(err, kuscia.ErrNotFound) {
		return c.Get(ctx, id)
	}
	return domain, err
}

// IsPartner reports whether a domain belongs to another control plane, as far as the server
// has it now. A node that refuses to return domains has no control plane of its own.
func (c *DomainCache) IsPartner(ctx context.Context, id string) (bool, error) {
	domain, err := c.Current(ctx, id)
	switch {
	case errors.Is(err, kuscia.ErrUnauthorized), errors.Is(err, kuscia.ErrUnsupported):
		return false, nil
	case err != nil:
		return false, err
	}
	return domain.Role == kuscia.DomainRolePartner, nil
}

// PlannedRole returns the role that this run gives a domain. ok is false if it plans none.
func (c *DomainCache) PlannedRole(id string) (role string, ok bool) {
	if c == nil {
		return "", false
	}
	planned, ok := c.roles.Load(id)
	role, _ = planned.(string)
	return role, ok
}

// RecordRole records the planned role of a domain.
func (c *DomainCache) RecordRole(id, role string) { c.roles.Store(id, role) }

// ChangesRole reports whether this run is going to give a domain another role, or one that
// is known only after apply.
func (c *DomainCache) ChangesRole(ctx context.Context, id string) bool {
	role, planned := c.roles.Load(id)
	if !planned {
		return false
	}
	domain, err := c.responses.get(ctx, id)
	if errors.Is(err, kuscia.ErrNotFound) {
		return role == UnknownRole
	}
	return err != nil || domain.Role != role
}

// IsPlanned reports whether this run is going to create or keep a domain.
func (c *DomainCache) IsPlanned(id string) bool {
	return c.objects.Is(TypeDomain, id, Planned)
}

// Forget removes a domain from the cache, after it was created, changed or
// deleted.
func (c *DomainCache) Forget(id string) {
	c.roles.Delete(id)
	c.responses.forget(id)
}
