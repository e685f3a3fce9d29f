package rollout

import (
	"context"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
)

// BoundedDeadline is how long a delete takes at most.
func BoundedDeadline(ctx context.Context) (left time.Duration, has bool) {
	ctx, cancel := bounded(ctx)
	defer cancel()
	deadline, has := ctx.Deadline()
	return time.Until(deadline), has
}

// Delete deletes a Rollout without the check before.
func Delete(ctx context.Context, c *clients.Clients, namespace, name string, promote bool) error {
	before := &object{promote: promote}
	before.Metadata.Namespace, before.Metadata.Name = namespace, name
	return calls(c).DeleteObject(ctx, before)
}

// What the tests in the other package use.
var (
	Rollout        = rollout
	TrafficRouting = trafficRouting
)

// ApprovalDefinition has the rows of kuscia_rollout_approval.
var ApprovalDefinition = approvalDefinition
