package model

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// encoded is a model in the form that the framework reads and writes.
type encoded struct {
	Attributes
	Parties types.List `tfsdk:"parties"`
}

// Get decodes a configuration, a plan or a state.
func Get(ctx context.Context, from interface {
	Get(ctx context.Context, target any) diag.Diagnostics
}, diags *diag.Diagnostics) Serving {
	var encoded encoded
	diags.Append(from.Get(ctx, &encoded)...)
	return Serving{encoded.Attributes, DecodeParties(encoded.Parties)}
}

// DecodeParties decodes the framework's value of parties.
func DecodeParties(list types.List) Parties {
	switch {
	case list.IsUnknown():
		return UnknownParties()
	case list.IsNull():
		return Parties{}
	}
	elements := list.Elements()
	items := make([]Party, len(elements))
	for i, element := range elements {
		items[i] = decodeParty(element)
	}
	return PartiesOf(items...)
}

func decodeParty(value attr.Value) Party {
	object, ok := value.(types.Object)
	if !ok || object.IsUnknown() {
		return Party{Unknown: true}
	}
	attributes := object.Attributes()
	return Party{
		Null:              object.IsNull(),
		DomainID:          AttributeOf[types.String](attributes, "domain_id"),
		Role:              AttributeOf[types.String](attributes, "role"),
		AppImage:          AttributeOf[types.String](attributes, "app_image"),
		Replicas:          AttributeOf[types.Int32](attributes, "replicas"),
		ServiceNamePrefix: AttributeOf[types.String](attributes, "service_name_prefix"),
		Strategy:          DecodeStrategy(attributes["update_strategy"]),
		Resources:         decodeResources(attributes["resources"]),
	}
}

func decodeResources(value attr.Value) ResourceList {
	list, ok := value.(types.List)
	switch {
	case !ok || list.IsNull():
		return ResourceList{Null: true}
	case list.IsUnknown():
		return ResourceList{Unknown: true}
	}
	elements := list.Elements()
	items := make([]ContainerResources, len(elements))
	for i, element := range elements {
		object, ok := element.(types.Object)
		if !ok || object.IsUnknown() {
			items[i].Unknown = true
			continue
		}
		attributes := object.Attributes()
		items[i] = ContainerResources{
			Container: AttributeOf[types.String](attributes, "container_name"),
			MinCPU:    AttributeOf[tfvalue.Quantity](attributes, "min_cpu"),
			MaxCPU:    AttributeOf[tfvalue.Quantity](attributes, "max_cpu"),
			MinMemory: AttributeOf[tfvalue.Quantity](attributes, "min_memory"),
			MaxMemory: AttributeOf[tfvalue.Quantity](attributes, "max_memory"),
		}
	}
	return ResourceList{Items: items}
}
