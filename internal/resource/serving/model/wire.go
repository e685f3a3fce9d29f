package model

import (
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
)

// FindWire returns the party of a key in an answer or a request; nil if there is none.
func FindWire(parties []kuscia.ServingParty, key party.Key) *kuscia.ServingParty {
	for i := range parties {
		if (party.Key{DomainID: parties[i].DomainID, Role: parties[i].Role}) == key {
			return &parties[i]
		}
	}
	return nil
}

// Wire is the list as it is written; nil where it asks for nothing, which the
// server would otherwise take for a list of empty values.
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

// AmountsOf are the values of a container in a server's answer.
func AmountsOf(r kuscia.Resource) Amounts {
	return Amounts{MinCPU: r.MinCPU, MaxCPU: r.MaxCPU, MinMemory: r.MinMemory, MaxMemory: r.MaxMemory}
}

// Wire are the values for a container as Kuscia takes them.
func (a Amounts) Wire(container string) kuscia.Resource {
	return kuscia.Resource{
		ContainerName: container,
		MinCPU:        a.MinCPU, MaxCPU: a.MaxCPU, MinMemory: a.MinMemory, MaxMemory: a.MaxMemory,
	}
}

// ObservedResources is the server's answer as a list, one entry for each
// container that has a value.
func ObservedResources(answer []kuscia.Resource) ResourceList {
	var items []ContainerResources
	for _, r := range answer {
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

// AnswerContainers are the container names of the server's answer.
func AnswerContainers(answer []kuscia.Resource) []string {
	names := make([]string, len(answer))
	for i, r := range answer {
		names[i] = r.ContainerName
	}
	return names
}
