package rules

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
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
	// CheckApplication is whether plans check what SecretFlow-Serving needs to start.
	CheckApplication types.Bool
	// AllowRemovalOf are the fields of the custom resource that a replacement may remove.
	AllowRemovalOf types.List
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
		a.FollowAppImage.Equal(b.FollowAppImage) && a.CheckApplication.Equal(b.CheckApplication) && a.AllowRemovalOf.Equal(b.AllowRemovalOf) && a.WaitForRollout.Equal(b.WaitForRollout) && a.Timeouts.Equal(b.Timeouts)
}

// Text returns a text that is unique to the state.
func (m Serving) Text() string {
	encoded, err := json.Marshal(m.Tree())
	if err != nil {
		return "" // it has only texts, numbers and truth values
	}
	return string(encoded)
}

// WithDefaults completes what a configuration leaves out and has a default. What has
// none is null in plan and state, unless the configuration has it as empty. Values
// that depend on something unknown become unknown. A configuration text that is
// left out stays left out, and a write-only one stays in the configuration.
func WithDefaults(m Serving) Serving {
	m.ServingInputConfigWO = types.StringNull()
	if m.AffinityMode.IsNull() {
		m.AffinityMode = types.StringValue(kuscia.AntiAffinity)
	}
	if m.FollowAppImage.IsNull() {
		m.FollowAppImage = types.BoolValue(true)
	}
	if m.CheckApplication.IsNull() {
		m.CheckApplication = types.BoolValue(true)
	}
	if m.WaitForRollout.IsNull() {
		m.WaitForRollout = types.BoolValue(true)
	}
	m.Parties.Items = slices.Clone(m.Parties.Items)
	for i, p := range m.Parties.Items {
		m.Parties.Items[i] = p.WithDefaults()
	}
	return m
}

// WithDefaults completes what a party leaves out.
func (p Party) WithDefaults() Party {
	if p.Unknown {
		return p
	}
	p.Null = false
	if p.DomainID.IsNull() {
		p.DomainID = types.StringValue(p.Name)
	}
	if p.Replicas.IsNull() {
		p.Replicas = types.Int32Value(1)
	}
	p.Strategy = p.Strategy.WithDefaults()
	return p
}

// ImportedState returns the state after an import, with the defaults of attributes that
// a configuration may set to any value without a difference: Terraform lets a plan keep
// a prior value only if that is not null.
func ImportedState(state Serving) Serving {
	if state.Timeouts.IsNull() {
		state.Timeouts = DefaultTimeouts()
	}
	if state.ProgressDeadline.IsNull() {
		state.ProgressDeadline = types.StringValue(definition.ShortDuration(DefaultProgressDeadline))
	}
	return state
}

// The configuration text has two forms: serving_input_config, which is in plan
// and state, and serving_input_config_wo, which is in neither. The version of
// the second form is in plan and state and shows that it is used.

// The attributes of the two forms.
const (
	AttrConfig        = "serving_input_config"
	AttrConfigWO      = "serving_input_config_wo"
	AttrConfigVersion = "serving_input_config_wo_version"
)

// MinConfigVersion is the lowest version of a configuration. The state has
// UnsureVersion, which is lower, if it is unknown whether Kuscia has the
// write-only text, so that the next plan shows a difference.
const (
	MinConfigVersion = 1
	UnsureVersion    = 0
)

// ConfigIsWriteOnly reports whether a planned serving, or one in the state, has
// its text in the write-only form.
func (m Serving) ConfigIsWriteOnly() bool { return !m.ServingInputConfigVersion.IsNull() }

// ChecksApplication reports whether the application is checked: not if that is not known yet.
func (m Serving) ChecksApplication() bool {
	return m.CheckApplication.IsNull() || m.CheckApplication.ValueBool()
}

// HasConfig reports whether there is or may be a text in either form.
func (m Serving) HasConfig() bool {
	return m.ConfigIsWriteOnly() || m.ServingInputConfig.IsUnknown() || m.ServingInputConfig.ValueString() != ""
}

// ConfigOnlyOnServer reports whether the text is only on the server.
func (m Serving) ConfigOnlyOnServer() bool {
	return m.ConfigIsWriteOnly() && m.ServingInputConfig.IsNull()
}

// Desired is a planned serving with the text of the configuration in either
// form. It is sent to Kuscia and never stored in the state.
func Desired(planned, config Serving) Serving {
	if planned.ConfigIsWriteOnly() {
		planned.ServingInputConfig = config.ServingInputConfigWO
	}
	return planned
}

// MarkConfigUnsure marks a serving for which it is unknown which text Kuscia
// has.
func MarkConfigUnsure(m Serving) Serving {
	m.ServingInputConfig = types.StringNull()
	m.ServingInputConfigVersion = types.Int64Value(UnsureVersion)
	return m
}

// ConfigText is the text of a configuration in either form.
func ConfigText(config Serving) types.String {
	if config.ServingInputConfigWO.IsNull() {
		return config.ServingInputConfig
	}
	return config.ServingInputConfigWO
}
