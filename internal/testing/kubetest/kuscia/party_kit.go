package kuscia

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Scopes of ports; a port of another scope has no Service.
const (
	scopeCluster = "Cluster"
	scopeDomain  = "Domain"
)

// partyKit has the data from which Kuscia creates the objects of a party
// (PartyKitInfo in Kuscia).
type partyKit struct {
	party      Party
	image      *AppImage
	template   PartyTemplate
	deployment string
	ports      map[string]ContainerPort
	services   map[string]string // by port
	access     map[string]string // domains that may reach a port

	clusterDefine, allocatedPorts string
}

// partyPorts are a party's ports as the annotation has them.
type partyPorts struct {
	DomainID  string           `json:"domainID"`
	Role      string           `json:"role,omitempty"`
	NamedPort map[string]int32 `json:"namedPort,omitempty"`
}

// partyKits plans all parties, or none, and returns those of this control plane;
// a partner's control plane makes the objects of its own.
func (c *Controller) partyKits(kd *Deployment) (own []*partyKit, allocated bool, err error) {
	var all []*partyKit
	for _, party := range kd.Spec.Parties {
		one, err := c.kit(kd, party)
		if err != nil {
			return nil, false, &failure{reason: "BuildPartyKitInfoFailed", err: fmt.Errorf("failed to build domain %v kit info, %w", party.DomainID, err)}
		}
		all = append(all, one)
		domain, err := Domains.Cached(c.objects, "", party.DomainID)
		if err != nil {
			return nil, false, err
		}
		if domain != nil && domain.Spec.Role == "" {
			own = append(own, one)
		}
	}
	if allocated, err = c.allocate(kd, own); err != nil {
		return nil, false, &failure{reason: "AllocatePortsFailed", err: fmt.Errorf("failed to allocate ports, %w", err)}
	}
	define(all)
	return own, allocated, nil
}

// HasAppImage reports whether an app image is in the cache, from which the
// controller takes it.
func (c *Controller) HasAppImage(name string) bool {
	image, err := AppImages.Cached(c.objects, "", name)
	return err == nil && image != nil
}

func (c *Controller) kit(kd *Deployment, party Party) (*partyKit, error) {
	image, err := AppImages.Cached(c.objects, "", party.AppImageRef)
	if err != nil {
		return nil, err
	}
	if image == nil {
		return nil, fmt.Errorf("failed to get appImage %q, appimage.kuscia.secretflow %q not found", party.AppImageRef, party.AppImageRef)
	}
	base, err := deployTemplate(image.Spec.DeployTemplates, party.Role)
	if err != nil {
		return nil, fmt.Errorf("failed to select appropriate deploy template from appImage %q for party %v/%v, %w", image.Name, party.DomainID, party.Role, err)
	}
	k := &partyKit{
		party: party, image: image, template: merge(base, party.Template),
		deployment: kd.Name, ports: map[string]ContainerPort{}, services: map[string]string{},
	}
	if party.Role != "" {
		k.deployment += "-" + party.Role
	}
	for _, container := range k.template.Spec.Containers {
		for _, port := range container.Ports {
			if _, twice := k.ports[port.Name]; twice {
				return nil, fmt.Errorf("failed to merge ports in deploy template '%v/%v' for party %v, duplicate port %q", base.Name, base.Role, party.DomainID, port.Name)
			}
			k.ports[port.Name] = port
			if port.Scope == scopeCluster || port.Scope == scopeDomain {
				k.services[port.Name] = serviceName(k.deployment, party.ServiceNamePrefix, port.Name)
			}
		}
	}
	k.access = access(kd.Spec.Parties, k.ports)
	return k, nil
}

// deployTemplate is the one for a role, else the one without a role, else, for
// a party without a role, the first.
func deployTemplate(templates []DeployTemplate, role string) (*DeployTemplate, error) {
	if len(templates) == 0 {
		return nil, errors.New("deploy templates are empty")
	}
	var withoutRole *DeployTemplate
	for i, template := range templates {
		if slices.Contains(strings.Split(strings.Trim(template.Role, ","), ","), role) {
			return &templates[i], nil
		}
		if template.Role == "" {
			withoutRole = &templates[i]
		}
	}
	switch {
	case withoutRole != nil:
		return withoutRole, nil
	case role == "":
		return &templates[0], nil
	}
	return nil, fmt.Errorf("not found deploy template for role %q", role)
}

// merge applies replicas, strategy, resources and affinity of the party; the rest
// else of its template counts.
func merge(base *DeployTemplate, party PartyTemplate) PartyTemplate {
	merged := PartyTemplate{Replicas: party.Replicas, Strategy: party.Strategy, Spec: base.Spec}
	if merged.Replicas == nil {
		merged.Replicas = base.Replicas
	}
	if merged.Replicas == nil {
		merged.Replicas = new(int32(1))
	}
	merged.Spec.Containers = slices.Clone(base.Spec.Containers)
	for _, desired := range party.Spec.Containers {
		for i := range merged.Spec.Containers {
			c := &merged.Spec.Containers[i]
			if c.Name != desired.Name {
				continue
			}
			if len(desired.Resources.Requests) > 0 {
				c.Resources.Requests = desired.Resources.Requests
			}
			if len(desired.Resources.Limits) > 0 {
				c.Resources.Limits = desired.Resources.Limits
			}
		}
	}
	if party.Spec.Affinity != nil {
		merged.Spec.Affinity = party.Spec.Affinity
	}
	return merged
}

func serviceName(deployment, prefix, port string) string {
	port = strings.NewReplacer("_", "-", ".", "-").Replace(strings.Trim(port, "-"))
	if prefix != "" {
		return strings.Trim(prefix, "-") + "-" + port
	}
	deployment = strings.Trim(deployment, "-")
	name := deployment + "-" + port
	if name[0] >= '0' && name[0] <= '9' {
		name = "svc-" + name
	}
	if len(name) > 63 {
		digest := fmt.Sprintf("%x", sha256.Sum256([]byte(deployment)))
		name = fmt.Sprintf("svc-%s-%s-%s", deployment[:63-16-len(port)-6], digest[:16], port)
	}
	return name
}

// access lets every domain reach the ports of the cluster, if there are several.
func access(parties []Party, ports map[string]ContainerPort) map[string]string {
	var domains []string
	for _, party := range parties {
		if !slices.Contains(domains, party.DomainID) {
			domains = append(domains, party.DomainID)
		}
	}
	all := map[string]string{}
	for name, port := range ports {
		if port.Scope == scopeCluster && len(domains) > 1 {
			all[name] = strings.Join(domains, ",")
		}
	}
	return all
}

// allocate gives the ports numbers, once: an object that has the annotation
// keeps those that it says.
func (c *Controller) allocate(kd *Deployment, partyKits []*partyKit) (bool, error) {
	var known []partyPorts
	if text := kd.Annotations[annotationPorts]; text != "" {
		if err := json.Unmarshal([]byte(text), &known); err != nil {
			return false, err
		}
	}
	changed := len(known) == 0
	if changed {
		known = c.newPorts(partyKits)
		text, err := json.Marshal(known)
		if err != nil {
			return false, err
		}
		if kd.Annotations == nil {
			kd.Annotations = map[string]string{}
		}
		kd.Annotations[annotationPorts] = string(text)
	}
	for _, k := range partyKits {
		i := slices.IndexFunc(known, func(p partyPorts) bool { return p.DomainID == k.party.DomainID && p.Role == k.party.Role })
		if i < 0 {
			return false, fmt.Errorf("allocated ports not found for party %s/%s", k.party.DomainID, k.party.Role)
		}
		for name, port := range k.ports {
			number, ok := known[i].NamedPort[name]
			if !ok {
				return false, fmt.Errorf("failed to fill allocated ports for party %s/%s, detail->not found allocated port for %v", k.party.DomainID, k.party.Role, name)
			}
			port.Port = number
			k.ports[name] = port
		}
	}
	return changed, nil
}

// newPorts are numbers for all parties; a party that is there twice has the
// same ones.
func (c *Controller) newPorts(partyKits []*partyKit) []partyPorts {
	var all []partyPorts
	for _, k := range partyKits {
		same := slices.IndexFunc(all, func(p partyPorts) bool { return p.DomainID == k.party.DomainID })
		one := partyPorts{DomainID: k.party.DomainID, Role: k.party.Role, NamedPort: map[string]int32{}}
		first := c.ports.take(max(len(k.ports), 1))
		for i, name := range slices.Sorted(maps.Keys(k.ports)) {
			one.NamedPort[name] = first + int32(i)
			if same >= 0 && all[same].Role == k.party.Role {
				one.NamedPort[name] = all[same].NamedPort[name]
			}
		}
		all = append(all, one)
	}
	return all
}

// define writes the texts by which an application finds the other parties.
func define(partyKits []*partyKit) {
	type service struct {
		PortName  string   `json:"portName"`
		Endpoints []string `json:"endpoints"`
	}
	type party struct {
		Name     string    `json:"name"`
		Role     string    `json:"role"`
		Services []service `json:"services"`
	}
	type port struct {
		Name     string `json:"name"`
		Port     int32  `json:"port"`
		Scope    string `json:"scope"`
		Protocol string `json:"protocol"`
	}
	parties := make([]party, len(partyKits))
	for i, k := range partyKits {
		parties[i] = party{Name: k.party.DomainID, Role: k.party.Role, Services: []service{}}
		for _, name := range slices.Sorted(maps.Keys(k.services)) {
			address := fmt.Sprintf("%s.%s.svc", k.services[name], k.party.DomainID)
			if k.ports[name].Scope == scopeDomain {
				address = fmt.Sprintf("%s:%d", address, k.ports[name].Port)
			}
			parties[i].Services = append(parties[i].Services, service{PortName: name, Endpoints: []string{address}})
		}
	}
	for i, k := range partyKits {
		allocated := struct {
			Ports []port `json:"ports"`
		}{Ports: []port{}}
		for _, name := range slices.Sorted(maps.Keys(k.ports)) {
			p := k.ports[name]
			allocated.Ports = append(allocated.Ports, port{Name: p.Name, Port: p.Port, Scope: p.Scope, Protocol: p.Protocol})
		}
		k.allocatedPorts = toJSON(allocated)
		k.clusterDefine = toJSON(map[string]any{"parties": parties, "selfPartyIdx": i, "selfEndpointIdx": 0})
	}
}

func toJSON(value any) string {
	text, _ := json.Marshal(value)
	return string(text)
}
