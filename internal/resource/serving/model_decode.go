package serving

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// encodedModel is a model as the framework reads and writes it.
type encodedModel struct {
	attributes
	Parties types.List `tfsdk:"parties"`
}

// getModel decodes a configuration, a plan or a state.
func getModel(ctx context.Context, from interface {
	Get(ctx context.Context, target any) diag.Diagnostics
}, diags *diag.Diagnostics) model {
	var encoded encodedModel
	diags.Append(from.Get(ctx, &encoded)...)
	return model{encoded.attributes, decodeParties(encoded.Parties)}
}

func decodeParties(list types.List) parties {
	switch {
	case list.IsUnknown():
		return unknownParties()
	case list.IsNull():
		return parties{}
	}
	elements := list.Elements()
	items := make([]party, len(elements))
	for i, element := range elements {
		items[i] = decodeParty(element)
	}
	return partiesOf(items...)
}

func decodeParty(value attr.Value) party {
	object, ok := value.(types.Object)
	if !ok || object.IsUnknown() {
		return party{unknown: true}
	}
	attributes := object.Attributes()
	return party{
		null:              object.IsNull(),
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
