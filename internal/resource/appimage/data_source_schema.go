package appimage

import (
	dsschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
)

// readOnly turns attributes of the resource into computed ones of a data
// source, with the same types and descriptions.
func readOnly(attributes map[string]schema.Attribute) map[string]dsschema.Attribute {
	out := make(map[string]dsschema.Attribute, len(attributes))
	for name, attribute := range attributes {
		out[name] = readOnlyAttribute(attribute)
	}
	return out
}

func readOnlyAttribute(attribute schema.Attribute) dsschema.Attribute {
	description := attribute.GetMarkdownDescription()
	switch a := attribute.(type) {
	case schema.NumberAttribute:
		return dsschema.NumberAttribute{Computed: true, MarkdownDescription: description}
	case schema.ListAttribute:
		return dsschema.ListAttribute{CustomType: a.CustomType, ElementType: a.ElementType, Computed: true, MarkdownDescription: description}
	case schema.MapAttribute:
		return dsschema.MapAttribute{CustomType: a.CustomType, ElementType: a.ElementType, Computed: true, MarkdownDescription: description}
	case schema.SingleNestedAttribute:
		return dsschema.SingleNestedAttribute{CustomType: a.CustomType, Attributes: readOnly(a.Attributes), Computed: true, MarkdownDescription: description}
	case schema.ListNestedAttribute:
		return dsschema.ListNestedAttribute{
			CustomType:          a.CustomType,
			NestedObject:        readOnlyObject(a.NestedObject.Attributes, a.NestedObject.CustomType),
			Computed:            true,
			MarkdownDescription: description,
		}
	default:
		return dsschema.StringAttribute{Computed: true, MarkdownDescription: description}
	}
}

// readOnlyList is a computed list of objects with attributes of the resource.
func readOnlyList(description string, attributes map[string]schema.Attribute) dsschema.Attribute {
	element := objectType(attributes)
	return dsschema.ListNestedAttribute{
		CustomType:          newOpenListType(element),
		NestedObject:        readOnlyObject(attributes, element),
		Computed:            true,
		MarkdownDescription: description,
	}
}

func readOnlyObject(attributes map[string]schema.Attribute, typ basetypes.ObjectTypable) dsschema.NestedAttributeObject {
	return dsschema.NestedAttributeObject{CustomType: typ, Attributes: readOnly(attributes)}
}
