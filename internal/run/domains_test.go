package run

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

type domainSource struct {
	asked atomic.Int32
	err   error
	role  string
}

func (s *domainSource) BatchQueryDomains(_ context.Context, ids []string) ([]kuscia.Domain, error) {
	s.asked.Add(1)
	if s.err != nil {
		return nil, s.err
	}
	var domains []kuscia.Domain
	for _, id := range ids {
		domains = append(domains, kuscia.Domain{DomainID: id, Role: s.role})
	}
	return domains, nil
}

// TestDomainCache: a domain is queried once; that it is missing is cached for
// the duration of a plan, not of a whole apply.
func TestDomainCache(t *testing.T) {
	for name, test := range map[string]struct {
		err   error
		asked int32 // requests for three concurrent calls, and one a minute later
	}{
		"there":                   {nil, 1},
		"not there":               {kuscia.ErrNotFound, 2},
		"the node may not say":    {kuscia.ErrUnauthorized, 2},
		"the node does not say":   {kuscia.ErrUnsupported, 2},
		"no answer this time":     {kuscia.ErrUnavailable, 4},
		"an answer of other kind": {errors.New("other"), 4},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				source := &domainSource{err: test.err}
				cache := NewDomainCache(source, &Objects{})
				ask := func() {
					if _, err := cache.Get(t.Context(), "a"); !errors.Is(err, test.err) {
						t.Errorf("error is %v", err)
					}
				}
				for range 3 {
					ask()
				}
				time.Sleep(time.Minute)
				ask()
				if got := source.asked.Load(); got != test.asked {
					t.Errorf("%d requests, want %d", got, test.asked)
				}
			})
		})
	}
}

// TestDomainCacheCurrent: the role and the certificate of a domain that the plan keeps are
// those of the server.
func TestDomainCacheCurrent(t *testing.T) {
	t.Parallel()
	source := &domainSource{role: kuscia.DomainRolePartner}
	objects := &Objects{}
	cache := NewDomainCache(source, objects)
	objects.Record("kuscia_domain", "a", Planned)
	if domain, err := cache.Get(t.Context(), "a"); err != nil || domain.Role != "" || source.asked.Load() != 0 {
		t.Errorf("of the plan: %v, %v", domain, err)
	}
	if domain, err := cache.Current(t.Context(), "a"); err != nil || domain.Role != kuscia.DomainRolePartner {
		t.Errorf("of the server: %v, %v", domain, err)
	}
	objects.Record("kuscia_domain", "b", Planned)
	source.err = kuscia.ErrNotFound
	if domain, err := cache.Current(t.Context(), "b"); err != nil || domain.DomainID != "b" {
		t.Errorf("planned, and the server has none: %v, %v", domain, err)
	}
}
