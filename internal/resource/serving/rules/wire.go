package rules

import (
	"cmp"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
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

// Wire returns the resources as they are sent; nil if they set nothing, which
// the server would otherwise interpret as a list of empty values.
func (r Resources) Wire() (resources []kuscia.Resource) {
	if !r.Spec().IsSet() {
		return nil
	}
	if common := r.Common.Amounts(); !common.Empty() {
		resources = append(resources, common.Wire(""))
	}
	for _, name := range slices.Sorted(maps.Keys(r.Named)) {
		resources = append(resources, r.Named[name].Amounts().Wire(name))
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

// Resources returns the values in the form of the configuration.
func (a Amounts) Resources() ContainerResources {
	return ContainerResources{
		State:  attr.ValueStateKnown,
		MinCPU: quantityOrNull(a.MinCPU), MaxCPU: quantityOrNull(a.MaxCPU),
		MinMemory: quantityOrNull(a.MinMemory), MaxMemory: quantityOrNull(a.MaxMemory),
	}
}

func quantityOrNull(text string) types.String {
	if text == "" {
		return types.StringNull()
	}
	return types.StringValue(text)
}

// ObservedResources returns the server's response, with an entry for each
// container that has a value.
func ObservedResources(response []kuscia.Resource) (observed Resources) {
	for _, r := range response {
		if amounts := AmountsOf(r); !amounts.Empty() {
			observed = observed.with(r.ContainerName, amounts.Resources())
		}
	}
	return observed
}

func (r Resources) with(container string, values ContainerResources) Resources {
	named := make(map[string]ContainerResources, len(r.Named)+1)
	maps.Copy(named, r.Named)
	named[container] = values
	r.Named = named
	return r
}

// ObservedLike returns the server's response in the form that the state has, as
// long as that has only values for all containers and all still have the same: a
// difference is then beside the configured value.
func ObservedLike(form Resources, response []kuscia.Resource) Resources {
	if form.Named == nil && len(response) > 0 {
		common := AmountsOf(response[0])
		if !common.Empty() && !slices.ContainsFunc(response, func(r kuscia.Resource) bool { return !common.Equal(AmountsOf(r)) }) {
			return Resources{Common: common.Resources().keepSpelling(form.Common)}
		}
	}
	return ObservedResources(response)
}

// ResponseContainers returns the container names in the server's response.
func ResponseContainers(response []kuscia.Resource) []string {
	names := make([]string, len(response))
	for i, r := range response {
		names[i] = r.ContainerName
	}
	return names
}

// EncodeEndpoints returns all endpoints. The key of one is its party and its port;
// a server before v0.5 does not name ports, and the address takes that place.
func EncodeEndpoints(statuses []kuscia.PartyStatus) types.Map {
	elements := map[string]attr.Value{}
	for _, status := range statuses {
		ports := slices.Clone(status.Endpoints)
		slices.SortFunc(ports, func(a, b kuscia.Endpoint) int {
			return cmp.Or(cmp.Compare(a.Endpoint, b.Endpoint), cmp.Compare(a.Scope, b.Scope))
		})
		for _, e := range ports {
			name := party.Key{DomainID: status.DomainID, Role: status.Role}.MapKey() + "/" + cmp.Or(e.PortName, e.Endpoint)
			for elements[name] != nil {
				name += "/"
			}
			elements[name] = types.StringValue(e.Endpoint)
		}
	}
	return types.MapValueMust(types.StringType, elements)
}
