package definition

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	dsschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// ResourceSchema returns the framework's schema of the resource. Build it once:
// the framework requests it on every call.
//
// Numbers are plain numbers. So the resource itself reports numbers that are
// not whole; the framework would report them as a bug of the provider.
//
// An attribute with a default is Optional and Computed, so that the state has
// the default. An attribute for which null is a value of its own is Optional
// only. Defaults, the meaning of empty values and plan modification are not in
// the framework's schema, since they apply to the whole object.
func (d *Definition) ResourceSchema() schema.Schema {
	return schema.Schema{MarkdownDescription: d.schema.Description, Attributes: d.root.attributes()}
}

func (n *node) attributes() map[string]schema.Attribute {
	attributes := make(map[string]schema.Attribute, len(n.fields))
	for name, field := range n.fields {
		attributes[name] = field.attribute()
	}
	return attributes
}

// attribute sets a prebuilt type on nested attributes; otherwise the framework
// would rebuild it on every step of every path.
func (n *node) attribute() schema.Attribute {
	required, optional := n.Presence == Required, n.Presence == Optional || n.Presence == Nullable || n.Presence == ServerDefault
	computed := n.Presence == Optional || n.Presence == ServerDefault || n.Presence == Computed || n.hasImportDefault()
	switch n.Attribute.Type {
	case String:
		return schema.StringAttribute{
			Required: required, Optional: optional, Computed: computed, Sensitive: n.Sensitive, WriteOnly: n.role == writeOnly,
			MarkdownDescription: n.Description,
		}
	case Number:
		return schema.NumberAttribute{Required: required, Optional: optional, Computed: computed, Sensitive: n.Sensitive, MarkdownDescription: n.Description}
	case Bool:
		return schema.BoolAttribute{Required: required, Optional: optional, Computed: computed, Sensitive: n.Sensitive, MarkdownDescription: n.Description}
	case StringList:
		return schema.ListAttribute{
			CustomType: types.ListType{ElemType: types.StringType}, ElementType: types.StringType,
			Required: required, Optional: optional, Computed: computed, Sensitive: n.Sensitive, MarkdownDescription: n.Description,
		}
	case StringMap:
		return schema.MapAttribute{
			CustomType: types.MapType{ElemType: types.StringType}, ElementType: types.StringType,
			Required: required, Optional: optional, Computed: computed, Sensitive: n.Sensitive, MarkdownDescription: n.Description,
		}
	case Object:
		attributes := n.attributes()
		return schema.SingleNestedAttribute{
			CustomType: objectType(attributes), Attributes: attributes,
			Required: required, Optional: optional, Computed: computed, Sensitive: n.Sensitive, MarkdownDescription: n.Description,
		}
	case ObjectMap:
		attributes := n.element.attributes()
		element := objectType(attributes)
		return schema.MapNestedAttribute{
			CustomType: newPartlyUnknownMapType(element), NestedObject: schema.NestedAttributeObject{CustomType: element, Attributes: attributes},
			Required: required, Optional: optional, Computed: computed, Sensitive: n.Sensitive, MarkdownDescription: n.Description,
		}
	default:
		attributes := n.element.attributes()
		element := objectType(attributes)
		return schema.ListNestedAttribute{
			CustomType: newPartlyUnknownListType(element), NestedObject: schema.NestedAttributeObject{CustomType: element, Attributes: attributes},
			Required: required, Optional: optional, Computed: computed, Sensitive: n.Sensitive, MarkdownDescription: n.Description,
		}
	}
}

func objectType[A interface{ GetType() attr.Type }](attributes map[string]A) types.ObjectType {
	attrTypes := make(map[string]attr.Type, len(attributes))
	for name, attribute := range attributes {
		attrTypes[name] = attribute.GetType()
	}
	return types.ObjectType{AttrTypes: attrTypes}
}

// DataSourceAttributes are the attributes of a data source for one object (see
// ForDataSource): all computed, except those that identify the object.
func (d *Definition) DataSourceAttributes(required map[string]dsschema.Attribute) map[string]dsschema.Attribute {
	attributes := d.root.readOnly()
	for name, attribute := range required {
		attributes[name] = attribute
	}
	return attributes
}

// DataSourceList is a computed list of such objects (see ForDataSource).
func (d *Definition) DataSourceList(description string) dsschema.Attribute {
	attributes := d.root.readOnly()
	element := objectType(attributes)
	return dsschema.ListNestedAttribute{
		CustomType: newPartlyUnknownListType(element), NestedObject: dsschema.NestedAttributeObject{CustomType: element, Attributes: attributes},
		Computed: true, MarkdownDescription: description,
	}
}

func (n *node) readOnly() map[string]dsschema.Attribute {
	out := make(map[string]dsschema.Attribute, len(n.fields))
	for name, field := range n.fields {
		out[name] = field.readOnlyAttribute()
	}
	return out
}

func (n *node) readOnlyAttribute() dsschema.Attribute {
	switch n.Attribute.Type {
	case String:
		return dsschema.StringAttribute{Computed: true, Sensitive: n.Sensitive, MarkdownDescription: n.Description}
	case Number:
		return dsschema.NumberAttribute{Computed: true, Sensitive: n.Sensitive, MarkdownDescription: n.Description}
	case Bool:
		return dsschema.BoolAttribute{Computed: true, Sensitive: n.Sensitive, MarkdownDescription: n.Description}
	case StringList:
		return dsschema.ListAttribute{
			CustomType: types.ListType{ElemType: types.StringType}, ElementType: types.StringType,
			Computed: true, Sensitive: n.Sensitive, MarkdownDescription: n.Description,
		}
	case StringMap:
		return dsschema.MapAttribute{
			CustomType: types.MapType{ElemType: types.StringType}, ElementType: types.StringType,
			Computed: true, Sensitive: n.Sensitive, MarkdownDescription: n.Description,
		}
	case Object:
		attributes := n.readOnly()
		return dsschema.SingleNestedAttribute{
			CustomType: objectType(attributes), Attributes: attributes,
			Computed: true, Sensitive: n.Sensitive, MarkdownDescription: n.Description,
		}
	case ObjectMap:
		attributes := n.element.readOnly()
		element := objectType(attributes)
		return dsschema.MapNestedAttribute{
			CustomType: newPartlyUnknownMapType(element), NestedObject: dsschema.NestedAttributeObject{CustomType: element, Attributes: attributes},
			Computed: true, Sensitive: n.Sensitive, MarkdownDescription: n.Description,
		}
	default:
		attributes := n.element.readOnly()
		element := objectType(attributes)
		return dsschema.ListNestedAttribute{
			CustomType: newPartlyUnknownListType(element), NestedObject: dsschema.NestedAttributeObject{CustomType: element, Attributes: attributes},
			Computed: true, Sensitive: n.Sensitive, MarkdownDescription: n.Description,
		}
	}
}

// ForDataSource is the definition of a data source for the object: its attributes without those of a
// resource only (Local, NotReturned, Refused, timeouts), and those of Schema.DataSource.
func (d *Definition) ForDataSource() *Definition {
	return New(Schema{Attributes: append(dataSourceAttributes(d.schema.Attributes), d.schema.DataSource...), PartOf: d, Derive: d.schema.Derive})
}

func dataSourceAttributes(attributes []Attribute) []Attribute {
	var shown []Attribute
	for _, row := range attributes {
		if row.Local || row.NotReturned || row.Refused != "" {
			continue
		}
		row.Sensitive = row.Sensitive || row.WriteOnly && !row.Readable
		row.WriteOnly, row.Attributes, row.Since = false, dataSourceAttributes(row.Attributes), nil
		shown = append(shown, row)
	}
	return slices.Clip(shown)
}
