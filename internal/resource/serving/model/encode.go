package model

import (
	"cmp"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// Encode returns the form to which a plan or a state is set.
func (m Serving) Encode() any { return encoded{m.Attributes, m.Parties.Encode()} }

// Encode returns the list as a value of the framework.
func (l Parties) Encode() types.List {
	switch {
	case l.IsUnknown():
		return types.ListUnknown(PartyType)
	case l.IsNull():
		return types.ListNull(PartyType)
	}
	elements := make([]attr.Value, len(l.Items))
	for i, p := range l.Items {
		elements[i] = p.encode()
	}
	return types.ListValueMust(PartyType, elements)
}

func (p Party) encode() types.Object {
	if p.Unknown {
		return types.ObjectUnknown(PartyType.AttrTypes)
	}
	return types.ObjectValueMust(PartyType.AttrTypes, map[string]attr.Value{
		"domain_id": p.DomainID, "role": p.Role, "app_image": p.AppImage,
		"replicas": p.Replicas, "service_name_prefix": p.ServiceNamePrefix,
		"update_strategy": p.Strategy.Encode(), "resources": p.Resources.Encode(),
	})
}

// Encode returns the list as a value of the framework.
func (l ResourceList) Encode() types.List {
	switch {
	case l.Unknown:
		return types.ListUnknown(ResourcesType)
	case l.Null:
		return types.ListNull(ResourcesType)
	}
	elements := make([]attr.Value, len(l.Items))
	for i, item := range l.Items {
		if item.Unknown {
			elements[i] = types.ObjectUnknown(ResourcesType.AttrTypes)
			continue
		}
		elements[i] = types.ObjectValueMust(ResourcesType.AttrTypes, map[string]attr.Value{
			"container_name": item.Container,
			"min_cpu":        item.MinCPU, "max_cpu": item.MaxCPU,
			"min_memory": item.MinMemory, "max_memory": item.MaxMemory,
		})
	}
	return types.ListValueMust(ResourcesType, elements)
}

// EncodeEndpoints returns all endpoints sorted: Kuscia returns them in random
// order.
func EncodeEndpoints(statuses []kuscia.PartyStatus) types.List {
	type entry struct{ domainID, role, portName, scope, endpoint string }
	var entries []entry
	for _, status := range statuses {
		for _, e := range status.Endpoints {
			entries = append(entries, entry{status.DomainID, status.Role, e.PortName, e.Scope, e.Endpoint})
		}
	}
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.domainID, b.domainID), cmp.Compare(a.role, b.role),
			cmp.Compare(a.portName, b.portName), cmp.Compare(a.endpoint, b.endpoint), cmp.Compare(a.scope, b.scope))
	})
	elements := make([]attr.Value, len(entries))
	for i, e := range entries {
		elements[i] = types.ObjectValueMust(EndpointType.AttrTypes, map[string]attr.Value{
			"domain_id": types.StringValue(e.domainID), "role": types.StringValue(e.role),
			"port_name": types.StringValue(e.portName), "scope": types.StringValue(e.scope),
			"endpoint": types.StringValue(e.endpoint),
		})
	}
	return types.ListValueMust(EndpointType, elements)
}
