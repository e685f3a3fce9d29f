package serving

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/model"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
)

// otherBlock explains why an object that the configuration creates may be
// rejected as missing: the CLI starts a process for each provider block.
const otherBlock = "Objects that another provider block creates are unknown here: use the same block for both, or apply that first (terraform apply -target=ADDRESS)."

// checkDomains rejects a new serving with a party in a domain that does not
// exist: Kuscia accepts such a serving and never reports why it does not start.
// Nodes that refuse queries of domains are skipped, and so is a node that cannot
// be queried at the moment: the requests that follow fail with the same error
// and report it.
//
// A domain that is created in the same run must be referenced. Terraform applies
// resources that do not refer to each other concurrently, so that such a run
// would fail at random; it is rejected before anything is sent.
func checkDomains(ctx context.Context, c *clients.Clients, planned model.Serving, diags *diag.Diagnostics) {
	parties := planned.Parties.Items
	for i, p := range parties {
		if p.Unknown || p.DomainID.ValueString() == "" {
			continue
		}
		if _, err := c.Domains.Get(ctx, p.DomainID.ValueString()); !errors.Is(err, kuscia.ErrNotFound) {
			continue
		}
		at := path.Root("parties").AtListIndex(i).AtName("domain_id")
		diags.AddAttributeError(at, "Domain does not exist", check.WithPath(at, fmt.Sprintf(
			"Kuscia has no domain %q (error code %d). It would accept the serving and never start it. Correct domain_id, or create the domain first; if this configuration creates it, refer to that resource, so that Terraform creates it first. %s Also check that endpoint is the intended Kuscia.",
			p.DomainID.ValueString(), kuscia.CodeDomainNotExists, otherBlock)))
	}
}
