package rollout

import (
	"context"
	"time"
)

// BoundedDeadline is how long a delete takes at most.
func BoundedDeadline(ctx context.Context) (left time.Duration, has bool) {
	ctx, cancel := bounded(ctx)
	defer cancel()
	deadline, has := ctx.Deadline()
	return time.Until(deadline), has
}

// What the tests in the other package use.
var (
	Rollout        = rollout
	TrafficRouting = trafficRouting
)

// ApprovalDefinition has the rows of kuscia_rollout_approval.
var ApprovalDefinition = approvalDefinition
