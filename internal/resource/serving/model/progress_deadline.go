package model

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// AttrProgressDeadline is the name of the attribute.
const AttrProgressDeadline = "progress_deadline"

// ProgressDeadline is how long a rollout may make no progress; zero is as long
// as the timeout.
func ProgressDeadline(m Serving) time.Duration {
	deadline, err := tfvalue.ParseTimeLimit(m.ProgressDeadline.ValueString())
	if err != nil {
		return 0 // not set, or refused by the plan
	}
	return deadline
}

// KeepProgressDeadline takes an empty deadline, which an import leaves, for none.
func KeepProgressDeadline(planned, prior types.String) types.String {
	if planned.IsNull() && !prior.IsNull() && prior.ValueString() == "" {
		return prior
	}
	return planned
}

// OptionalTimeLimit accepts what tfvalue.TimeLimit does, and an empty text, which
// the configuration that is generated for an import has for none.
type OptionalTimeLimit struct{ validator.String }

// ValidateString refuses everything else.
func (v OptionalTimeLimit) ValidateString(ctx context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() || req.ConfigValue.ValueString() != "" {
		v.String.ValidateString(ctx, req, resp)
	}
}
