package party

import (
	"fmt"
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// ServiceClash describes two parties of a domain whose Services have names with
// the same prefix.
type ServiceClash struct {
	DomainID, Prefix string
	// Owner describes what the parties belong to.
	Owner string
	// Template and OtherTemplate are the parts of the app images for the parties;
	// nil if they are not known.
	Template, OtherTemplate *kuscia.DeployTemplate
}

// Describe returns the summary and the detail of a diagnostic; "" if the parties
// have no port of the same name in common. certain is false if that is unknown.
func (c ServiceClash) Describe() (summary, detail string, certain bool) {
	text := fmt.Sprintf("In the domain %q the names of the Services of two parties of the %s both start with %q (service_name_prefix, or the name of the Deployment where it is not set).",
		c.DomainID, c.Owner, c.Prefix)
	if c.Template == nil || c.OtherTemplate == nil {
		return "Services may have the same names", text +
			" If both have a port of the same name, Kuscia fails to create the Services of the second one (CreateServiceFailed). Set another service_name_prefix for one of them.", false
	}
	others := ServicePorts(c.OtherTemplate)
	var both []string
	for _, port := range ServicePorts(c.Template) {
		if slices.Contains(others, port) {
			both = append(both, c.Prefix+"-"+port)
		}
	}
	if len(both) == 0 {
		return "", "", true
	}
	return "Services with the same names", text + fmt.Sprintf(
		" Both would create %s, and Kuscia fails to create those of the second one (CreateServiceFailed). Set another service_name_prefix for one of them.", httpapi.QuoteAll(both)), true
}
