package party

import (
	"fmt"
	"regexp"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// The patterns of names.
var (
	RFC1123Label             = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`)
	OptionalRFC1123Label     = regexp.MustCompile(`^([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)?$`)
	ServiceNamePrefixPattern = regexp.MustCompile(`^([a-z]([-a-z0-9]{0,46}[a-z0-9])?)?$`)
)

// The descriptions of the patterns in messages.
const (
	RFC1123LabelRule      = "must be an RFC 1123 label: lower-case letters, digits and '-', starting and ending with a letter or digit, at most 63 characters"
	ServiceNamePrefixRule = "must start with a lower-case letter, continue with lower-case letters, digits and '-', end with a letter or digit, and have at most 48 characters"
)

// maxServiceName is the maximum length of the name of a Kubernetes Service.
const maxServiceName = 63

// LongServiceNames describes the Services of a template whose names would be too
// long with a service_name_prefix. Kuscia shortens those that it derives from the
// name of the Deployment, but not those with a prefix (v1.1).
func LongServiceNames(template *kuscia.DeployTemplate, prefix string) (details []string) {
	if prefix == "" {
		return nil
	}
	for _, port := range ServicePorts(template) {
		if n := len(prefix) + 1 + len(port); n > maxServiceName {
			details = append(details, fmt.Sprintf(
				"Kuscia names the Service of port %q \"%s-%s\": %d characters, and at most %d are possible. Shorten the prefix to %d characters.",
				httpapi.Text(port), httpapi.Text(prefix), httpapi.Text(port), n, maxServiceName, maxServiceName-1-len(port)))
		}
	}
	return details
}

// ServicePorts returns the names of the ports of a template that get a Service.
func ServicePorts(template *kuscia.DeployTemplate) (names []string) {
	for i := range template.Containers {
		for _, port := range template.Containers[i].Ports {
			if HasService(port) {
				names = append(names, port.Name)
			}
		}
	}
	return names
}
