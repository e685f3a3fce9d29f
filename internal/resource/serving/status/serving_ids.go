package status

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// servingIDsValidator rejects null and empty elements.
type servingIDsValidator struct{}

func (servingIDsValidator) Description(context.Context) string {
	return "elements must not be null or empty"
}

func (v servingIDsValidator) MarkdownDescription(ctx context.Context) string {
	return v.Description(ctx)
}

func (servingIDsValidator) ValidateList(_ context.Context, req validator.ListRequest, resp *validator.ListResponse) {
	for i, element := range req.ConfigValue.Elements() {
		id, ok := element.(types.String)
		if !ok || id.IsUnknown() || id.ValueString() != "" {
			continue
		}
		is := "an empty string"
		if id.IsNull() {
			is = "null"
		}
		at := req.Path.AtListIndex(i)
		resp.Diagnostics.AddAttributeError(at, "Element without a serving_id", fmt.Sprintf(
			"%s is %s. Every element must be the serving_id of a serving; remove this one, for example with compact(...).", at, is))
	}
}
