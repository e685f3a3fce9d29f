package sandbox

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
)

func (w *Servings) shownEndpoint(svc *service) any {
	address := svc.key.name + "." + svc.key.namespace + ".svc"
	if svc.port.Scope == scopeDomain {
		address = fmt.Sprintf("%s:%d", address, svc.number)
	}
	if w.Version.namesEndpoints() {
		return endpointData{PortName: svc.port.Name, Scope: svc.port.Scope, Endpoint: address}
	}
	return oldEndpointData{Endpoint: address}
}

// syncServices makes the Services that are missing. All parties come before
// the first Deployment.
func (w *Servings) syncServices(sv *serving, kits []*kit) error {
	for _, k := range kits {
		for _, port := range k.ports {
			if port.Scope != scopeCluster && port.Scope != scopeDomain {
				continue
			}
			key := objectKey{k.key.namespace, serviceName(k, port.Name)}
			if existing := w.cluster.services[key]; existing != nil {
				if existing.leadsTo != k.key {
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
				key: key, leadsTo: k.key, owner: sv.id, port: port,
				number: sv.ports[partyKey{k.party.DomainID, k.party.Role}][port.Name],
			})
		}
	}
	return nil
}

func (w *Servings) addService(svc *service) {
	svc.endpoint = w.shownEndpoint(svc)
	w.cluster.addService(svc)
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
