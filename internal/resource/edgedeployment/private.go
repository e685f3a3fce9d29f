package edgedeployment

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/privatestate"
)

// privateData is what the provider remembers of a deployment beside the state.
type privateData struct {
	// Imported says that nobody has said yet what the attributes are that IEF
	// does not know.
	Imported bool `json:"imported,omitempty"`
	// Uncertain says that the answer to the create was lost and nobody could be
	// asked: the deployment is found by its name, or there is none.
	Uncertain bool `json:"uncertain,omitempty"`
	// Rollout is what the last create or update still has to be seen to do.
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
