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
	Parties types.Map `tfsdk:"parties"`
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
func DecodeParties(value types.Map) Parties {
	switch {
	case value.IsUnknown():
		return UnknownParties()
	case value.IsNull():
		return Parties{}
	}
	elements := value.Elements()
	items := make([]Party, 0, len(elements))
	for name, element := range elements {
		items = append(items, decodeParty(name, element))
	}
	return PartiesOf(items...)
}

func decodeParty(name string, value attr.Value) Party {
	object, ok := value.(types.Object)
	if !ok || object.IsUnknown() {
		return Party{Name: name, Unknown: true}
	}
	attributes := object.Attributes()
	return Party{
		Name: name, Null: object.IsNull(),
		DomainID:          AttributeOf[types.String](attributes, "domain_id"),
		Role:              AttributeOf[types.String](attributes, "role"),
		AppImage:          AttributeOf[types.String](attributes, "app_image"),
		Image:             AttributeOf[types.String](attributes, "image"),
		Replicas:          AttributeOf[types.Int32](attributes, "replicas"),
		ServiceNamePrefix: AttributeOf[types.String](attributes, "service_name_prefix"),
		Strategy:          DecodeStrategy(attributes["update_strategy"]),
		Resources:         decodeResources(attributes[AttrResources], attributes[AttrContainerResources]),
	}
}

func decodeResources(common, named attr.Value) Resources {
	resources := Resources{Common: decodeAmounts(common)}
	byName, ok := named.(types.Map)
	if !ok || byName.IsNull() {
		return resources
	}
	resources.NamedUnknown = byName.IsUnknown()
	resources.Named = make(map[string]ContainerResources, len(byName.Elements()))
	for name, element := range byName.Elements() {
		resources.Named[name] = decodeAmounts(element)
	}
	return resources
}

func decodeAmounts(value attr.Value) ContainerResources {
	object, ok := value.(types.Object)
	switch {
	case !ok || object.IsNull():
		return ContainerResources{}
	case object.IsUnknown():
		return ContainerResources{State: attr.ValueStateUnknown}
	}
	attributes := object.Attributes()
	return ContainerResources{
		State:     attr.ValueStateKnown,
		MinCPU:    AttributeOf[tfvalue.Quantity](attributes, "min_cpu"),
		MaxCPU:    AttributeOf[tfvalue.Quantity](attributes, "max_cpu"),
		MinMemory: AttributeOf[tfvalue.Quantity](attributes, "min_memory"),
		MaxMemory: AttributeOf[tfvalue.Quantity](attributes, "max_memory"),
	}
}
