package kuscia

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"sync"
)

const (
	labelName           = "kuscia.secretflow/kd-name"
	labelUID            = "kuscia.secretflow/kd-uid"
	labelOwnerNamespace = "kuscia.secretflow/owner_namespace"
	labelDeployment     = "kuscia.secretflow/deployment-name"
	labelController     = "kuscia.secretflow/controller"
	labelAppType        = "kuscia.secretflow/app-type"

	annotationInitiator    = "kuscia.secretflow/initiator"
	annotationAsInitiator  = "kuscia.secretflow/self-cluster-as-initiator"
	annotationSelfParties  = "kuscia.secretflow/interconn-self-parties"
	annotationPartners     = "kuscia.secretflow/interconn-kuscia-parties"
	annotationPorts        = "kuscia.secretflow/allocated-ports"
	annotationAffinityMode = "kuscia.secretflow/affinity-mode"
)

var serviceNamePrefix = regexp.MustCompile(`^[a-z]([-a-z0-9]{0,46}[a-z0-9])?$`)

func validate(kd *Deployment) error {
	if len(kd.Spec.Parties) == 0 {
		return fmt.Errorf("parties can't be empty for kusciaDeployment %s", kd.Name)
	}
	found := false
	for _, party := range kd.Spec.Parties {
		if p := party.ServiceNamePrefix; p != "" && !serviceNamePrefix.MatchString(p) {
			return fmt.Errorf("field %q is invalid, invalid value: %q: regex used for validation is %q ", "ServiceNamePrefix", p, serviceNamePrefix)
		}
		found = found || party.DomainID == kd.Spec.Initiator
	}
	if !found {
		return fmt.Errorf("kusciaDeployment %s initiator %s should be one of the parties", kd.Name, kd.Spec.Initiator)
	}
	return nil
}

// annotate sets Kuscia's annotations for the parties. All domains must exist.
// The initiator is one of this control plane.
func (c *Controller) annotate(kd *Deployment) (changed bool, err error) {
	var parties, partners []string
	for _, party := range kd.Spec.Parties {
		domain, err := Domains.Cached(c.objects, "", party.DomainID)
		if err != nil {
			return false, err
		}
		if domain == nil {
			return false, fmt.Errorf("domain.kuscia.secretflow %q not found", party.DomainID)
		}
		if domain.Spec.Role != "" {
			partners = append(partners, party.DomainID)
			continue
		}
		parties = append(parties, party.DomainID)
	}
	annotations := map[string]string{
		annotationInitiator:   kd.Spec.Initiator,
		annotationAsInitiator: "true",
		annotationSelfParties: strings.Join(parties, "_"),
	}
	if len(partners) > 0 {
		annotations[annotationPartners] = strings.Join(partners, "_")
	}
	for name, value := range annotations {
		if kd.Annotations[name] != value {
			if kd.Annotations == nil {
				kd.Annotations = map[string]string{}
			}
			kd.Annotations[name] = value
			changed = true
		}
	}
	return changed, nil
}

// ports records the port numbers that are in use, so that KusciaDeployments share
// none.
type ports struct {
	mu   sync.Mutex
	used map[int32]bool
}

// take allocates the given number of consecutive port numbers, and returns the
// first.
func (p *ports) take(n int) int32 {
	const from, to = 20000, 32767
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.used == nil || len(p.used) > (to-from)/2 {
		p.used = map[int32]bool{}
	}
	for {
		first := from + rand.Int32N(to-from-int32(n))
		free := true
		for i := range int32(n) {
			free = free && !p.used[first+i]
		}
		if !free {
			continue
		}
		for i := range int32(n) {
			p.used[first+i] = true
		}
		return first
	}
}
