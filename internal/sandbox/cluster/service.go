package cluster

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// Service is the Kubernetes Service of one port of a Deployment.
type Service struct {
	Key        Key
	Deployment Key    // the Deployment
	Owner      string // the id of its owner
	Port       kuscia.ContainerPort
	Number     int32
	// Endpoint is the endpoint as the API returns it.
	Endpoint any
}

// CheckService returns the validation error of Kubernetes for a Service, or "".
func CheckService(name, portName string) string {
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
