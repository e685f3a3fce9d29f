package tfvalue

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/action/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// InvokeTimeouts is the attribute timeouts of an action. description is that of
// its attribute invoke.
func InvokeTimeouts(ctx context.Context, description string) schema.Attribute {
	attribute := timeouts.AttributesWithOpts(ctx, timeouts.Opts{InvokeDescription: description})
	nested, ok := attribute.(schema.SingleNestedAttribute)
	if !ok {
		return attribute
	}
	nested.MarkdownDescription = TimeLimitsDescription
	if text, ok := nested.Attributes["invoke"].(schema.StringAttribute); ok {
		text.Validators = []validator.String{TimeLimit()}
		nested.Attributes["invoke"] = text
	}
	return nested
}
