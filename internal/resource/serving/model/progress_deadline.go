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

// DefaultProgressDeadline is that of Kubernetes for Deployments.
const DefaultProgressDeadline = 10 * time.Minute

// ProgressDeadline is how long a rollout may make no progress.
func ProgressDeadline(m Serving) time.Duration {
	deadline, err := tfvalue.ParseTimeLimit(m.ProgressDeadline.ValueString())
	if err != nil {
		return DefaultProgressDeadline // not set, or rejected by the plan
	}
	return deadline
}

// KeepProgressDeadline treats an empty deadline, as after an import, as unset.
func KeepProgressDeadline(planned, prior types.String) types.String {
	if planned.IsNull() && !prior.IsNull() && prior.ValueString() == "" {
		return prior
	}
	return planned
}

// OptionalTimeLimit accepts what tfvalue.TimeLimit accepts and the empty string,
// which a configuration generated for an import has for an unset value.
type OptionalTimeLimit struct{ validator.String }

// ValidateString rejects everything else.
func (v OptionalTimeLimit) ValidateString(ctx context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() || req.ConfigValue.ValueString() != "" {
		v.String.ValidateString(ctx, req, resp)
	}
}
