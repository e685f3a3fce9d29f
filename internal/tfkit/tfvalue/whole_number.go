package tfvalue

import (
	"context"
	"fmt"
	"math"
	"math/big"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

var (
	_ basetypes.Int32Typable = Int32Type{}
	_ basetypes.Int64Typable = Int64Type{}
)

// Int32Type is the type of a whole number from Min to Max. The framework
// (v1.19) converts numbers before any validation, and reports one that is not
// whole or too large as a bug of the provider. With this type it is an error on
// the attribute's path. Until that is reported the value is unknown, so that no
// other check uses it. The values are ordinary numbers; validators check Min
// and Max.
type Int32Type struct {
	basetypes.Int32Type
	Min, Max int32
}

// Equal reports whether o is this type or the ordinary number type.
func (t Int32Type) Equal(o attr.Type) bool {
	_, same := o.(Int32Type)
	return same || t.Int32Type.Equal(o)
}

// ValueFromTerraform decodes a value; an invalid number becomes unknown.
func (t Int32Type) ValueFromTerraform(ctx context.Context, in tftypes.Value) (attr.Value, error) {
	if number := knownNumber(in); number != nil && !isWhole(number, math.MinInt32, math.MaxInt32) {
		return basetypes.NewInt32Unknown(), nil
	}
	value, err := t.Int32Type.ValueFromTerraform(ctx, in)
	if err != nil {
		return nil, fmt.Errorf("reading a number: %w", err)
	}
	return value, nil
}

// Validate refuses a number that is not whole or out of range.
func (t Int32Type) Validate(_ context.Context, in tftypes.Value, at path.Path) diag.Diagnostics {
	return refuseNumber(in, at, math.MinInt32, math.MaxInt32, int64(t.Min), int64(t.Max))
}

// Int64Type is Int32Type for 64-bit numbers.
type Int64Type struct {
	basetypes.Int64Type
	Min, Max int64
}

// Equal reports whether o is this type or the ordinary number type.
func (t Int64Type) Equal(o attr.Type) bool {
	_, same := o.(Int64Type)
	return same || t.Int64Type.Equal(o)
}

// ValueFromTerraform decodes a value; an invalid number becomes unknown.
func (t Int64Type) ValueFromTerraform(ctx context.Context, in tftypes.Value) (attr.Value, error) {
	if number := knownNumber(in); number != nil && !isWhole(number, math.MinInt64, math.MaxInt64) {
		return basetypes.NewInt64Unknown(), nil
	}
	value, err := t.Int64Type.ValueFromTerraform(ctx, in)
	if err != nil {
		return nil, fmt.Errorf("reading a number: %w", err)
	}
	return value, nil
}

// Validate refuses a number that is not whole or out of range.
func (t Int64Type) Validate(_ context.Context, in tftypes.Value, at path.Path) diag.Diagnostics {
	return refuseNumber(in, at, math.MinInt64, math.MaxInt64, t.Min, t.Max)
}

// knownNumber returns the number of a value, or nil.
func knownNumber(in tftypes.Value) *big.Float {
	if in.Type() == nil || !in.IsKnown() || in.IsNull() {
		return nil
	}
	var number *big.Float
	if in.As(&number) != nil {
		return nil
	}
	return number
}

// isWhole reports whether a number is whole and in a range.
func isWhole(number *big.Float, from, to int64) bool {
	whole, accuracy := number.Int64()
	return accuracy == big.Exact && whole >= from && whole <= to
}

// invalidNumber is the summary of the error for a number.
const invalidNumber = "Invalid number"

// refuseNumber reports a number that is not whole or not between from and to;
// the message names lowest and highest as the allowed range.
func refuseNumber(in tftypes.Value, at path.Path, from, to, lowest, highest int64) (diags diag.Diagnostics) {
	number := knownNumber(in)
	if number == nil || isWhole(number, from, to) {
		return nil
	}
	diags.AddAttributeError(at, invalidNumber, fmt.Sprintf(
		"%s: %s. Use a whole number from %d to %d.", at, describeNumber(number), lowest, highest))
	return diags
}

// describeNumber describes an invalid number. The digits of a very large or
// very small number are not shown, since formatting them takes long.
func describeNumber(number *big.Float) string {
	const longest = 256 // bits
	exponent := number.MantExp(nil)
	switch {
	case number.IsInf() || exponent > longest:
		return "the number is too large or too small"
	case exponent < -longest:
		return "the number is a fraction"
	case number.IsInt():
		return number.Text('g', 40) + " is too large or too small"
	}
	return number.Text('g', 20) + " is not a whole number"
}
