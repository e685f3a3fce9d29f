package serving

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

const attrProgressDeadline = "progress_deadline"

// progressDeadline is how long a rollout may make no progress; zero is as long
// as the timeout.
func progressDeadline(m model) time.Duration {
	deadline, err := time.ParseDuration(m.ProgressDeadline.ValueString())
	if err != nil {
		return 0 // not set, or refused by the plan
	}
	return deadline
}

// keepProgressDeadline takes an empty deadline, which an import leaves, for none.
func keepProgressDeadline(planned, prior types.String) types.String {
	if planned.IsNull() && !prior.IsNull() && prior.ValueString() == "" {
		return prior
	}
	return planned
}

// positiveDuration accepts durations above zero, and an empty text for none.
type positiveDuration struct{}

// Description says what is accepted.
func (positiveDuration) Description(context.Context) string {
	return `must be a duration above zero, such as "90s", "2m" or "1h30m"`
}

// MarkdownDescription is Description.
func (d positiveDuration) MarkdownDescription(ctx context.Context) string { return d.Description(ctx) }

// ValidateString refuses everything else.
func (d positiveDuration) ValidateString(ctx context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() || req.ConfigValue.ValueString() == "" {
		return
	}
	if duration, err := time.ParseDuration(req.ConfigValue.ValueString()); err != nil || duration <= 0 {
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid duration",
			fmt.Sprintf("%s is %.40q; it %s. Leave it out to wait until the timeout.", req.Path, req.ConfigValue.ValueString(), d.Description(ctx)))
	}
}
