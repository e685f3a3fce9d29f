package rollout

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
)

// Delete deletes a Rollout without the guard.
func Delete(ctx context.Context, c *run.Run, namespace, name string, promote bool) error {
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
