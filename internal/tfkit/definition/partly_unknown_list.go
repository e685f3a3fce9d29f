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
	_ basetypes.ListTypable  = partlyUnknownListType{}
	_ basetypes.ListValuable = partlyUnknownList{}
)

// partlyUnknownListType is the type of a list of objects in which a whole
// element may be unknown, such as `containers = [module.app.container]`, or null, which
// is a problem of its own. For an ordinary list the framework treats the attributes of such
// an element as null and reports every required one as missing (framework 1.19, its issue 186).
type partlyUnknownListType struct{ basetypes.ListType }

// partlyUnknownList appears as unknown to the framework while an element is
// unknown or null. Plans contain the elements, unchanged.
type partlyUnknownList struct{ basetypes.ListValue }

func newPartlyUnknownListType(element attr.Type) partlyUnknownListType {
	return partlyUnknownListType{basetypes.ListType{ElemType: element}}
}

// String is the name of the type in diagnostics.
func (t partlyUnknownListType) String() string {
	return "definition.partlyUnknownListType[" + t.ElemType.String() + "]"
}

// Equal reports whether o is a partlyUnknownListType with the same element
// type.
func (t partlyUnknownListType) Equal(o attr.Type) bool {
	other, ok := o.(partlyUnknownListType)
	return ok && t.ListType.Equal(other.ListType)
}

// WithElementType returns the type with another element type.
func (t partlyUnknownListType) WithElementType(element attr.Type) attr.TypeWithElementType {
	return newPartlyUnknownListType(element)
}

// ValueType returns an empty list.
func (t partlyUnknownListType) ValueType(context.Context) attr.Value {
	return partlyUnknownList{basetypes.NewListNull(t.ElemType)}
}

// ValueFromList wraps a list value.
func (t partlyUnknownListType) ValueFromList(_ context.Context, in basetypes.ListValue) (basetypes.ListValuable, diag.Diagnostics) {
	return partlyUnknownList{in}, nil
}

// ValueFromTerraform decodes a value of the protocol.
func (t partlyUnknownListType) ValueFromTerraform(ctx context.Context, in tftypes.Value) (attr.Value, error) {
	value, err := t.ListType.ValueFromTerraform(ctx, in)
	if err != nil {
		return nil, err
	}
	list, ok := value.(basetypes.ListValue)
	if !ok {
		return nil, fmt.Errorf("unexpected value type %T of a list", value)
	}
	return partlyUnknownList{list}, nil
}

// Type returns partlyUnknownListType.
func (l partlyUnknownList) Type(ctx context.Context) attr.Type {
	return newPartlyUnknownListType(l.ElementType(ctx))
}

// Equal reports whether o is a partlyUnknownList with the same elements.
func (l partlyUnknownList) Equal(o attr.Value) bool {
	other, ok := o.(partlyUnknownList)
	return ok && l.ListValue.Equal(other.ListValue)
}

// ToListValue returns the elements; the framework calls it to validate and plan
// them.
func (l partlyUnknownList) ToListValue(ctx context.Context) (basetypes.ListValue, diag.Diagnostics) {
	for _, element := range l.Elements() {
		if element.IsUnknown() || element.IsNull() {
			return basetypes.NewListUnknown(l.ElementType(ctx)), nil
		}
	}
	return l.ListValue, nil
}
