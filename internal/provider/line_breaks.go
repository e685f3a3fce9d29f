package provider

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// withoutLineBreak removes line breaks at the end of a setting: file() and the
// secrets of a CI often have one, and no setting needs it.
func withoutLineBreak(text string) string { return strings.TrimRight(text, "\r\n") }

// withoutLineBreaks does so for every variable.
func withoutLineBreaks(getenv func(string) string) func(string) string {
	return func(name string) string { return withoutLineBreak(getenv(name)) }
}

// readBlock reads the provider block, each text without line breaks at its end.
func readBlock(ctx context.Context, config tfsdk.Config) (b block, diags diag.Diagnostics) {
	raw, err := tftypes.Transform(config.Raw, func(_ *tftypes.AttributePath, v tftypes.Value) (tftypes.Value, error) {
		var text string
		if !v.Type().Is(tftypes.String) || v.IsNull() || !v.IsKnown() {
			return v, nil
		}
		if err := v.As(&text); err != nil {
			return v, fmt.Errorf("read a text: %w", err)
		}
		return tftypes.NewValue(tftypes.String, withoutLineBreak(text)), nil
	})
	if err != nil {
		diags.AddError("Unable to read the provider block", err.Error())
		return b, diags
	}
	config.Raw = raw
	diags = config.Get(ctx, &b)
	return b, diags
}
