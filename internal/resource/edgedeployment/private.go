package edgedeployment

import (
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/privatestate"
)

// privateData is the private state of a deployment.
type privateData struct {
	// Flags say what of the state is not certain yet. An uncertain one is
	// found by its name, or there is none.
	crud.Flags

	// Rollout is the part of the last create or update that has to be observed.
	Rollout rollout `json:"rollout,omitzero"`
}

const privateKey privatestate.Key[privateData] = "deployment"
