package deployment

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/privatestate"
)

// privateData is the private state of a deployment.
type privateData struct {
	// Imported is set after an import until the configuration has set the
	// attributes that the cluster does not store.
	Imported bool `json:"imported,omitempty"`
	// Observed is set if an import has read strings with a write-only
	// alternative. They are kept until the configuration sets all of them,
	// since a generated configuration does not contain them.
	Observed bool `json:"observed,omitempty"`
	// Uncertain is set if the response to the create was lost and the lookup
	// failed.
	Uncertain bool `json:"uncertain,omitempty"`
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

// configured returns the configuration to plan from, and the paths of the
// strings in it that only the state has.
func (p privateData) configured(config, state definition.Value) (kept definition.Value, observed []path.Path) {
	if !p.Observed {
		return config, nil
	}
	return deployment.KeepObserved(config, state)
}
