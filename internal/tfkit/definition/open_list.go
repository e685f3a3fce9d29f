package definition

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

var (
	_ basetypes.ListTypable  = openListType{}
	_ basetypes.ListValuable = openList{}
)

// openListType is the type of a list of objects in which an element may be
// unknown as a whole, such as `containers = [module.app.container]`. For an
// ordinary list the framework takes the attributes of such an element for null
// and reports every required one as missing (framework 1.19, its issue 186).
type openListType struct{ basetypes.ListType }

// openList counts as unknown, for the framework, as long as an element is. The
// values themselves are passed on unchanged.
type openList struct{ basetypes.ListValue }

func newOpenListType(element attr.Type) openListType {
	return openListType{basetypes.ListType{ElemType: element}}
}

// String names the type in diagnostics.
func (t openListType) String() string { return "definition.openListType[" + t.ElemType.String() + "]" }

// Equal reports whether o is such a list of the same elements.
func (t openListType) Equal(o attr.Type) bool {
	other, ok := o.(openListType)
	return ok && t.ListType.Equal(other.ListType)
}

// WithElementType returns the type with other elements.
func (t openListType) WithElementType(element attr.Type) attr.TypeWithElementType {
	return newOpenListType(element)
}

// ValueType returns an empty list.
func (t openListType) ValueType(context.Context) attr.Value {
	return openList{basetypes.NewListNull(t.ElemType)}
}

// ValueFromList wraps a list value.
func (t openListType) ValueFromList(_ context.Context, in basetypes.ListValue) (basetypes.ListValuable, diag.Diagnostics) {
	return openList{in}, nil
}

// ValueFromTerraform decodes a value that came over the protocol.
func (t openListType) ValueFromTerraform(ctx context.Context, in tftypes.Value) (attr.Value, error) {
	value, err := t.ListType.ValueFromTerraform(ctx, in)
	if err != nil {
		return nil, err
	}
	list, ok := value.(basetypes.ListValue)
	if !ok {
		return nil, fmt.Errorf("unexpected value type %T of a list", value)
	}
	return openList{list}, nil
}

// Type returns openListType.
func (l openList) Type(ctx context.Context) attr.Type { return newOpenListType(l.ElementType(ctx)) }

// Equal reports whether o is such a list with the same elements.
func (l openList) Equal(o attr.Value) bool {
	other, ok := o.(openList)
	return ok && l.ListValue.Equal(other.ListValue)
}

// ToListValue is how the framework gets at the elements in order to validate
// and plan them.
func (l openList) ToListValue(ctx context.Context) (basetypes.ListValue, diag.Diagnostics) {
	for _, element := range l.Elements() {
		if element.IsUnknown() {
			return basetypes.NewListUnknown(l.ElementType(ctx)), nil
		}
	}
	return l.ListValue, nil
}
