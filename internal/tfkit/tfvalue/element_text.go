package tfvalue

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// ElementTextType is the type of a required string in the elements of a list.
// While a whole element is unknown, the framework (v1.19) treats the string as
// missing and reports an error; with this type it is unknown. As a consequence,
// the framework does not report a null element any more: the resource has to.
// The values are ordinary strings.
type ElementTextType struct{ basetypes.StringType }

var _ basetypes.StringTypable = ElementTextType{}

// Equal reports whether o is this type or the ordinary string type.
func (t ElementTextType) Equal(o attr.Type) bool {
	if _, ok := o.(ElementTextType); ok {
		return true
	}
	return t.StringType.Equal(o)
}

// ValueFromTerraform decodes a value; a value without a type is part of an
// unknown value.
func (t ElementTextType) ValueFromTerraform(ctx context.Context, in tftypes.Value) (attr.Value, error) {
	if in.Type() == nil {
		return basetypes.NewStringUnknown(), nil
	}
	value, err := t.StringType.ValueFromTerraform(ctx, in)
	if err != nil {
		return nil, fmt.Errorf("reading a text: %w", err)
	}
	return value, nil
}
