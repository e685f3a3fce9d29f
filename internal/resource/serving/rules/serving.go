package rules

import (
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// Serving is a view of kuscia_serving in configuration, plan or state.
type Serving struct {
	definition.View

	parties Parties
}

// Of is a view of a serving.
func Of(value definition.Value) Serving { return viewOf(definition.ViewOf(value)) }

func viewOf(view definition.View) Serving {
	return Serving{View: view, parties: partiesOf(view.At(attrParties))}
}

// ByID is a serving of which only the ID is known.
func ByID(servingID string) Serving {
	return Of(Definition.Encode(definition.Tree{"serving_id": servingID}))
}

// WithServingAttribute returns a serving with another value of an attribute.
func (m Serving) WithServingAttribute(name string, value attr.Value) Serving {
	m.View = m.WithAttribute(name, value)
	return m
}

// WithParties returns a serving with other parties.
func (m Serving) WithParties(parties Parties) Serving {
	if !parties.Equal(m.parties) {
		m.View, m.parties = m.WithValue(attrParties, parties.value()), parties
	}
	return m
}

// keeping returns a serving with the attributes of a prior one.
func (m Serving) keeping(prior Serving, names ...string) Serving {
	kept := make(map[string]definition.Value, len(names))
	for _, name := range names {
		kept[name] = prior.At(name)
	}
	m.View = m.WithValues(kept)
	return m
}

// WithDefaults completes what a configuration leaves out and has a default. A write-only text stays in
// the configuration.
func (m Serving) WithDefaults() Serving { return viewOf(Definition.WithDefaults(m.View)) }

// Equal reports whether two states are identical.
func (m Serving) Equal(other Serving) bool { return m.View.Equal(other.View) }

// ServingID is the attribute serving_id.
func (m Serving) ServingID() types.String { return m.String("serving_id") }

// Initiator is the attribute initiator.
func (m Serving) Initiator() types.String { return m.String("initiator") }

// ServingInputConfig is the text in the form that plan and state have.
func (m Serving) ServingInputConfig() types.String { return m.String(AttrConfig) }

// ServingInputConfigWO is the text in the form that is in a configuration only.
func (m Serving) ServingInputConfigWO() types.String { return m.String(AttrConfigWO) }

// ServingInputConfigVersion is the version of that form.
func (m Serving) ServingInputConfigVersion() types.Int64 { return m.Int64(AttrConfigVersion) }

// RedeployTriggers is the attribute redeploy_triggers.
func (m Serving) RedeployTriggers() types.Map { return m.StringMap("redeploy_triggers") }

// ReplaceTriggers is the attribute replace_triggers.
func (m Serving) ReplaceTriggers() types.Map { return m.StringMap("replace_triggers") }

// WaitForRollout is the attribute wait_for_rollout.
func (m Serving) WaitForRollout() types.Bool { return m.Bool(definition.AttrWaitForRollout) }

// ProgressDeadline is the attribute progress_deadline.
func (m Serving) ProgressDeadline() types.String { return m.String(AttrProgressDeadline) }

// FollowAppImage is whether a new image of an app image is rolled out.
func (m Serving) FollowAppImage() types.Bool { return m.Bool("follow_app_image") }

// RolloutComplete is false until the last rollout has been observed to be complete, and null if
// there is no wait for it or it has not been read yet.
func (m Serving) RolloutComplete() types.Bool { return m.Bool(definition.AttrRolloutComplete) }

// CreateTime is the attribute create_time.
func (m Serving) CreateTime() types.String { return m.String("create_time") }

// Endpoints is the attribute endpoints.
func (m Serving) Endpoints() types.Map { return m.StringMap("endpoints") }

// Parties is the attribute parties.
func (m Serving) Parties() Parties { return m.parties }

// The configuration text has two forms: serving_input_config, which is in plan
// and state, and serving_input_config_wo, which is in neither. The version of
// the second form is in plan and state and shows that it is used.

// MinConfigVersion is the lowest version of a configuration. The state has
// UnsureVersion, which is lower, if it is unknown whether Kuscia has the
// write-only text, so that the next plan shows a difference.
const (
	MinConfigVersion = 1
	UnsureVersion    = 0
)

// ConfigIsWriteOnly reports whether a planned serving, or one in the state, has
// its text in the write-only form.
func (m Serving) ConfigIsWriteOnly() bool { return !m.ServingInputConfigVersion().IsNull() }

// ChecksApplication reports whether the application is checked: not if that is not known yet.
func (m Serving) ChecksApplication() bool {
	checks := m.Bool(party.AttrCheckApplication)
	return checks.IsNull() || checks.ValueBool()
}

// HasConfig reports whether there is or may be a text in either form.
func (m Serving) HasConfig() bool {
	return m.ConfigIsWriteOnly() || m.ServingInputConfig().IsUnknown() || m.ServingInputConfig().ValueString() != ""
}

// ConfigOnlyOnServer reports whether the text is only on the server.
func (m Serving) ConfigOnlyOnServer() bool {
	return m.ConfigIsWriteOnly() && m.ServingInputConfig().IsNull()
}

// Desired is a planned serving with the text of the configuration in either
// form. It is sent to Kuscia and never stored in the state.
func Desired(planned, config Serving) Serving {
	if planned.ConfigIsWriteOnly() {
		planned = planned.WithServingAttribute(AttrConfig, config.ServingInputConfigWO())
	}
	return planned
}

// MarkConfigUnsure marks a serving for which it is unknown which text Kuscia
// has.
func MarkConfigUnsure(m Serving) Serving {
	return m.WithServingAttribute(AttrConfig, types.StringNull()).WithServingAttribute(AttrConfigVersion, types.Int64Value(UnsureVersion))
}

// ConfigText is the text of a configuration in either form.
func ConfigText(config Serving) types.String {
	if config.ServingInputConfigWO().IsNull() {
		return config.ServingInputConfig()
	}
	return config.ServingInputConfigWO()
}

// ProgressDeadline is how long a rollout may make no progress.
func ProgressDeadline(m Serving) time.Duration { return progressDeadline(m.ProgressDeadline()) }

func progressDeadline(text types.String) time.Duration {
	deadline, err := tfvalue.ParseTimeLimit(text.ValueString())
	if err != nil {
		return DefaultProgressDeadline // not set, or rejected by the plan
	}
	return deadline
}
