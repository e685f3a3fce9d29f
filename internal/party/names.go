package party

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// The patterns of names.
var (
	RFC1123Label             = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`)
	OptionalRFC1123Label     = regexp.MustCompile(`^([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)?$`)
	ServiceNamePrefixPattern = regexp.MustCompile(`^([a-z]([-a-z0-9]{0,46}[a-z0-9])?)?$`)

	// portName is the pattern of an IANA service name. The rules that a regular
	// expression cannot express are checked separately: at least one letter, no two
	// consecutive hyphens.
	portName = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,13}[a-z0-9])?$`)
)

// The descriptions of the patterns in messages.
const (
	// LabelForm describes an RFC 1123 label.
	LabelForm             = "an RFC 1123 label such as risk-model-1: at most 63 lower-case letters, digits and hyphens, with a letter or digit at both ends"
	RFC1123LabelRule      = "must be " + LabelForm
	ServiceNamePrefixRule = "must be at most 48 lower-case letters, digits and hyphens, such as risk-model, with a letter at the beginning and a letter or digit at the end"
)

// maxServiceName is the maximum length of the name of a Kubernetes Service.
const maxServiceName = 63

// IsLongServiceName reports whether the name of the Service of a port, PREFIX-PORT, is too long.
func IsLongServiceName(prefix, port string) bool { return len(prefix)+1+len(port) > maxServiceName }

// LongServiceNames describes the Services of a template whose names would be too
// long with a service_name_prefix. Kuscia shortens those that it derives from the
// name of the Deployment, but not those with a prefix (v1.1).
func LongServiceNames(template *kuscia.DeployTemplate, prefix string) (details []string) {
	if prefix == "" {
		return nil
	}
	for _, port := range ServicePorts(template) {
		if IsLongServiceName(prefix, port) {
			details = append(details, fmt.Sprintf(
				"Kuscia names the Service of port %q \"%s-%s\": %d characters, and at most %d are possible. Shorten the prefix to %d characters.",
				httpapi.Text(port), httpapi.Text(prefix), httpapi.Text(port), len(prefix)+1+len(port), maxServiceName, maxServiceName-1-len(port)))
		}
	}
	return details
}

// DescribePortName returns the problem with the name of a port, "" for none.
func DescribePortName(name string) string {
	switch {
	case name != "" && strings.Trim(name, "0123456789") == "":
		return fmt.Sprintf("%q is a number, but a name is required: Kuscia chooses the number and passes it to the container in the environment variable KUSCIA_PORT_<NAME>_NUMBER.", name)
	case !portName.MatchString(name) || strings.Contains(name, "--") || !strings.ContainsAny(name, "abcdefghijklmnopqrstuvwxyz"):
		return fmt.Sprintf("%q is not a port name, and no pod could be created. Use at most 15 lower-case letters, digits and single hyphens, with at least one letter, and a letter or digit at both ends.", httpapi.Text(name))
	default:
		return ""
	}
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
