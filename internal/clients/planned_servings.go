package clients

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
)

// PlannedServing has the parts of a planned serving or KusciaDeployment that can
// clash with another one.
type PlannedServing struct {
	// ServingID is the serving_id, or the name of a KusciaDeployment.
	ServingID string
	// IsKusciaDeployment is set for a kuscia_deployment.
	IsKusciaDeployment bool
	// Creates: the apply creates the serving; otherwise it exists and is kept.
	Creates bool
	// Config is a hash of the configuration, which distinguishes two resources;
	// 0 if unknown.
	Config  uint64
	Parties []PlannedParty
}

// PlannedParty is a party of a PlannedServing.
type PlannedParty struct {
	DomainID, Role, AppImage string
	// DeploymentName is the name of the party's Deployment.
	DeploymentName string
	// ServicePrefix is the prefix of its Services' names.
	ServicePrefix string
}

// String describes the serving or KusciaDeployment in messages.
func (s PlannedServing) String() string {
	switch {
	case s.IsKusciaDeployment && s.ServingID == "":
		return "KusciaDeployment whose name is known only after apply"
	case s.IsKusciaDeployment:
		return fmt.Sprintf("KusciaDeployment %q", s.ServingID)
	case s.ServingID == "":
		return "serving whose serving_id is known only after apply"
	}
	return fmt.Sprintf("serving %q", s.ServingID)
}

// ClashKind is the kind of name that two servings have in common although it
// must be unique.
type ClashKind int

// The kinds of clashes.
const (
	// SameServingID: two servings with the same id.
	SameServingID ClashKind = iota
	// SameDeployment: Deployments of two parties with the same name in a
	// domain.
	SameDeployment
	// SameServicePrefix: the same prefix in a domain. It is a clash if both
	// parties have a port of the same name.
	SameServicePrefix
)

// Clash reports that a serving cannot exist together with one that was planned
// before it.
type Clash struct {
	Kind  ClashKind
	Other PlannedServing
	// Party and OtherParty are the indexes of the two parties, if the clash is
	// about parties.
	Party, OtherParty int
}

// PlannedServings are the servings planned in this run. A provider does not
// know resource addresses, so it has to find out in another way whether two
// plans are for different resources:
//
//   - Terraform plans the creation of a resource, a plan without a prior
//     state, once in a run, also for a replacement. Two creations belong to
//     two resources.
//   - A resource that is replaced only on request (-replace,
//     replace_triggered_by) is planned first without replacement and then,
//     with the same configuration, as a creation. So a creation after a plan
//     that keeps the serving belongs to another resource only if the
//     configurations differ.
//
// Two servings that are both kept exist already and are not compared. It is
// safe for concurrent use.
type PlannedServings struct {
	mu sync.Mutex
	// claims are the servings by the ids and names that they use.
	claims map[uniqueName][]claimant
}

// uniqueName is an id or name that must be unique; domainID is empty for a serving
// id.
type uniqueName struct {
	kind           ClashKind
	domainID, name string
}

type claimant struct {
	serving PlannedServing
	party   int
}

// NewPlannedServings returns an empty PlannedServings.
func NewPlannedServings() *PlannedServings {
	return &PlannedServings{claims: map[uniqueName][]claimant{}}
}

// Record adds a serving and returns its clashes with earlier ones: at most one
// about the id or Deployments for each of them, else those about prefixes.
func (p *PlannedServings) Record(serving PlannedServing) (clashes []Clash) {
	p.mu.Lock()
	defer p.mu.Unlock()
	claims, parties := serving.claims()
	certain := map[string]bool{}
	for i, claim := range claims {
		for _, before := range p.claims[claim] {
			if certain[before.serving.ServingID] || !areDifferentResources(before.serving, serving) {
				continue
			}
			certain[before.serving.ServingID] = claim.kind != SameServicePrefix
			clashes = append(clashes, Clash{claim.kind, before.serving, parties[i], before.party})
		}
	}
	if p.isRecorded(serving) {
		return clashes
	}
	for i, claim := range claims {
		p.claims[claim] = append(p.claims[claim], claimant{serving, parties[i]})
	}
	return clashes
}

// Makes reports whether a serving or KusciaDeployment of this run has a Deployment, or may have
// a Service, with this name.
func (p *PlannedServings) Makes(kind kube.Kind, namespace, name string) bool {
	if p == nil || kind != kube.Deployments && kind != kube.Services {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if kind == kube.Deployments {
		return len(p.claims[uniqueName{SameDeployment, namespace, name}]) > 0
	}
	for claim, by := range p.claims {
		if claim.kind == SameServicePrefix && claim.domainID == namespace && strings.HasPrefix(name, claim.name) && len(by) > 0 {
			return true
		}
	}
	return false
}

// isRecorded reports whether a kept serving was added before: a shortcut and the
// framework's plan may both add it.
func (p *PlannedServings) isRecorded(serving PlannedServing) bool {
	return !serving.Creates && slices.ContainsFunc(p.claims[uniqueName{kind: SameServingID, name: serving.ServingID}], func(c claimant) bool {
		return !c.serving.Creates && c.serving.Config == serving.Config && c.serving.IsKusciaDeployment == serving.IsKusciaDeployment
	})
}

// ForgetCreation removes the planned creation of a serving or KusciaDeployment when its
// create begins: the same provider process may plan the existing object later.
func (p *PlannedServings) ForgetCreation(servingID string, deployment bool) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	isCreation := func(c claimant) bool {
		return c.serving.Creates && c.serving.ServingID == servingID && c.serving.IsKusciaDeployment == deployment
	}
	for _, creation := range slices.Clone(p.claims[uniqueName{kind: SameServingID, name: servingID}]) {
		if !isCreation(creation) {
			continue
		}
		claims, _ := creation.serving.claims()
		for _, claim := range claims {
			p.claims[claim] = slices.DeleteFunc(p.claims[claim], isCreation)
		}
	}
}

// claims are the ids and names that a serving uses, the certain clashes first,
// and the index of the party of each.
func (s PlannedServing) claims() (claims []uniqueName, parties []int) {
	if s.ServingID != "" { // "" if unknown
		claims, parties = []uniqueName{{kind: SameServingID, name: s.ServingID}}, []int{0}
	}
	for _, kind := range []ClashKind{SameDeployment, SameServicePrefix} {
		for i, party := range s.Parties {
			name := party.DeploymentName
			if kind == SameServicePrefix {
				name = party.ServicePrefix
			}
			if party.DomainID != "" && name != "" {
				claims, parties = append(claims, uniqueName{kind, party.DomainID, name}), append(parties, i)
			}
		}
	}
	return claims, parties
}

// areDifferentResources reports whether two plans certainly belong to different
// resources, at least one of which is created.
func areDifferentResources(before, after PlannedServing) bool {
	switch {
	case !before.Creates && !after.Creates:
		return false
	case before.Creates || before.ServingID != after.ServingID || before.IsKusciaDeployment != after.IsKusciaDeployment:
		return true
	default:
		return before.Config != 0 && after.Config != 0 && before.Config != after.Config
	}
}
