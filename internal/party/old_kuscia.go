package party

import (
	"fmt"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
)

// ImageNeeds returns what a party needs of Kuscia because of the ports of its app image: to
// allocate their numbers, and to shorten the names of their Services. deployment is the name of
// the Deployment, "" if it is not known. Without them, Kuscia accepts the object, and it never
// gets a status.
func ImageNeeds(image *kube.AppImage, role, deployment string) (all []versions.Need) {
	template := ClusterTemplateFor(image, role)
	if template == nil {
		return nil
	}
	var unnumbered []string
	long := ""
	for _, container := range template.Spec.Containers {
		for _, port := range container.Ports {
			if port.Port == 0 {
				unnumbered = append(unnumbered, port.Name)
			}
			if deployment != "" && (port.Scope == "Cluster" || port.Scope == "Domain") && IsLongServiceName(deployment, port.Name) {
				long = port.Name
			}
		}
	}
	const neverStarts = "which would accept it and never start it"
	if len(unnumbered) > 0 {
		all = append(all, versions.Need{
			Feature: versions.PortAllocation, Without: neverStarts,
			Instead: fmt.Sprintf("set numbers in app image %q, for the ports %s", httpapi.Text(image.Metadata.Name), httpapi.QuoteAll(unnumbered)),
		})
	}
	if long != "" {
		all = append(all, versions.Need{
			Feature: versions.LongServingIDs, Without: neverStarts,
			Instead: fmt.Sprintf("shorten the names: \"%s-%s\" has %d characters", httpapi.Text(deployment), httpapi.Text(long), len(deployment)+1+len(long)),
		})
	}
	return all
}
