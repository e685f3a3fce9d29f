package serving

import (
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// encode is the form that a plan or a state is set to.
func (m model) encode() encodedModel { return encodedModel{m.attributes, m.Parties.encode()} }

func (l parties) encode() types.List {
	switch {
	case l.isUnknown():
		return types.ListUnknown(partyType)
	case l.isNull():
		return types.ListNull(partyType)
	}
	elements := make([]attr.Value, len(l.items))
	for i, p := range l.items {
		elements[i] = p.encode()
	}
	return types.ListValueMust(partyType, elements)
}

func (p party) encode() types.Object {
	if p.unknown {
		return types.ObjectUnknown(partyType.AttrTypes)
	}
	return types.ObjectValueMust(partyType.AttrTypes, map[string]attr.Value{
		"domain_id": p.domainID, "role": p.role, "app_image": p.appImage,
		"replicas": p.replicas, "service_name_prefix": p.serviceNamePrefix,
		"update_strategy": p.strategy.encode(), "resources": p.resources.encode(),
	})
}

func (s strategy) encode() types.Object {
	switch {
	case s.unknown:
		return types.ObjectUnknown(strategyType.AttrTypes)
	case s.null:
		return types.ObjectNull(strategyType.AttrTypes)
	}
	return types.ObjectValueMust(strategyType.AttrTypes, map[string]attr.Value{
		"type": s.kind, "max_surge": s.surge, "max_unavailable": s.unavailable,
	})
}

func (l resourceList) encode() types.List {
	switch {
	case l.unknown:
		return types.ListUnknown(resourcesType)
	case l.null:
		return types.ListNull(resourcesType)
	}
	elements := make([]attr.Value, len(l.items))
	for i, item := range l.items {
		if item.unknown {
			elements[i] = types.ObjectUnknown(resourcesType.AttrTypes)
			continue
		}
		elements[i] = types.ObjectValueMust(resourcesType.AttrTypes, map[string]attr.Value{
			"container_name": item.container,
			"min_cpu":        item.minCPU, "max_cpu": item.maxCPU,
			"min_memory": item.minMemory, "max_memory": item.maxMemory,
		})
	}
	return types.ListValueMust(resourcesType, elements)
}
