package model

import (
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
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
	// FollowAppImage is whether a new image of an app image is rolled out.
	FollowAppImage types.Bool `tfsdk:"follow_app_image"`
	// RolloutComplete is false until the last rollout has been observed to be
	// complete, and null if there is no wait for it or it has not been read yet.
	RolloutComplete types.Bool     `tfsdk:"rollout_complete"`
	CreateTime      types.String   `tfsdk:"create_time"`
	Endpoints       types.Map      `tfsdk:"endpoints"`
	Timeouts        timeouts.Value `tfsdk:"timeouts"`
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
	var b strings.Builder
	for _, value := range []attr.Value{
		m.ID, m.ServingID, m.Initiator, m.ServingInputConfig, m.ServingInputConfigVersion, m.AffinityMode, m.RedeployTriggers, m.ReplaceTriggers,
		m.FollowAppImage, m.WaitForRollout, m.ProgressDeadline, m.RolloutComplete, m.CreateTime, m.Endpoints, m.Timeouts, m.Parties.Encode(),
	} {
		b.WriteString(value.String())
		b.WriteByte('\n')
	}
	return b.String()
}
