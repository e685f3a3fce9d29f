package model

import (
	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// Serving is kuscia_serving in configuration, plan and state. It is decoded
// once, from a value of Terraform (Get), and encoded once, to a value of
// Terraform (Encode).
type Serving struct {
	Attributes
	Parties Parties
}

// Attributes are those that the rules use in the framework's types.
type Attributes struct {
	ID                 types.String       `tfsdk:"id"`
	ServingID          types.String       `tfsdk:"serving_id"`
	Initiator          types.String       `tfsdk:"initiator"`
	ServingInputConfig tfvalue.ConfigText `tfsdk:"serving_input_config"`
	// ServingInputConfigWO is in a configuration only; plan and state have null.
	ServingInputConfigWO      tfvalue.ConfigText `tfsdk:"serving_input_config_wo"`
	ServingInputConfigVersion types.Int64        `tfsdk:"serving_input_config_wo_version"`
	AffinityMode              types.String       `tfsdk:"affinity_mode"`
	RedeployTriggers          types.Map          `tfsdk:"redeploy_triggers"`
	ReplaceTriggers           types.Map          `tfsdk:"replace_triggers"`
	WaitForRollout            types.Bool         `tfsdk:"wait_for_rollout"`
	ProgressDeadline          types.String       `tfsdk:"progress_deadline"`
	// RolloutComplete is false until the last rollout has been observed to be
	// complete, and null if there is no wait for it or it has not been read yet.
	RolloutComplete types.Bool     `tfsdk:"rollout_complete"`
	CreateTime      types.String   `tfsdk:"create_time"`
	Endpoints       types.List     `tfsdk:"endpoints"`
	Timeouts        timeouts.Value `tfsdk:"timeouts"`
}

// Equal reports whether two states are identical.
func (m Serving) Equal(other Serving) bool {
	return m.ID.Equal(other.ID) && SameReadable(m, other) && SameNotReturned(m, other) && m.ReplaceTriggers.Equal(other.ReplaceTriggers) &&
		m.RolloutComplete.Equal(other.RolloutComplete) && m.CreateTime.Equal(other.CreateTime) && m.Endpoints.Equal(other.Endpoints)
}

// MarkUncertain returns the state of a serving whose create has an unknown outcome: its id
// is "", see crud.MarkUncertain.
func (m Serving) MarkUncertain() Serving {
	m.ID = types.StringValue("")
	return m
}

// HasNoID reports whether a state is that of MarkUncertain.
func (m Serving) HasNoID() bool { return m.ID.Equal(types.StringValue("")) }

// SameTriggers compares two maps of triggers; a state from before the attribute
// existed has null.
func SameTriggers(a, b types.Map) bool {
	return a.Equal(b) || !a.IsUnknown() && !b.IsUnknown() && len(a.Elements()) == 0 && len(b.Elements()) == 0
}

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
		SameTriggers(a.ReplaceTriggers, b.ReplaceTriggers) && a.ProgressDeadline.Equal(b.ProgressDeadline) &&
		a.WaitForRollout.Equal(b.WaitForRollout) && a.Timeouts.Equal(b.Timeouts)
}
