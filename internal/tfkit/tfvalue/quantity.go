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
// "500m" or "1.5Gi". Values that denote the same amount are equal.
type QuantityType struct {
	basetypes.StringType
}

// String names the type in diagnostics.
func (QuantityType) String() string { return "tfvalue.QuantityType" }

// Equal reports whether o is a QuantityType too.
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

// ValueFromTerraform decodes a value that came over the protocol.
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

// Quantity is a Kubernetes resource quantity as the user spelled it.
type Quantity struct {
	basetypes.StringValue
}

// NewQuantityValue returns a known quantity. The text is not checked here:
// ValidateAttribute does, where Terraform asks for it.
func NewQuantityValue(text string) Quantity {
	return Quantity{StringValue: basetypes.NewStringValue(text)}
}

// NewQuantityNull returns a quantity that is not set.
func NewQuantityNull() Quantity { return Quantity{StringValue: basetypes.NewStringNull()} }

// NewQuantityUnknown returns a quantity that is not known yet.
func NewQuantityUnknown() Quantity { return Quantity{StringValue: basetypes.NewStringUnknown()} }

// Type returns QuantityType.
func (Quantity) Type(context.Context) attr.Type { return QuantityType{} }

// Equal reports whether o is a Quantity with the same spelling.
func (q Quantity) Equal(o attr.Value) bool {
	other, ok := o.(Quantity)
	return ok && q.StringValue.Equal(other.StringValue)
}

// StringSemanticEquals reports whether both denote the same amount.
func (q Quantity) StringSemanticEquals(_ context.Context, other basetypes.StringValuable) (bool, diag.Diagnostics) {
	o, ok := other.(Quantity)
	return ok && QuantityEqual(q.ValueString(), o.ValueString()), nil
}

// ValidateAttribute refuses text that is not a quantity. A negative amount is
// one, and an imported serving may have it.
func (q Quantity) ValidateAttribute(_ context.Context, req xattr.ValidateAttributeRequest, resp *xattr.ValidateAttributeResponse) {
	if q.IsNull() || q.IsUnknown() {
		return
	}
	if _, err := ParseQuantity(q.ValueString()); err != nil {
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid quantity",
			fmt.Sprintf("%s: %s is not a Kubernetes quantity. Write a number with an optional unit, for example \"0.5\" or \"500m\" for CPU, \"512Mi\" or \"2Gi\" for memory; to leave it unset, omit the attribute.", req.Path, Quote(q.ValueString())))
	}
}

// What is parsed is bounded before any library sees it: the time of the
// Kubernetes library grows with the power of ten that an exponent of a few
// digits names. Kubernetes keeps amounts from 1e-9 to 2^63-1.
const (
	maxQuantityLength   = 64
	maxQuantityExponent = 64
)

// ParseQuantity parses a quantity with the Kubernetes library, the same one
// that the server uses.
func ParseQuantity(text string) (resource.Quantity, error) {
	if len(text) > maxQuantityLength {
		return resource.Quantity{}, fmt.Errorf("longer than %d characters", maxQuantityLength)
	}
	if !boundedExponent(text) {
		return resource.Quantity{}, fmt.Errorf("an exponent beyond %d", maxQuantityExponent)
	}
	return resource.ParseQuantity(text)
}

// boundedExponent reports whether what follows the first e or E, if anything,
// is an exponent that is in bounds. The units E and Ei are none.
func boundedExponent(text string) bool {
	at := strings.IndexAny(text, "eE")
	if at < 0 || text[at:] == "E" || text[at:] == "Ei" {
		return true
	}
	exponent, err := strconv.Atoi(text[at+1:])
	return err == nil && exponent >= -maxQuantityExponent && exponent <= maxQuantityExponent
}

// Quote shows a text of a user in a message, cut where it is long.
func Quote(text string) string {
	if len(text) > maxQuantityLength {
		return fmt.Sprintf("%q... (%d characters)", strings.ToValidUTF8(text[:maxQuantityLength], "?"), utf8.RuneCountInString(text))
	}
	return strconv.Quote(text)
}

// QuantityEqual reports whether two spellings denote the same amount. Text
// that is not a quantity is equal only to itself, so "" equals only "".
func QuantityEqual(a, b string) bool {
	if a == b {
		return true
	}
	x, errX := ParseQuantity(a)
	y, errY := ParseQuantity(b)
	return errX == nil && errY == nil && x.Cmp(y) == 0
}
