package model

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Serving is kuscia_serving in configuration, plan and state: what the rules see of a value
// of Terraform (Of, Value).
type Serving struct {
	Attributes
	Parties Parties
}

// Attributes are those that the rules use in the framework's types.
type Attributes struct {
	ID                 types.String
	ServingID          types.String
	Initiator          types.String
	ServingInputConfig types.String
	// ServingInputConfigWO is in a configuration only; plan and state have null.
	ServingInputConfigWO      types.String
	ServingInputConfigVersion types.Int64
	AffinityMode              types.String
	RedeployTriggers          types.Map
	ReplaceTriggers           types.Map
	WaitForRollout            types.Bool
	ProgressDeadline          types.String
	// FollowAppImage is whether a new image of an app image is rolled out.
	FollowAppImage types.Bool
	// RolloutComplete is false until the last rollout has been observed to be
	// complete, and null if there is no wait for it or it has not been read yet.
	RolloutComplete types.Bool
	CreateTime      types.String
	Endpoints       types.Map
	Timeouts        types.Object
}

// Equal reports whether two states are identical.
func (m Serving) Equal(other Serving) bool {
	return m.ID.Equal(other.ID) && SameReadable(m, other) && SameNotReturned(m, other) &&
		m.RolloutComplete.Equal(other.RolloutComplete) && m.CreateTime.Equal(other.CreateTime) && m.Endpoints.Equal(other.Endpoints)
}

// Known reports whether nothing that is sent to Kuscia is unknown in a planned serving.
func (m Serving) Known() bool {
	return !m.ServingInputConfig.IsUnknown() && !m.ServingInputConfigVersion.IsUnknown() && !m.RedeployTriggers.IsUnknown() && !m.Parties.IsUnknown() &&
		!slices.ContainsFunc(slices.Collect(maps.Values(m.RedeployTriggers.Elements())), attr.Value.IsUnknown) &&
		!slices.ContainsFunc(m.Parties.Items, func(p Party) bool { return !p.Known() })
}

// MarkUncertain returns the state of a serving whose create has an unknown outcome: its id
// is "", as that of any object, see tfkit/crud.
func (m Serving) MarkUncertain() Serving {
	m.ID = types.StringValue("")
	return m
}

// HasNoID reports whether a state is that of MarkUncertain.
func (m Serving) HasNoID() bool { return m.ID.Equal(types.StringValue("")) }

// SameReadable compares what Kuscia returns; SameNotReturned compares what only
// the state has.
func SameReadable(a, b Serving) bool {
	return a.ServingID.Equal(b.ServingID) && a.Initiator.Equal(b.Initiator) &&
		a.ServingInputConfig.Equal(b.ServingInputConfig) && a.Parties.Equal(b.Parties)
}

// SameNotReturned compares what only the state has.
func SameNotReturned(a, b Serving) bool {
	return a.ServingInputConfigVersion.Equal(b.ServingInputConfigVersion) &&
		a.AffinityMode.Equal(b.AffinityMode) && a.RedeployTriggers.Equal(b.RedeployTriggers) &&
		a.ReplaceTriggers.Equal(b.ReplaceTriggers) && a.ProgressDeadline.Equal(b.ProgressDeadline) &&
		a.FollowAppImage.Equal(b.FollowAppImage) && a.WaitForRollout.Equal(b.WaitForRollout) && a.Timeouts.Equal(b.Timeouts)
}

// Text returns a text that is unique to the state.
func (m Serving) Text() string {
	encoded, err := json.Marshal(m.Tree())
	if err != nil {
		return "" // it has only texts, numbers and truth values
	}
	return string(encoded)
}
