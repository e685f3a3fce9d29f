package model

import (
	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// Serving is kuscia_serving as Terraform holds it in configuration, plan and
// state. It is decoded once, where a value of Terraform comes in (Get), and
// encoded once, where one goes out (encode).
type Serving struct {
	Attributes
	Parties Parties
}

// Attributes are those that the rules use as the framework has them.
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
	// RolloutComplete is false as long as nobody has seen the last rollout end,
	// and null where nobody waits for it or where it was never looked at.
	RolloutComplete types.Bool     `tfsdk:"rollout_complete"`
	CreateTime      types.String   `tfsdk:"create_time"`
	Endpoints       types.List     `tfsdk:"endpoints"`
	Timeouts        timeouts.Value `tfsdk:"timeouts"`
}

// Equal reports whether two states are the same to the letter.
func (m Serving) Equal(other Serving) bool {
	return m.ID.Equal(other.ID) && SameReadable(m, other) && SameUnreadable(m, other) && m.ReplaceTriggers.Equal(other.ReplaceTriggers) &&
		m.RolloutComplete.Equal(other.RolloutComplete) && m.CreateTime.Equal(other.CreateTime) && m.Endpoints.Equal(other.Endpoints)
}

// SameTriggers compares two maps of triggers; a state that was written before
// there were any has null.
func SameTriggers(a, b types.Map) bool {
	return a.Equal(b) || !a.IsUnknown() && !b.IsUnknown() && len(a.Elements()) == 0 && len(b.Elements()) == 0
}

// SameReadable compares what Kuscia returns; SameUnreadable what only the
// state knows.
func SameReadable(a, b Serving) bool {
	return a.ServingID.Equal(b.ServingID) && a.Initiator.Equal(b.Initiator) &&
		a.ServingInputConfig.Equal(b.ServingInputConfig) && a.Parties.Equal(b.Parties)
}

// SameUnreadable compares what only the state knows.
func SameUnreadable(a, b Serving) bool {
	return a.ServingInputConfigVersion.Equal(b.ServingInputConfigVersion) &&
		a.AffinityMode.Equal(b.AffinityMode) && a.RedeployTriggers.Equal(b.RedeployTriggers) &&
		SameTriggers(a.ReplaceTriggers, b.ReplaceTriggers) && a.ProgressDeadline.Equal(b.ProgressDeadline) &&
		a.WaitForRollout.Equal(b.WaitForRollout) && a.Timeouts.Equal(b.Timeouts)
}
