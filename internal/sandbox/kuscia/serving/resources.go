package serving

import (
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
)

// splitResources separates the entry for all containers (the last one without a
// name) from the entries by container name.
func splitResources(resources []kuscia.Resource) (common *kuscia.Resource, named map[string]kuscia.Resource, order []string) {
	named = map[string]kuscia.Resource{}
	for i, entry := range resources {
		if entry.ContainerName == "" {
			common = &resources[i]
			continue
		}
		if _, ok := named[entry.ContainerName]; !ok {
			order = append(order, entry.ContainerName)
		}
		named[entry.ContainerName] = entry
	}
	return common, named, order
}

// buildContainers returns the stored resources of a party that has none yet:
// each field from the named entry, else from the common one. If any container
// lacks a value, all resources are silently dropped.
func (w *Servings) buildContainers(party kuscia.ServingParty) ([]kuscia.Resource, error) {
	if len(party.Resources) == 0 {
		return nil, nil
	}
	template, err := w.images.TemplateFor(party.AppImage, party.Role)
	if err != nil {
		return nil, err
	}
	common, named, order := splitResources(party.Resources)
	for _, name := range order {
		if !hasContainer(template, name) {
			return nil, fmt.Errorf("container_name %s of party domainID/role %s/%s resources doesn't exist in app image %s",
				name, party.DomainID, party.Role, party.AppImage)
		}
	}
	if common == nil {
		common = &kuscia.Resource{}
	}
	stored := make([]kuscia.Resource, 0, len(template.Containers))
	for _, container := range template.Containers {
		entry, err := mergeEntries(named[container.Name], *common, party)
		if err != nil {
			return nil, err
		}
		if entry == (kuscia.Resource{}) {
			return nil, nil
		}
		entry.ContainerName = container.Name
		stored = append(stored, entry)
	}
	return stored, nil
}

func hasContainer(template *kuscia.DeployTemplate, name string) bool {
	for _, container := range template.Containers {
		if container.Name == name {
			return true
		}
	}
	return false
}

// resourceField is one of the four values of an entry, in the server's order.
type resourceField struct {
	name, resource string
	of             func(*kuscia.Resource) *string
	// isLimit distinguishes limits from requests.
	isLimit bool
}

var resourceFields = []resourceField{
	{"min_cpu", "cpu", func(r *kuscia.Resource) *string { return &r.MinCPU }, false},
	{"min_memory", "memory", func(r *kuscia.Resource) *string { return &r.MinMemory }, false},
	{"max_cpu", "cpu", func(r *kuscia.Resource) *string { return &r.MaxCPU }, true},
	{"max_memory", "memory", func(r *kuscia.Resource) *string { return &r.MaxMemory }, true},
}

func mergeEntries(named, common kuscia.Resource, party kuscia.ServingParty) (kuscia.Resource, error) {
	var merged kuscia.Resource
	for _, field := range resourceFields {
		value := *field.of(&named)
		if value == "" {
			value = *field.of(&common)
		}
		if value == "" {
			continue
		}
		text, err := cluster.CanonicalQuantity(value)
		if err != nil {
			return merged, fmt.Errorf("resource %s %s format is invalid for party domain_id/role %s/%s, %w",
				field.name, value, party.DomainID, party.Role, err)
		}
		*field.of(&merged) = text
	}
	return merged, nil
}

// errNilMap is the server's crash when a container that has only requests gets
// its first limit, or vice versa.
var errNilMap = errors.New("assignment to entry in nil map")

// mergeStored changes stored resources as an update does: for each container
// the named entry or else the common one (not both); given values replace
// stored ones, others remain, unknown containers are ignored.
func mergeStored(stored []kuscia.Resource, given []kuscia.Resource) (changed bool, err error) {
	common, named, _ := splitResources(given)
	for i := range stored {
		entry, ok := named[stored[i].ContainerName]
		if !ok {
			if common == nil {
				continue
			}
			entry = *common
		}
		entryChanged, err := mergeContainer(&stored[i], entry)
		if err != nil {
			return false, err
		}
		changed = changed || entryChanged
	}
	return changed, nil
}

func mergeContainer(stored *kuscia.Resource, given kuscia.Resource) (changed bool, err error) {
	before := *stored
	for _, field := range resourceFields {
		value := *field.of(&given)
		if value == "" {
			continue
		}
		parsed, err := resource.ParseQuantity(value)
		if err != nil {
			return false, err
		}
		if cluster.SameQuantity(parsed, *field.of(stored)) {
			continue
		}
		if !hasSide(before, field.isLimit) {
			return false, errNilMap
		}
		*field.of(stored) = parsed.String()
		changed = true
	}
	return changed, nil
}

// hasSide reports whether the entry has any limit, or any request.
func hasSide(r kuscia.Resource, limits bool) bool {
	if limits {
		return r.MaxCPU != "" || r.MaxMemory != ""
	}
	return r.MinCPU != "" || r.MinMemory != ""
}
