package model

import (
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// AttrProgressDeadline is the name of the attribute.
const AttrProgressDeadline = "progress_deadline"

// DefaultProgressDeadline is that of Kubernetes for Deployments.
const DefaultProgressDeadline = 10 * time.Minute

// ProgressDeadline is how long a rollout may make no progress.
func ProgressDeadline(m Serving) time.Duration { return progressDeadline(m.ProgressDeadline) }

func progressDeadline(text types.String) time.Duration {
	deadline, err := tfvalue.ParseTimeLimit(text.ValueString())
	if err != nil {
		return DefaultProgressDeadline // not set, or rejected by the plan
	}
	return deadline
}

// KeepProgressDeadline keeps the default, as after an import, where the configuration
// leaves the deadline out.
func KeepProgressDeadline(planned, prior types.String) types.String {
	if planned.IsNull() && progressDeadline(prior) == DefaultProgressDeadline {
		return prior
	}
	return planned
}
