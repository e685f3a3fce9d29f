package clients

import (
	"slices"
	"sync"
)

// PlannedServing is what a serving is going to be, as far as it can clash with others.
type PlannedServing struct {
	ServingID string
	// Creates says that the apply creates the serving; otherwise it exists and is
	// kept.
	Creates bool
	// Config is a hash of the configuration, to tell two resources apart; 0: not
	// known.
	Config  uint64
	Parties []PlannedParty
}

// PlannedParty is a party of a PlannedServing.
type PlannedParty struct {
	DomainID, Role, AppImage string
	// Deployment is the name of the party's Deployment.
	Deployment string
	// ServicePrefix is what the names of its Services start with.
	ServicePrefix string
}

// ClashKind is what two servings have in common and only one can have.
type ClashKind int

// The kinds of clashes.
const (
	// SameServingID is one id for two servings.
	SameServingID ClashKind = iota
	// SameDeployment is one name in a domain for the Deployments of two parties.
	SameDeployment
	// SameServicePrefix is one prefix in a domain. It is a clash where both
	// parties have a port of the same name.
	SameServicePrefix
)

// Clash says that a serving cannot exist beside one that was planned before it.
type Clash struct {
	Kind  ClashKind
	Other PlannedServing
	// Party and OtherParty are the two parties, where the clash is about two.
	Party, OtherParty int
}

// PlannedServings are the servings planned in this run. A provider does not
// know addresses, so that it has to tell by other means whether two plans are
// about two resources:
//
//   - Terraform plans the creation of a resource, that is a plan without a
//     prior state, once in a run, also where it replaces. Two creations are two
//     resources.
//   - A resource that is replaced only because Terraform is told so
//     (-replace, replace_triggered_by) is planned first as one that stays and
//     then, with the same configuration, as a creation. So a creation after a
//     plan that lets the serving stay is another resource only if the
//     configurations differ.
//
// Two servings that both stay are there already and are not compared. It is
// safe for concurrent use.
type PlannedServings struct {
	mu sync.Mutex
	// claims are the servings by what they occupy.
	claims map[claimed][]claimant
}

// claimed is an id or name that only one serving can have; domainID is empty for a
// serving id.
type claimed struct {
	kind           ClashKind
	domainID, name string
}

type claimant struct {
	serving PlannedServing
	party   int
}

// NewPlannedServings returns an empty register.
func NewPlannedServings() *PlannedServings {
	return &PlannedServings{claims: map[claimed][]claimant{}}
}

// Note adds a serving and returns with what of those that were noted before it
// clashes: for each of them the same id or Deployments once, else the prefixes.
func (p *PlannedServings) Note(serving PlannedServing) (clashes []Clash) {
	p.mu.Lock()
	defer p.mu.Unlock()
	claims, parties := serving.claims()
	certain := map[string]bool{}
	for i, what := range claims {
		for _, before := range p.claims[what] {
			if certain[before.serving.ServingID] || !certainlyTwo(before.serving, serving) {
				continue
			}
			certain[before.serving.ServingID] = what.kind != SameServicePrefix
			clashes = append(clashes, Clash{what.kind, before.serving, parties[i], before.party})
		}
	}
	if p.noted(serving) {
		return clashes
	}
	for i, what := range claims {
		p.claims[what] = append(p.claims[what], claimant{serving, parties[i]})
	}
	return clashes
}

// noted reports whether a serving that stays is there already: a shortcut and
// the plan that it leaves to the framework may both note it.
func (p *PlannedServings) noted(serving PlannedServing) bool {
	return !serving.Creates && slices.ContainsFunc(p.claims[claimed{kind: SameServingID, name: serving.ServingID}], func(c claimant) bool {
		return !c.serving.Creates && c.serving.Config == serving.Config
	})
}

// Created removes the planned creation of a serving after it was created: the same
// provider process may plan the existing serving later.
func (p *PlannedServings) Created(servingID string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	isCreation := func(c claimant) bool { return c.serving.Creates && c.serving.ServingID == servingID }
	for _, creation := range slices.Clone(p.claims[claimed{kind: SameServingID, name: servingID}]) {
		claims, _ := creation.serving.claims()
		for _, what := range claims {
			p.claims[what] = slices.DeleteFunc(p.claims[what], isCreation)
		}
	}
}

// claims are the ids and names that a serving occupies, those that certainly clash
// first, and the index of the party of each.
func (s PlannedServing) claims() (claims []claimed, parties []int) {
	if s.ServingID != "" { // else not known yet
		claims, parties = []claimed{{kind: SameServingID, name: s.ServingID}}, []int{0}
	}
	for _, kind := range []ClashKind{SameDeployment, SameServicePrefix} {
		for i, party := range s.Parties {
			name := party.Deployment
			if kind == SameServicePrefix {
				name = party.ServicePrefix
			}
			if party.DomainID != "" && name != "" {
				claims, parties = append(claims, claimed{kind, party.DomainID, name}), append(parties, i)
			}
		}
	}
	return claims, parties
}

// certainlyTwo reports whether two plans are certainly of two resources, at least one
// of which is created.
func certainlyTwo(before, after PlannedServing) bool {
	switch {
	case !before.Creates && !after.Creates:
		return false
	case before.Creates || before.ServingID != after.ServingID:
		return true
	default:
		return before.Config != 0 && after.Config != 0 && before.Config != after.Config
	}
}
