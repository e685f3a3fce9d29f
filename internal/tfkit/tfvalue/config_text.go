package tfvalue

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

var (
	_ basetypes.StringTypable                    = ConfigTextType{}
	_ basetypes.StringValuableWithSemanticEquals = ConfigText{}
)

// ConfigTextType is the type of a configuration text, which often is JSON. Two
// JSON texts with the same content are equal.
type ConfigTextType struct {
	basetypes.StringType
}

// String is the name of the type in diagnostics.
func (ConfigTextType) String() string { return "tfvalue.ConfigTextType" }

// Equal reports whether o is a ConfigTextType.
func (t ConfigTextType) Equal(o attr.Type) bool {
	other, ok := o.(ConfigTextType)
	return ok && t.StringType.Equal(other.StringType)
}

// ValueType returns an empty ConfigText.
func (ConfigTextType) ValueType(context.Context) attr.Value { return ConfigText{} }

// ValueFromString wraps a string value.
func (ConfigTextType) ValueFromString(_ context.Context, in basetypes.StringValue) (basetypes.StringValuable, diag.Diagnostics) {
	return ConfigText{StringValue: in}, nil
}

// ValueFromTerraform decodes a value of the protocol.
func (t ConfigTextType) ValueFromTerraform(ctx context.Context, in tftypes.Value) (attr.Value, error) {
	value, err := t.StringType.ValueFromTerraform(ctx, in)
	if err != nil {
		return nil, err
	}
	text, ok := value.(basetypes.StringValue)
	if !ok {
		return nil, fmt.Errorf("unexpected value type %T of a configuration text", value)
	}
	return ConfigText{StringValue: text}, nil
}

// ConfigText is a configuration text as configured.
type ConfigText struct {
	basetypes.StringValue
}

// NewConfigTextValue returns a known configuration text.
func NewConfigTextValue(text string) ConfigText {
	return ConfigText{StringValue: basetypes.NewStringValue(text)}
}

// NewConfigTextNull returns a configuration text that is not set.
func NewConfigTextNull() ConfigText { return ConfigText{StringValue: basetypes.NewStringNull()} }

// NewConfigTextUnknown returns an unknown configuration text.
func NewConfigTextUnknown() ConfigText { return ConfigText{StringValue: basetypes.NewStringUnknown()} }

// String hides the text from logs: the framework logs values of types with
// semantic equality at trace level, and a configuration text may contain
// storage keys.
func (c ConfigText) String() string {
	if c.IsNull() || c.IsUnknown() {
		return c.StringValue.String()
	}
	return "(configuration text)"
}

// Type returns ConfigTextType.
func (ConfigText) Type(context.Context) attr.Type { return ConfigTextType{} }

// Equal reports whether o is an identical ConfigText.
func (c ConfigText) Equal(o attr.Value) bool {
	other, ok := o.(ConfigText)
	return ok && c.StringValue.Equal(other.StringValue)
}

// StringSemanticEquals reports whether both have the same content.
func (c ConfigText) StringSemanticEquals(_ context.Context, other basetypes.StringValuable) (bool, diag.Diagnostics) {
	o, ok := other.(ConfigText)
	return ok && ConfigTextEqual(c.ValueString(), o.ValueString()), nil
}
