package rollout

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
)

// BoundedDeadline returns the time limit of a delete.
func BoundedDeadline(ctx context.Context) (left time.Duration, has bool) {
	ctx, cancel := bounded(ctx)
	defer cancel()
	deadline, has := ctx.Deadline()
	return time.Until(deadline), has
}

// Delete deletes a Rollout without the guard.
func Delete(ctx context.Context, c *clients.Clients, namespace, name string, promote bool) error {
	before := &object{promote: promote}
	before.Metadata.Namespace, before.Metadata.Name = namespace, name
	return calls(c).DeleteObject(ctx, before, &diag.Diagnostics{})
}

// Exports for the external test package.
var (
	Rollout        = rollout
	TrafficRouting = trafficRouting
)

// ApprovalDefinition defines the attributes of kuscia_rollout_approval.
var ApprovalDefinition = approvalDefinition

// StepFor is stepFor.
var StepFor = stepFor
