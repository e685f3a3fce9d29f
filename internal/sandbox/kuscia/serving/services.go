package serving

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/appimage"
)

func (w *Servings) shownEndpoint(svc *cluster.Service) any {
	address := svc.Key.Name + "." + svc.Key.Namespace + ".svc"
	if svc.Port.Scope == appimage.ScopeDomain {
		address = fmt.Sprintf("%s:%d", address, svc.Number)
	}
	if w.Version.NamesEndpoints() {
		return endpointData{PortName: svc.Port.Name, Scope: svc.Port.Scope, Endpoint: address}
	}
	return oldEndpointData{Endpoint: address}
}

// syncServices creates missing Services. Those of all parties are created
// before the first Deployment.
func (w *Servings) syncServices(sv *serving, kits []*kit) error {
	for _, k := range kits {
		for _, port := range k.ports {
			if port.Scope != appimage.ScopeCluster && port.Scope != appimage.ScopeDomain {
				continue
			}
			key := cluster.Key{Namespace: k.key.Namespace, Name: serviceName(k, port.Name)}
			if existing := w.Cluster.Services[key]; existing != nil {
				if existing.Deployment != k.key {
					return &failure{reasonService, fmt.Sprintf(
						"domain %s service %s already exist, please ensure that the service name can't be duplicated", key.Namespace, key.Name)}
				}
				continue
			}
			if message := cluster.CheckService(key.Name, port.Name); message != "" {
				return &failure{reasonService, fmt.Sprintf("failed to create service %s/%s for deployment %s, Service %q is invalid: %s",
					key.Namespace, key.Name, k.key.Name, key.Name, message)}
			}
			w.addService(&cluster.Service{
				Key: key, Deployment: k.key, Owner: sv.id, Port: port,
				Number: sv.ports[partyKey{k.party.DomainID, k.party.Role}][port.Name],
			})
		}
	}
	return nil
}

func (w *Servings) addService(svc *cluster.Service) {
	svc.Endpoint = w.shownEndpoint(svc)
	w.Cluster.AddService(svc)
}

// serviceName is the prefix of the party or the name of its Deployment,
// followed by the port's name; only the latter is truncated to fit.
func serviceName(k *kit, portName string) string {
	port := strings.NewReplacer("_", "-", ".", "-").Replace(strings.Trim(portName, "-"))
	if prefix := k.party.ServiceNamePrefix; prefix != "" {
		return strings.Trim(prefix, "-") + "-" + port
	}
	prefix := strings.Trim(k.key.Name, "-")
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
