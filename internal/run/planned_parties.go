package run

import (
	"strings"
	"sync"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
)

// PlannedParties are the parties of servings and KusciaDeployments that this run plans: what
// Kuscia creates for them exists for the objects that refer to it. It is safe for concurrent
// use. The zero value is ready for use.
type PlannedParties struct {
	mu sync.Mutex
	// deployments are names by namespace, and prefixes those of Services.
	deployments, prefixes map[inNamespace]bool
}

type inNamespace struct{ namespace, name string }

// Record records the Deployment of a planned party and the prefix of its Services, each "" if
// it is not known.
func (p *PlannedParties) Record(domainID, deployment, servicePrefix string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.deployments == nil {
		p.deployments, p.prefixes = map[inNamespace]bool{}, map[inNamespace]bool{}
	}
	if deployment != "" {
		p.deployments[inNamespace{domainID, deployment}] = true
	}
	if servicePrefix != "" {
		p.prefixes[inNamespace{domainID, servicePrefix}] = true
	}
}

// Makes reports whether a party has a Deployment, or may have a Service, with this name.
func (p *PlannedParties) Makes(kind kube.Kind, namespace, name string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch kind {
	case kube.Deployments:
		return p.deployments[inNamespace{namespace, name}]
	case kube.Services:
		for prefix := range p.prefixes {
			if prefix.namespace == namespace && strings.HasPrefix(name, prefix.name) {
				return true
			}
		}
	}
	return false
}
