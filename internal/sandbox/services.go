package sandbox

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// service is the Kubernetes Service of one port of a party.
type service struct {
	key     objectKey
	owner   objectKey // the Deployment it leads to
	serving string    // the id by which the clean-up finds it
	port    kuscia.ContainerPort
	number  int32
	// endpoint is what the API shows of it.
	endpoint any
}

func (w *world) shownEndpoint(svc *service) any {
	address := svc.key.name + "." + svc.key.namespace + ".svc"
	if svc.port.Scope == scopeDomain {
		address = fmt.Sprintf("%s:%d", address, svc.number)
	}
	if w.version.namesEndpoints() {
		return endpointData{PortName: svc.port.Name, Scope: svc.port.Scope, Endpoint: address}
	}
	return oldEndpointData{Endpoint: address}
}

// syncServices makes the Services that are missing. All parties come before
// the first Deployment.
func (w *world) syncServices(sv *serving, kits []*kit) error {
	for _, k := range kits {
		for _, port := range k.ports {
			if port.Scope != scopeCluster && port.Scope != scopeDomain {
				continue
			}
			key := objectKey{k.key.namespace, serviceName(k, port.Name)}
			if existing := w.services[key]; existing != nil {
				if existing.owner != k.key {
					return &failure{reasonService, fmt.Sprintf(
						"domain %s service %s already exist, please ensure that the service name can't be duplicated", key.namespace, key.name)}
				}
				continue
			}
			if complaint := checkService(key.name, port.Name); complaint != "" {
				return &failure{reasonService, fmt.Sprintf("failed to create service %s/%s for deployment %s, Service %q is invalid: %s",
					key.namespace, key.name, k.key.name, key.name, complaint)}
			}
			w.addService(&service{
				key: key, owner: k.key, serving: sv.id, port: port,
				number: sv.ports[partyKey{k.party.DomainID, k.party.Role}][port.Name],
			})
		}
	}
	return nil
}

func checkService(name, portName string) string {
	if complaints := validation.IsDNS1035Label(name); len(complaints) > 0 {
		return fmt.Sprintf("metadata.name: Invalid value: %q: %s", name, complaints[0])
	}
	if portName != "" {
		if complaints := validation.IsDNS1123Label(portName); len(complaints) > 0 {
			return fmt.Sprintf("spec.ports[0].name: Invalid value: %q: %s", portName, complaints[0])
		}
	}
	if complaints := validation.IsValidPortName(portName); len(complaints) > 0 {
		return fmt.Sprintf("spec.ports[0].targetPort: Invalid value: %q: %s", portName, complaints[0])
	}
	return ""
}

func (w *world) addService(svc *service) {
	svc.endpoint = w.shownEndpoint(svc)
	w.services[svc.key] = svc
	w.byOwner[svc.owner] = append(w.byOwner[svc.owner], svc)
	slices.SortFunc(w.byOwner[svc.owner], func(a, b *service) int { return strings.Compare(a.key.name, b.key.name) })
	w.ownedBy(svc.serving).services = append(w.ownedBy(svc.serving).services, svc.key)
}

// serviceName is the prefix of the party or the name of its Deployment, with
// the port's name; only the latter is shortened to fit.
func serviceName(k *kit, portName string) string {
	port := strings.NewReplacer("_", "-", ".", "-").Replace(strings.Trim(portName, "-"))
	if prefix := k.party.ServiceNamePrefix; prefix != "" {
		return strings.Trim(prefix, "-") + "-" + port
	}
	prefix := strings.Trim(k.key.name, "-")
	name := prefix + "-" + strings.Trim(port, "-")
	if name[0] >= '0' && name[0] <= '9' {
		name = "svc-" + name
	}
	if len(name) <= validation.DNS1035LabelMaxLength {
		return name
	}
	const hashLength = 16
	sum := fmt.Sprintf("%x", sha256.Sum256([]byte(prefix)))[:hashLength]
	room := validation.DNS1035LabelMaxLength - hashLength - len(port) - len("svc---")
	return fmt.Sprintf("svc-%s-%s-%s", prefix[:min(max(room, 0), len(prefix))], sum, port)
}
