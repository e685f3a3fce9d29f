package sandbox

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// service is the Kubernetes Service of one port of a Deployment.
type service struct {
	key     objectKey
	leadsTo objectKey // the Deployment
	owner   string    // the id of who owns it
	port    kuscia.ContainerPort
	number  int32
	// endpoint is what the API shows of it.
	endpoint any
}

// checkService returns what Kubernetes has against a Service, or "".
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
