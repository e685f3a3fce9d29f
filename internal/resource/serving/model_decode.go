package serving

import (
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// decodeParties takes a parties list apart. ok is false when the list itself
// is unknown; a null list has no parties.
func decodeParties(list types.List) (parties []party, ok bool) {
	if list.IsUnknown() {
		return nil, false
	}
	elements := list.Elements()
	parties = make([]party, len(elements))
	for i, element := range elements {
		parties[i] = decodeParty(element)
	}
	return parties, true
}

func decodeParty(value attr.Value) party {
	object, ok := value.(types.Object)
	if !ok || object.IsUnknown() {
		return party{unknown: true}
	}
	attributes := object.Attributes()
	return party{
		domainID:          get[types.String](attributes, "domain_id"),
		role:              get[types.String](attributes, "role"),
		appImage:          get[types.String](attributes, "app_image"),
		replicas:          get[types.Int32](attributes, "replicas"),
		serviceNamePrefix: get[types.String](attributes, "service_name_prefix"),
		strategy:          decodeStrategy(attributes["update_strategy"]),
		resources:         decodeResources(attributes["resources"]),
	}
}

func decodeStrategy(value attr.Value) strategy {
	object, ok := value.(types.Object)
	switch {
	case !ok || object.IsNull():
		return strategy{null: true}
	case object.IsUnknown():
		return strategy{unknown: true}
	}
	attributes := object.Attributes()
	return strategy{
		kind:        get[types.String](attributes, "type"),
		surge:       get[types.String](attributes, "max_surge"),
		unavailable: get[types.String](attributes, "max_unavailable"),
	}
}

func decodeResources(value attr.Value) resourceList {
	list, ok := value.(types.List)
	switch {
	case !ok || list.IsNull():
		return resourceList{null: true}
	case list.IsUnknown():
		return resourceList{unknown: true}
	}
	elements := list.Elements()
	items := make([]containerResources, len(elements))
	for i, element := range elements {
		object, ok := element.(types.Object)
		if !ok || object.IsUnknown() {
			items[i].unknown = true
			continue
		}
		attributes := object.Attributes()
		items[i] = containerResources{
			container: get[types.String](attributes, "container_name"),
			minCPU:    get[tfvalue.Quantity](attributes, "min_cpu"),
			maxCPU:    get[tfvalue.Quantity](attributes, "max_cpu"),
			minMemory: get[tfvalue.Quantity](attributes, "min_memory"),
			maxMemory: get[tfvalue.Quantity](attributes, "max_memory"),
		}
	}
	return resourceList{items: items}
}

// get returns an attribute of an object; the zero value of the framework's
// types is null.
func get[T attr.Value](attributes map[string]attr.Value, name string) T {
	value, _ := attributes[name].(T)
	return value
}
