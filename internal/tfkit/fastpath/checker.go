package fastpath

import (
	"context"
	"maps"
	"path"
	"reflect"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/attr/xattr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// Checker validates the attributes of a resource with the types and validators
// of its schema. It does not walk the schema as the framework does, which takes
// longer than the validators. It supports the kinds of attributes that servings
// have; a schema with any other kind is not supported.
type Checker struct{ fields map[string]field }

// field is an attribute with the facts that Check needs, computed once.
type field struct {
	kind     attr.Type
	required bool
	// configurable is set if a configuration may set the attribute without a
	// warning. Otherwise the framework reports the diagnostics.
	configurable bool
	// hasValidator is set if the value itself has validators.
	hasValidator bool
	texts        []validator.String
	whole        []validator.Int64
	lists        []validator.List
	maps         []validator.Map
	// nested are the attributes of the object, or of the elements of the list or
	// the map; isMap is set for the latter.
	nested map[string]field
	isMap  bool
}

// NewChecker returns the checker for a schema.
func NewChecker(ctx context.Context, s schema.Schema) *Checker {
	fields, known := fieldsOf(ctx, s.Attributes)
	if !known || len(s.Blocks) > 0 || s.DeprecationMessage != "" {
		return &Checker{}
	}
	return &Checker{fields}
}

// Supported reports whether the checker supports the schema.
func (c *Checker) Supported() bool { return len(c.fields) > 0 }

// Check returns the attribute values of a configuration. ok is false unless
// every attribute is proven valid, without diagnostics.
func (c *Checker) Check(ctx context.Context, config map[string]any) (values map[string]attr.Value, ok bool) {
	if !c.Supported() || !validAll(ctx, c.fields, config) {
		return nil, false
	}
	values = make(map[string]attr.Value, len(config))
	for name, f := range c.fields {
		if values[name], ok = valueOf(ctx, f.kind, config[name]); !ok {
			return nil, false
		}
	}
	return values, true
}

func fieldsOf(ctx context.Context, attributes map[string]schema.Attribute) (fields map[string]field, known bool) {
	fields = make(map[string]field, len(attributes))
	for name, attribute := range attributes {
		if fields[name], known = fieldOf(ctx, attribute); !known {
			return nil, false
		}
	}
	return fields, true
}

func fieldOf(ctx context.Context, a schema.Attribute) (f field, known bool) {
	f = field{
		kind: a.GetType(), required: a.IsRequired(),
		configurable: (a.IsRequired() || a.IsOptional()) && !a.IsWriteOnly() && a.GetDeprecationMessage() == "",
	}
	others := 0 // validators that the checker cannot call
	known = true
	switch a := a.(type) {
	case schema.StringAttribute:
		f.texts = a.Validators
	case schema.Int64Attribute:
		f.whole = a.Validators
	case schema.Int32Attribute:
		others = len(a.Validators)
	case schema.BoolAttribute:
		others = len(a.Validators)
	case schema.MapAttribute:
		others = len(a.Validators)
	case schema.ListNestedAttribute:
		f.lists, others = a.Validators, len(a.NestedObject.Validators)
		f.nested, known = fieldsOf(ctx, a.NestedObject.Attributes)
	case schema.MapNestedAttribute:
		f.isMap, f.maps, others = true, a.Validators, len(a.NestedObject.Validators)
		f.nested, known = fieldsOf(ctx, a.NestedObject.Attributes)
	case schema.SingleNestedAttribute:
		others = len(a.Validators)
		f.nested, known = fieldsOf(ctx, a.Attributes)
	default:
		return field{}, false
	}
	if comparesAttributes(f.texts) || comparesAttributes(f.whole) || comparesAttributes(f.lists) || comparesAttributes(f.maps) {
		return field{}, false
	}
	_, validatesItself := f.kind.ValueType(ctx).(xattr.ValidateableAttribute)
	f.hasValidator = validatesItself || len(f.texts)+len(f.whole)+len(f.lists)+len(f.maps) > 0
	return f, known && others == 0 && !validates(f.kind)
}

// comparesAttributes reports whether one of the validators reads other
// attributes. These validators (ConflictsWith, AlsoRequires and others) are all
// in one package.
func comparesAttributes[V any](validators []V) bool {
	return slices.ContainsFunc(validators, func(v V) bool {
		return path.Base(reflect.TypeOf(v).PkgPath()) == "schemavalidator"
	})
}

// validates reports whether a type has a Validate method, the predecessor of
// validation on values. Lists and maps ask their element types; numbers that
// the types for whole numbers would refuse are refused by valueOf already.
func validates(kind attr.Type) bool {
	switch kind := kind.(type) {
	case basetypes.Int64Type, basetypes.Int32Type, tfvalue.Int64Type, tfvalue.Int32Type:
		return false
	case basetypes.ListType:
		return validates(kind.ElementType())
	case basetypes.MapType:
		return validates(kind.ElementType())
	}
	_, old := kind.(xattr.TypeWithValidate) //nolint:staticcheck // detect types that use the deprecated interface
	return old
}

func validAll(ctx context.Context, fields map[string]field, object map[string]any) bool {
	if len(object) != len(fields) {
		return false
	}
	for name, raw := range object {
		if f, known := fields[name]; !known || !f.valid(ctx, raw) {
			return false
		}
	}
	return true
}

func (f field) valid(ctx context.Context, raw any) bool {
	if raw == nil && f.required || raw != nil && !f.configurable || f.hasValidator && !f.hasNoMessage(ctx, raw) {
		return false
	}
	if raw == nil || f.nested == nil {
		return true
	}
	elements := []any{raw}
	switch raw := raw.(type) {
	case []any:
		elements = raw
	case map[string]any:
		if f.isMap {
			elements = slices.Collect(maps.Values(raw))
		}
	}
	for _, element := range elements {
		if object, isObject := element.(map[string]any); !isObject || !validAll(ctx, f.nested, object) {
			return false
		}
	}
	return true
}

// hasNoMessage reports whether the value and its validators return no
// diagnostics. Validators get no path, which only diagnostics need, and no
// configuration, which only validators that compare attributes need.
func (f field) hasNoMessage(ctx context.Context, raw any) bool {
	value, ok := valueOf(ctx, f.kind, raw)
	if !ok {
		return false
	}
	var found diag.Diagnostics
	if validatable, has := value.(xattr.ValidateableAttribute); has {
		var resp xattr.ValidateAttributeResponse
		validatable.ValidateAttribute(ctx, xattr.ValidateAttributeRequest{}, &resp)
		found = resp.Diagnostics
	}
	switch value := value.(type) {
	case basetypes.StringValuable:
		text, diags := value.ToStringValue(ctx)
		found.Append(diags...)
		for _, v := range f.texts {
			var resp validator.StringResponse
			v.ValidateString(ctx, validator.StringRequest{ConfigValue: text}, &resp)
			found.Append(resp.Diagnostics...)
		}
	case basetypes.Int64Valuable:
		number, diags := value.ToInt64Value(ctx)
		found.Append(diags...)
		for _, v := range f.whole {
			var resp validator.Int64Response
			v.ValidateInt64(ctx, validator.Int64Request{ConfigValue: number}, &resp)
			found.Append(resp.Diagnostics...)
		}
	case basetypes.ListValuable:
		list, diags := value.ToListValue(ctx)
		found.Append(diags...)
		for _, v := range f.lists {
			var resp validator.ListResponse
			v.ValidateList(ctx, validator.ListRequest{ConfigValue: list}, &resp)
			found.Append(resp.Diagnostics...)
		}
	case basetypes.MapValuable:
		elements, diags := value.ToMapValue(ctx)
		found.Append(diags...)
		for _, v := range f.maps {
			var resp validator.MapResponse
			v.ValidateMap(ctx, validator.MapRequest{ConfigValue: elements}, &resp)
			found.Append(resp.Diagnostics...)
		}
	}
	return len(found) == 0
}
