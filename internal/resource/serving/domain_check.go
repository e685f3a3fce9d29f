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

// otherBlock is why what a configuration creates may be refused as missing: the CLI
// starts a process for each provider block.
const otherBlock = "What another provider block creates is not known here: use the same block for both, or apply that first (terraform apply -target=ADDRESS)."

// checkDomains refuses a new serving with a party in a domain that does not
// exist: Kuscia accepts it and never says what it waits for. Nodes that do not
// tell of domains are left alone, and so is one that cannot be asked just now:
// the requests that follow meet the same trouble and explain it.
//
// A domain that something else in the same run creates has to be referred to.
// Terraform does things that do not refer to each other at the same time, so
// that such a run fails by chance; it is refused before it does anything.
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
			"Kuscia has no domain %q (error code %d). It would accept the serving and never start it. Correct domain_id, or create the domain first; where this configuration creates it, refer to the resource that does, so that Terraform keeps the order. %s Check also that endpoint is the Kuscia that you mean.",
			p.DomainID.ValueString(), kuscia.CodeDomainNotExists, otherBlock)))
	}
}
