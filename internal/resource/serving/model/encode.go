package model

import (
	"cmp"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
)

// Encode returns the form to which a plan or a state is set.
func (m Serving) Encode() any { return encoded{m.Attributes, m.Parties.Encode()} }

// Encode returns the parties as a value of the framework.
func (l Parties) Encode() types.Map {
	switch {
	case l.IsUnknown():
		return types.MapUnknown(PartyType)
	case l.IsNull():
		return types.MapNull(PartyType)
	}
	elements := make(map[string]attr.Value, len(l.Items))
	for _, p := range l.Items {
		elements[p.Name] = p.encode()
	}
	return types.MapValueMust(PartyType, elements)
}

func (p Party) encode() types.Object {
	if p.Unknown {
		return types.ObjectUnknown(PartyType.AttrTypes)
	}
	return types.ObjectValueMust(PartyType.AttrTypes, p.Attributes())
}

// Attributes returns the attributes of a party as values of the framework.
func (p Party) Attributes() map[string]attr.Value {
	return map[string]attr.Value{
		"domain_id": p.DomainID, "role": p.Role, "app_image": p.AppImage, "image": p.Image,
		"replicas": p.Replicas, "service_name_prefix": p.ServiceNamePrefix,
		"update_strategy": p.Strategy.Encode(), AttrResources: p.Resources.Common.encode(), AttrContainerResources: p.Resources.encodeNamed(),
	}
}

func (r Resources) encodeNamed() types.Map {
	switch {
	case r.NamedUnknown:
		return types.MapUnknown(ResourcesType)
	case r.Named == nil:
		return types.MapNull(ResourcesType)
	}
	elements := make(map[string]attr.Value, len(r.Named))
	for name, item := range r.Named {
		elements[name] = item.encode()
	}
	return types.MapValueMust(ResourcesType, elements)
}

func (r ContainerResources) encode() types.Object {
	switch r.State {
	case attr.ValueStateUnknown:
		return types.ObjectUnknown(ResourcesType.AttrTypes)
	case attr.ValueStateNull:
		return types.ObjectNull(ResourcesType.AttrTypes)
	}
	return types.ObjectValueMust(ResourcesType.AttrTypes, map[string]attr.Value{
		"min_cpu": r.MinCPU, "max_cpu": r.MaxCPU, "min_memory": r.MinMemory, "max_memory": r.MaxMemory,
	})
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
			elements[name] = types.ObjectValueMust(EndpointType.AttrTypes, map[string]attr.Value{
				"domain_id": types.StringValue(status.DomainID), "role": types.StringValue(status.Role),
				"port_name": types.StringValue(e.PortName), "scope": types.StringValue(e.Scope),
				"endpoint": types.StringValue(e.Endpoint),
			})
		}
	}
	return types.MapValueMust(EndpointType, elements)
}
