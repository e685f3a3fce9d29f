package deployment

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/privatestate"
)

// privateData is the private state of a deployment.
type privateData struct {
	crud.Origin

	// Deployed has the digests of the app image from which the Deployment of
	// each party was created, by the key of the party; see
	// party.DefinitionDigests.
	Deployed map[string]map[string]string `json:"deployed,omitempty"`
}

const privateKey = "deployment"

func loadPrivate(ctx context.Context, from privatestate.Getter, diags *diag.Diagnostics) privateData {
	data, _ := privatestate.Load[privateData](ctx, from, privateKey, diags)
	return data
}

func savePrivate(ctx context.Context, to privatestate.Setter, data privateData, diags *diag.Diagnostics) {
	privatestate.Save(ctx, to, privateKey, data, diags)
}
