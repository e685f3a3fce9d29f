package tfvalue

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/attr/xattr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"k8s.io/apimachinery/pkg/api/resource"
)

var (
	_ basetypes.StringTypable                    = QuantityType{}
	_ basetypes.StringValuableWithSemanticEquals = Quantity{}
	_ xattr.ValidateableAttribute                = Quantity{}
)

// QuantityType is the type of a Kubernetes resource quantity, such as "0.5",
// "500m" or "1.5Gi". Equal amounts are semantically equal.
type QuantityType struct {
	basetypes.StringType
}

// String is the name of the type in diagnostics.
func (QuantityType) String() string { return "tfvalue.QuantityType" }

// Equal reports whether o is a QuantityType.
func (t QuantityType) Equal(o attr.Type) bool {
	other, ok := o.(QuantityType)
	return ok && t.StringType.Equal(other.StringType)
}

// ValueType returns an empty Quantity.
func (QuantityType) ValueType(context.Context) attr.Value { return Quantity{} }

// ValueFromString wraps a string value.
func (QuantityType) ValueFromString(_ context.Context, in basetypes.StringValue) (basetypes.StringValuable, diag.Diagnostics) {
	return Quantity{StringValue: in}, nil
}

// ValueFromTerraform decodes a value of the protocol.
func (t QuantityType) ValueFromTerraform(ctx context.Context, in tftypes.Value) (attr.Value, error) {
	value, err := t.StringType.ValueFromTerraform(ctx, in)
	if err != nil {
		return nil, err
	}
	text, ok := value.(basetypes.StringValue)
	if !ok {
		return nil, fmt.Errorf("unexpected value type %T of a quantity", value)
	}
	return Quantity{StringValue: text}, nil
}

// Quantity is a Kubernetes resource quantity as configured.
type Quantity struct {
	basetypes.StringValue
}

// NewQuantityValue returns a known quantity. The text is not checked here but
// in ValidateAttribute.
func NewQuantityValue(text string) Quantity {
	return Quantity{StringValue: basetypes.NewStringValue(text)}
}

// NewQuantityNull returns a quantity that is not set.
func NewQuantityNull() Quantity { return Quantity{StringValue: basetypes.NewStringNull()} }

// NewQuantityUnknown returns an unknown quantity.
func NewQuantityUnknown() Quantity { return Quantity{StringValue: basetypes.NewStringUnknown()} }

// Type returns QuantityType.
func (Quantity) Type(context.Context) attr.Type { return QuantityType{} }

// Equal reports whether o is a Quantity with the same text.
func (q Quantity) Equal(o attr.Value) bool {
	other, ok := o.(Quantity)
	return ok && q.StringValue.Equal(other.StringValue)
}

// StringSemanticEquals reports whether both denote the same amount.
func (q Quantity) StringSemanticEquals(_ context.Context, other basetypes.StringValuable) (bool, diag.Diagnostics) {
	o, ok := other.(Quantity)
	return ok && QuantityEqual(q.ValueString(), o.ValueString()), nil
}

// ValidateAttribute refuses a text that is not a quantity. Negative amounts are
// allowed: an imported serving may have one.
func (q Quantity) ValidateAttribute(_ context.Context, req xattr.ValidateAttributeRequest, resp *xattr.ValidateAttributeResponse) {
	if q.IsNull() || q.IsUnknown() {
		return
	}
	if _, err := ParseQuantity(q.ValueString()); err != nil {
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid quantity",
			fmt.Sprintf("%s: %s; to leave it unset, omit the attribute.", req.Path, InvalidQuantity(q.ValueString())))
	}
}

// Limits that are checked before the Kubernetes library parses a text: its run
// time grows with the power of ten, and an exponent of a few digits is enough
// to hang it. Kubernetes stores amounts from 1e-9 to 2^63-1.
const (
	maxQuantityLength   = 64
	maxQuantityExponent = 64
)

// ParseQuantity parses a quantity with the library of the Kubernetes server.
func ParseQuantity(text string) (resource.Quantity, error) {
	if len(text) > maxQuantityLength {
		return resource.Quantity{}, fmt.Errorf("longer than %d characters", maxQuantityLength)
	}
	if !boundedExponent(text) {
		return resource.Quantity{}, fmt.Errorf("an exponent beyond %d", maxQuantityExponent)
	}
	return resource.ParseQuantity(text)
}

// boundedExponent reports whether the exponent after the first e or E, if any,
// is within the limits. The units E and Ei are no exponents.
func boundedExponent(text string) bool {
	at := strings.IndexAny(text, "eE")
	if at < 0 || text[at:] == "E" || text[at:] == "Ei" {
		return true
	}
	exponent, err := strconv.Atoi(text[at+1:])
	return err == nil && exponent >= -maxQuantityExponent && exponent <= maxQuantityExponent
}

// Quote quotes user text in a message and truncates it.
func Quote(text string) string {
	if len(text) > maxQuantityLength {
		return fmt.Sprintf("%q... (%d characters)", strings.ToValidUTF8(text[:maxQuantityLength], "?"), utf8.RuneCountInString(text))
	}
	return strconv.Quote(text)
}

// QuantityEqual reports whether two texts denote the same amount. A text that
// is not a quantity equals only itself, so "" equals only "".
func QuantityEqual(a, b string) bool {
	if a == b {
		return true
	}
	x, errX := ParseQuantity(a)
	y, errY := ParseQuantity(b)
	return errX == nil && errY == nil && x.Cmp(y) == 0
}
