package run

import (
	"context"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// referencedDomains is a run whose only server has the domains of source.
func referencedDomains(source DomainSource) *Run {
	c := &Run{}
	c.Domains = NewDomainCache(source, &c.Objects)
	c.referenced = newReferenced(c)
	return c
}

// TestMissingNow: that an object was missing is shared in a plan, and does not count right before a
// request, nor for what an apply plans again; that it exists is shared. What this run plans counts
// in a plan only, what it has created also in the apply.
func TestMissingNow(t *testing.T) {
	t.Parallel()
	source := &domainSource{err: kuscia.ErrNotFound}
	c := referencedDomains(source)
	is := func(what string, missing func(context.Context, *ObjectKind, string) bool, want bool, asked int32) {
		t.Helper()
		if got := missing(t.Context(), DomainObjects, "a"); got != want {
			t.Errorf("%s: missing is %t", what, got)
		}
		if got := source.asked.Swap(0); got != asked {
			t.Errorf("%s: %d requests, want %d", what, got, asked)
		}
	}
	is("the first plan", c.IsMissing, true, 1)
	is("another plan", c.IsMissing, true, 0)
	is("an apply", c.IsMissingNow, true, 1)
	c.Objects.Record(TypeDomain, "a", Planned)
	is("planned", c.IsMissing, false, 0)
	is("planned, in the apply", c.IsMissingNow, true, 1)
	c.Objects.Forget(TypeDomain, "a", Planned)
	c.CountWrite()
	is("a plan after a write", c.IsMissing, true, 1)
	source.err = nil // another process creates it
	is("created by another process", c.IsMissingNow, false, 1)
	is("another apply", c.IsMissingNow, false, 0)

	c = referencedDomains(source)
	c.Objects.Record(TypeDomain, "a", Exists)
	is("created by this process", c.IsMissingNow, false, 0)

	source.err = kuscia.ErrUnauthorized
	c = referencedDomains(source)
	is("a node that may not say", c.IsMissingNow, false, 1)
	is("such a node again", c.IsMissingNow, false, 0)
}

// slowDomains answers a request that it got before a domain was created.
type slowDomains struct {
	asked, answers chan struct{}
	exists         bool
}

func (s *slowDomains) BatchQueryDomains(context.Context, []string) ([]kuscia.Domain, error) {
	exists := s.exists
	s.asked <- struct{}{}
	<-s.answers
	if !exists {
		return nil, kuscia.ErrNotFound
	}
	return []kuscia.Domain{{DomainID: "a"}}, nil
}

// TestMissingWhileAsked: a check does not share the answer to a request from before the object
// was created.
func TestMissingWhileAsked(t *testing.T) {
	t.Parallel()
	source := &slowDomains{asked: make(chan struct{}), answers: make(chan struct{})}
	c := referencedDomains(source)
	early, late := make(chan bool), make(chan bool)
	go func() { early <- c.IsMissing(t.Context(), DomainObjects, "a") }()
	<-source.asked
	source.exists = true
	go func() { late <- c.IsMissingNow(t.Context(), DomainObjects, "a") }()
	source.answers <- struct{}{}
	if !<-early {
		t.Error("it did not exist")
	}
	<-source.asked
	source.answers <- struct{}{}
	if <-late {
		t.Error("it exists")
	}
}
