package model

import (
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
)

// FindWire returns the party with a key in a response or a request; nil if there
// is none.
func FindWire(parties []kuscia.ServingParty, key party.Key) *kuscia.ServingParty {
	for i := range parties {
		if (party.Key{DomainID: parties[i].DomainID, Role: parties[i].Role}) == key {
			return &parties[i]
		}
	}
	return nil
}

// Wire returns the list as it is sent; nil if it sets nothing, which the server
// would otherwise interpret as a list of empty values.
func (l ResourceList) Wire() []kuscia.Resource {
	if !l.Spec().IsSet() {
		return nil
	}
	resources := make([]kuscia.Resource, len(l.Items))
	for i, item := range l.Items {
		resources[i] = item.Amounts().Wire(item.Container.ValueString())
	}
	return resources
}

// AmountsOf returns the values of a container in a server's response.
func AmountsOf(r kuscia.Resource) Amounts {
	return Amounts{MinCPU: r.MinCPU, MaxCPU: r.MaxCPU, MinMemory: r.MinMemory, MaxMemory: r.MaxMemory}
}

// Wire returns the values for a container in Kuscia's form.
func (a Amounts) Wire(container string) kuscia.Resource {
	return kuscia.Resource{
		ContainerName: container,
		MinCPU:        a.MinCPU, MaxCPU: a.MaxCPU, MinMemory: a.MinMemory, MaxMemory: a.MaxMemory,
	}
}

// ObservedResources returns the server's response as a list, with one entry for
// each container that has a value.
func ObservedResources(response []kuscia.Resource) ResourceList {
	var items []ContainerResources
	for _, r := range response {
		if AmountsOf(r).Empty() {
			continue
		}
		items = append(items, ContainerResources{
			Container: types.StringValue(r.ContainerName),
			MinCPU:    QuantityOrNull(r.MinCPU), MaxCPU: QuantityOrNull(r.MaxCPU),
			MinMemory: QuantityOrNull(r.MinMemory), MaxMemory: QuantityOrNull(r.MaxMemory),
		})
	}
	return ResourceList{Items: items}
}

// ResponseContainers returns the container names in the server's response.
func ResponseContainers(response []kuscia.Resource) []string {
	names := make([]string, len(response))
	for i, r := range response {
		names[i] = r.ContainerName
	}
	return names
}
