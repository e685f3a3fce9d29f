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
	_ basetypes.MapTypable  = partlyUnknownMapType{}
	_ basetypes.MapValuable = partlyUnknownMap{}
)

// partlyUnknownMapType is partlyUnknownListType for maps.
type partlyUnknownMapType struct{ basetypes.MapType }

// partlyUnknownMap appears as unknown to the framework while an element is unknown or null.
type partlyUnknownMap struct{ basetypes.MapValue }

func newPartlyUnknownMapType(element attr.Type) partlyUnknownMapType {
	return partlyUnknownMapType{basetypes.MapType{ElemType: element}}
}

// String is the name of the type in diagnostics.
func (t partlyUnknownMapType) String() string {
	return "definition.partlyUnknownMapType[" + t.ElemType.String() + "]"
}

// Equal reports whether o is a partlyUnknownMapType with the same element type.
func (t partlyUnknownMapType) Equal(o attr.Type) bool {
	other, ok := o.(partlyUnknownMapType)
	return ok && t.MapType.Equal(other.MapType)
}

// WithElementType returns the type with another element type.
func (t partlyUnknownMapType) WithElementType(element attr.Type) attr.TypeWithElementType {
	return newPartlyUnknownMapType(element)
}

// ValueType returns an empty map.
func (t partlyUnknownMapType) ValueType(context.Context) attr.Value {
	return partlyUnknownMap{basetypes.NewMapNull(t.ElemType)}
}

// ValueFromMap wraps a map value.
func (t partlyUnknownMapType) ValueFromMap(_ context.Context, in basetypes.MapValue) (basetypes.MapValuable, diag.Diagnostics) {
	return partlyUnknownMap{in}, nil
}

// ValueFromTerraform decodes a value of the protocol.
func (t partlyUnknownMapType) ValueFromTerraform(ctx context.Context, in tftypes.Value) (attr.Value, error) {
	value, err := t.MapType.ValueFromTerraform(ctx, in)
	if err != nil {
		return nil, err
	}
	elements, ok := value.(basetypes.MapValue)
	if !ok {
		return nil, fmt.Errorf("unexpected value type %T of a map", value)
	}
	return partlyUnknownMap{elements}, nil
}

// Type returns partlyUnknownMapType.
func (m partlyUnknownMap) Type(ctx context.Context) attr.Type {
	return newPartlyUnknownMapType(m.ElementType(ctx))
}

// Equal reports whether o is a partlyUnknownMap with the same elements.
func (m partlyUnknownMap) Equal(o attr.Value) bool {
	other, ok := o.(partlyUnknownMap)
	return ok && m.MapValue.Equal(other.MapValue)
}

// ToMapValue returns the elements; the framework calls it to validate and plan them.
func (m partlyUnknownMap) ToMapValue(ctx context.Context) (basetypes.MapValue, diag.Diagnostics) {
	for _, element := range m.Elements() {
		if element.IsUnknown() || element.IsNull() {
			return basetypes.NewMapUnknown(m.ElementType(ctx)), nil
		}
	}
	return m.MapValue, nil
}
