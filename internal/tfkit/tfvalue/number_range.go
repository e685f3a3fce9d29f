package tfvalue

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// Between validates a whole number with two bounds.
func Between(least, most int32) validator.Int32 { return rangeValidator{int64(least), int64(most)} }

// rangeValidator validates a whole number; unlike the validators of the framework, it has the
// same message as numbers that are not whole.
type rangeValidator struct{ least, most int64 }

// Description describes the allowed values.
func (v rangeValidator) Description(context.Context) string {
	return fmt.Sprintf("a whole number from %d to %d", v.least, v.most)
}

// MarkdownDescription describes the allowed values.
func (v rangeValidator) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateInt32 validates a known value.
func (v rangeValidator) ValidateInt32(ctx context.Context, req validator.Int32Request, resp *validator.Int32Response) {
	if problem := v.problem(ctx, req.Path, int64(req.ConfigValue.ValueInt32())); !req.ConfigValue.IsNull() && !req.ConfigValue.IsUnknown() && problem != "" {
		resp.Diagnostics.AddAttributeError(req.Path, invalidNumber, problem)
	}
}

func (v rangeValidator) problem(ctx context.Context, at path.Path, number int64) string {
	if number >= v.least && number <= v.most {
		return ""
	}
	return fmt.Sprintf("%s: %d is out of range. Use %s.", at, number, v.Description(ctx))
}
