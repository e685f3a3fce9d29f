package appimage

import (
	"errors"
	"fmt"
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// Defaults of a port.
const (
	protocolHTTP = "HTTP"
	scopeLocal   = "Local"
)

// errNilDereference is the server's crash if a request quantity does not parse
// and there are no limits.
var errNilDereference = errors.New("runtime error: invalid memory address or nil pointer dereference")

// checkTemplates returns the first validation error of deploy templates, or "".
func checkTemplates(templates []kuscia.DeployTemplate) string {
	if len(templates) == 0 {
		return "deploy templates can not be empty"
	}
	for _, template := range templates {
		switch {
		case template.Name == "":
			return "deploy template name can not be empty"
		case len(template.Containers) == 0:
			return "containers can not be empty"
		case template.Replicas < 0:
			return "replicas can not be less than 0"
		}
		for _, container := range template.Containers {
			if container.Name == "" {
				return "container name can not be empty"
			}
		}
	}
	return ""
}

// storeTemplates returns templates as they are stored: copies, canonical
// quantities, without empty sides of resources.
func storeTemplates(templates []kuscia.DeployTemplate) ([]kuscia.DeployTemplate, error) {
	stored := slices.Clone(templates)
	for i := range stored {
		stored[i].Containers = slices.Clone(stored[i].Containers)
		for j := range stored[i].Containers {
			container := &stored[i].Containers[j]
			container.Ports = slices.Clone(container.Ports)
			resources, err := storeRequirements(container.Resources)
			if err != nil {
				return nil, err
			}
			container.Resources = resources
		}
	}
	return stored, nil
}

func storeRequirements(given *kuscia.ResourceRequirements) (*kuscia.ResourceRequirements, error) {
	if given == nil {
		return nil, nil
	}
	// The server's error texts name the CPU limit in all but the first case.
	limitCPU := ""
	if given.Limits != nil {
		limitCPU = given.Limits.CPU
	}
	limits, err := storeSide(given.Limits, "limit", limitCPU, false)
	if err != nil {
		return nil, err
	}
	requests, err := storeSide(given.Requests, "request", limitCPU, given.Limits == nil)
	if err != nil {
		return nil, err
	}
	if limits == nil && requests == nil {
		return nil, nil
	}
	return &kuscia.ResourceRequirements{Limits: limits, Requests: requests}, nil
}

func storeSide(given *kuscia.ResourceSpec, side, limitCPU string, crashes bool) (*kuscia.ResourceSpec, error) {
	if given == nil {
		return nil, nil
	}
	stored := kuscia.ResourceSpec{}
	for _, field := range []struct {
		name, value string
		target      *string
	}{{"cpu", given.CPU, &stored.CPU}, {"memory", given.Memory, &stored.Memory}} {
		if field.value == "" {
			continue
		}
		text, err := cluster.CanonicalQuantity(field.value)
		if err != nil && crashes {
			return nil, errNilDereference
		}
		if err != nil {
			return nil, fmt.Errorf("can't parse %s %s %s to resource quantity, %w", side, field.name, limitCPU, err)
		}
		*field.target = text
	}
	if stored == (kuscia.ResourceSpec{}) {
		return nil, nil
	}
	return &stored, nil
}

// admitPorts sets the defaults of ports and returns the store's error for the
// first invalid value, or "".
func admitPorts(name string, templates []kuscia.DeployTemplate) string {
	for i, template := range templates {
		for j, container := range template.Containers {
			for k := range container.Ports {
				port := &container.Ports[k]
				if port.Protocol == "" {
					port.Protocol = protocolHTTP
				}
				if port.Scope == "" {
					port.Scope = scopeLocal
				}
				path := fmt.Sprintf("spec.deployTemplates[%d].spec.containers[%d].ports[%d]", i, j, k)
				var errs server.FieldErrors
				errs.Supported(path+".protocol", port.Protocol, protocolHTTP, "GRPC")
				if len(errs) == 0 {
					errs.Supported(path+".scope", port.Scope, objects.ScopeCluster, objects.ScopeDomain, scopeLocal)
				}
				if len(errs) > 0 {
					return errs.Text("AppImage", name)
				}
			}
		}
	}
	return ""
}
