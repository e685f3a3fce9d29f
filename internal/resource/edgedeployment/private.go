package edgedeployment

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/privatestate"
)

// privateData is the private state of a deployment.
type privateData struct {
	// Imported is set after an import until the configuration has set the
	// attributes that IEF does not store.
	Imported bool `json:"imported,omitempty"`
	// Uncertain is set if the response to the create was lost and the lookup
	// failed: a deployment is found by its name, or there is none.
	Uncertain bool `json:"uncertain,omitempty"`
	// Rollout is the part of the last create or update that has to be observed.
	Rollout rollout `json:"rollout,omitzero"`
}

const privateKey = "deployment"

func loadPrivate(ctx context.Context, from privatestate.Getter, diags *diag.Diagnostics) privateData {
	data, _ := privatestate.Load[privateData](ctx, from, privateKey, diags)
	return data
}

func savePrivate(ctx context.Context, to privatestate.Setter, data privateData, diags *diag.Diagnostics) {
	privatestate.Save(ctx, to, privateKey, data, diags)
}
