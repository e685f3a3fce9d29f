package cluster

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// checkService returns the validation error of Kubernetes for a Service, or "".
func checkService(s *objects.Service) string {
	if complaints := validation.IsDNS1035Label(s.Meta.Name); len(complaints) > 0 {
		return fmt.Sprintf("metadata.name: Invalid value: %q: %s", s.Meta.Name, complaints[0])
	}
	for i, port := range s.Spec.Ports {
		if port.Name != "" {
			if complaints := validation.IsDNS1123Label(port.Name); len(complaints) > 0 {
				return fmt.Sprintf("spec.ports[%d].name: Invalid value: %q: %s", i, port.Name, complaints[0])
			}
		}
		if complaints := validation.IsValidPortName(port.TargetPort.StrVal); len(complaints) > 0 {
			return fmt.Sprintf("spec.ports[%d].targetPort: Invalid value: %q: %s", i, port.TargetPort.StrVal, complaints[0])
		}
	}
	return ""
}
