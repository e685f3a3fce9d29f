package rules

import (
	"cmp"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
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
	if common := r.Common().Amounts(); !common.Empty() {
		resources = append(resources, common.Wire(""))
	}
	for _, name := range r.ContainerNames() {
		values, _ := r.Named(name)
		resources = append(resources, values.Amounts().Wire(name))
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
	tree := definition.Tree{}
	for name, amount := range map[string]string{"min_cpu": a.MinCPU, "max_cpu": a.MaxCPU, "min_memory": a.MinMemory, "max_memory": a.MaxMemory} {
		if amount != "" {
			tree[name] = amount
		}
	}
	return ContainerResources{definition.ViewOf(amountsDefinition.Encode(tree))}
}

// ObservedResources returns the server's response, with an entry for each
// container that has a value.
func ObservedResources(response []kuscia.Resource) (observed Resources) {
	for _, r := range response {
		if amounts := AmountsOf(r); !amounts.Empty() {
			observed = observed.With(r.ContainerName, amounts.Resources())
		}
	}
	return observed
}

// observedSpec returns the values in the server's response.
func observedSpec(response []kuscia.Resource) ResourceSpec {
	spec := ResourceSpec{named: make(map[string]Amounts, len(response))}
	for _, r := range response {
		if amounts := AmountsOf(r); !amounts.Empty() {
			spec.named[r.ContainerName] = amounts
		}
	}
	return spec
}

// ObservedLike returns the server's response in the form that the state has, as
// long as that has only values for all containers and all still have the same: a
// difference is then beside the configured value.
func ObservedLike(form Resources, response []kuscia.Resource) Resources {
	if form.named.IsNull() && len(response) > 0 {
		common := AmountsOf(response[0])
		if !common.Empty() && !slices.ContainsFunc(response, func(r kuscia.Resource) bool { return !common.Equal(AmountsOf(r)) }) {
			return Resources{}.WithCommon(ContainerResources{amountsDefinition.WithSpelling(common.Resources().View, form.Common().View)})
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
