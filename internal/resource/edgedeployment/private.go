package edgedeployment

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/privatestate"
)

// privateData is the private state of a deployment.
type privateData struct {
	// Origin says how the deployment came into the state. An uncertain one is
	// found by its name, or there is none.
	crud.Origin

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
