package kusciadeployment

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// partyKit has the data from which Kuscia creates the objects of a party
// (PartyKitInfo in Kuscia).
type partyKit struct {
	party      objects.Party
	image      *objects.AppImage
	template   objects.PartyTemplate
	deployment string
	ports      map[string]objects.Port
	services   map[string]string // by port
	access     map[string]string // domains that may reach a port

	clusterDefine, allocatedPorts string
}

// partyKits plans all parties, or none, and returns those of this control plane; a
// partner's control plane makes the objects of its own. Parties with the same domain
// and role share the kit of the last of them.
func (c Controller) partyKits(kd *objects.KusciaDeployment) (own []*partyKit, allocated bool, err error) {
	var all []*partyKit
	for _, party := range kd.Spec.Parties {
		one, err := c.kit(kd, party)
		if err != nil {
			return nil, false, &failure{"BuildPartyKitInfoFailed", fmt.Errorf("failed to build domain %v kit info, %w", party.DomainID, err)}
		}
		all = append(all, one)
		for i, earlier := range all {
			if earlier.party.DomainID == party.DomainID && earlier.party.Role == party.Role {
				all[i] = one
			}
		}
	}
	for _, one := range all {
		domain, err := c.Domain(one.party.DomainID)
		if err != nil {
			return nil, false, err
		}
		if domain != nil && domain.Spec.Role == "" {
			own = append(own, one)
		}
	}
	if allocated, err = c.allocate(kd, own); err != nil {
		return nil, false, &failure{"AllocatePortsFailed", fmt.Errorf("failed to allocate ports, %w", err)}
	}
	return own, allocated, define(all)
}

func (c Controller) kit(kd *objects.KusciaDeployment, party objects.Party) (*partyKit, error) {
	there, err := c.HasNamespace(party.DomainID)
	if err != nil {
		return nil, err
	}
	if !there {
		return nil, fmt.Errorf("failed to get namespace %s, namespace %q not found", party.DomainID, party.DomainID)
	}
	image, err := c.AppImage(party.AppImageRef)
	if err != nil {
		return nil, err
	}
	if image == nil {
		return nil, fmt.Errorf("failed to get appImage %q, appimage.kuscia.secretflow %q not found", party.AppImageRef, party.AppImageRef)
	}
	selected, err := SelectTemplate(image.Spec.DeployTemplates, party.Role)
	if err != nil {
		return nil, fmt.Errorf("failed to select appropriate deploy template from appImage %q for party %v/%v, %w", image.Meta.Name, party.DomainID, party.Role, err)
	}
	base := &image.Spec.DeployTemplates[selected]
	k := &partyKit{
		party: party, image: image, template: merge(base, party.Template), deployment: DeploymentName(kd.Meta.Name, party.Role),
		ports: map[string]objects.Port{}, services: map[string]string{},
	}
	for _, container := range k.template.Spec.Containers {
		for _, port := range container.Ports {
			if _, twice := k.ports[port.Name]; twice {
				return nil, fmt.Errorf("failed to merge ports in deploy template '%v/%v' for party %v, duplicate port %q", base.Name, base.Role, party.DomainID, port.Name)
			}
			k.ports[port.Name] = port
			if port.Scope == objects.ScopeCluster || port.Scope == objects.ScopeDomain {
				k.services[port.Name] = c.serviceName(k.deployment, party.ServiceNamePrefix, port.Name)
			}
		}
	}
	k.access = access(kd.Spec.Parties, k.ports)
	return k, nil
}

// DeploymentName is the name of a party's Deployment.
func DeploymentName(name, role string) string {
	if role == "" {
		return name
	}
	return name + "-" + role
}

// SelectTemplate returns the index of the template that lists a role, else the last one
// without a role, else, for a party without a role, the first.
func SelectTemplate(templates []objects.DeployTemplate, role string) (int, error) {
	if len(templates) == 0 {
		return 0, errors.New("deploy templates are empty")
	}
	withoutRole := -1
	for i, template := range templates {
		if slices.Contains(strings.Split(strings.Trim(template.Role, ","), ","), role) {
			return i, nil
		}
		if template.Role == "" {
			withoutRole = i
		}
	}
	switch {
	case withoutRole >= 0:
		return withoutRole, nil
	case role == "":
		return 0, nil
	}
	return 0, fmt.Errorf("not found deploy template for role %q", role)
}

// merge applies replicas, strategy, resources and affinity of the party, of resources
// the requests and the limits each as a whole; the rest of its template does not
// matter.
func merge(base *objects.DeployTemplate, party objects.PartyTemplate) objects.PartyTemplate {
	merged := objects.PartyTemplate{Replicas: party.Replicas, Strategy: party.Strategy, Spec: base.Spec}
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

// serviceName is the prefix of the party or the name of its Deployment, followed by
// the port's name; only the latter is shortened to fit.
func (c Controller) serviceName(deployment, prefix, port string) string {
	if !c.Version.Has(versions.HashedServiceNames) {
		return c.plainServiceName(deployment, port)
	}
	port = strings.NewReplacer("_", "-", ".", "-").Replace(strings.Trim(port, "-"))
	if prefix != "" {
		return strings.Trim(prefix, "-") + "-" + port
	}
	deployment = strings.Trim(deployment, "-")
	name := deployment + "-" + strings.Trim(port, "-")
	if name[0] >= '0' && name[0] <= '9' {
		name = "svc-" + name
	}
	if len(name) <= validation.DNS1035LabelMaxLength {
		return name
	}
	const hashLength = 16
	room := validation.DNS1035LabelMaxLength - hashLength - len(port) - len("svc---")
	start := deployment[:min(max(room, 0), len(deployment))]
	if !c.Version.Has(versions.PrefixedHashes) {
		return fmt.Sprintf("svc-%s-%s-%s", start, port, digest(name)[:hashLength])
	}
	return fmt.Sprintf("svc-%s-%s-%s", start, digest(deployment)[:hashLength], port)
}

// plainServiceName is a name of old versions, which may be invalid.
func (c Controller) plainServiceName(deployment, port string) string {
	name := deployment + "-" + port
	if len(name) < validation.DNS1035LabelMaxLength || !c.Version.Has(versions.LongServingIDs) {
		return name
	}
	const hashLength = 32
	return port + "-" + digest(name)[:hashLength]
}

// digest is the SHA-256 of a text in hexadecimal digits.
func digest(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }

// access lets every domain reach the ports of the cluster, if there are several.
func access(parties []objects.Party, ports map[string]objects.Port) map[string]string {
	var domains []string
	for _, party := range parties {
		if !slices.Contains(domains, party.DomainID) {
			domains = append(domains, party.DomainID)
		}
	}
	all := map[string]string{}
	for name, port := range ports {
		if port.Scope == objects.ScopeCluster && len(domains) > 1 {
			all[name] = strings.Join(domains, ",")
		}
	}
	return all
}

// partyPorts are a party's ports as the annotation has them.
type partyPorts struct {
	DomainID  string           `json:"domainID"`
	Role      string           `json:"role,omitempty"`
	NamedPort map[string]int32 `json:"namedPort,omitempty"`
}

// allocate gives the ports numbers, once in the life of the object: those of the
// annotation are kept, and a port name that is added later has none.
func (c Controller) allocate(kd *objects.KusciaDeployment, kits []*partyKit) (changed bool, err error) {
	if !c.Version.Has(versions.PortAllocation) {
		return false, nil // those of the app image
	}
	var known []partyPorts
	if text := kd.Meta.Annotations[annotationPorts]; text != "" {
		if err := json.Unmarshal([]byte(text), &known); err != nil {
			return false, err
		}
	}
	if len(known) == 0 {
		known = c.newPorts(kits)
		text, err := json.Marshal(known)
		if err != nil {
			return false, err
		}
		changed = kd.Meta.Annotate(annotationPorts, string(text))
	}
	for _, k := range kits {
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

// newPorts are numbers for all parties; a party that is there twice has the same ones.
func (c Controller) newPorts(kits []*partyKit) []partyPorts {
	var all []partyPorts
	for i, k := range kits {
		if same := slices.Index(kits, k); same < i {
			all = append(all, all[same])
			continue
		}
		one := partyPorts{DomainID: k.party.DomainID, Role: k.party.Role, NamedPort: map[string]int32{}}
		first := c.TakePorts(k.party.DomainID, max(len(k.ports), 1))
		for i, name := range slices.Sorted(maps.Keys(k.ports)) {
			one.NamedPort[name] = first + int32(i)
		}
		all = append(all, one)
	}
	return all
}

// define writes the texts by which an application finds the other parties.
func define(kits []*partyKit) error {
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
	type cluster struct {
		Parties           []party `json:"parties"`
		SelfEndpointIndex int     `json:"selfEndpointIdx"`
		SelfPartyIndex    int     `json:"selfPartyIdx"`
	}
	parties := make([]party, len(kits))
	for i, k := range kits {
		parties[i] = party{Name: k.party.DomainID, Role: k.party.Role, Services: []service{}}
		for _, name := range slices.Sorted(maps.Keys(k.services)) {
			address := Address(k.services[name], k.party.DomainID, k.ports[name].Scope, k.ports[name].Port)
			parties[i].Services = append(parties[i].Services, service{PortName: name, Endpoints: []string{address}})
		}
	}
	for i, k := range kits {
		ports := []port{}
		for _, name := range slices.Sorted(maps.Keys(k.ports)) {
			p := k.ports[name]
			ports = append(ports, port{Name: p.Name, Port: p.Port, Scope: p.Scope, Protocol: p.Protocol})
		}
		allocated, err := json.Marshal(map[string]any{"ports": ports})
		if err != nil {
			return err
		}
		defined, err := json.Marshal(cluster{Parties: parties, SelfPartyIndex: i})
		if err != nil {
			return err
		}
		k.allocatedPorts, k.clusterDefine = string(allocated), string(defined)
	}
	return nil
}

// Address is the address of a Service.
func Address(service, namespace, scope string, port int32) string {
	address := service + "." + namespace + ".svc"
	if scope == objects.ScopeDomain {
		address = fmt.Sprintf("%s:%d", address, port)
	}
	return address
}
