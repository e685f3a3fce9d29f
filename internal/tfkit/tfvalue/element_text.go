package tfvalue

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// ElementTextType is the type of a required text in the elements of a list.
// While an element is unknown as a whole, the framework (v1.19) takes what is
// in it for left out and refuses the configuration; with this type it is
// unknown. A null element is not refused any more either: whoever uses the
// type has to do that. The values are ordinary strings.
type ElementTextType struct{ basetypes.StringType }

var _ basetypes.StringTypable = ElementTextType{}

// Equal reports whether o is this type, or the ordinary one of the values.
func (t ElementTextType) Equal(o attr.Type) bool {
	if _, ok := o.(ElementTextType); ok {
		return true
	}
	return t.StringType.Equal(o)
}

// ValueFromTerraform makes a value; one without a type stands for something
// within an unknown value.
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
