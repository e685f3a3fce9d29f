package model

import (
	"github.com/hashicorp/terraform-plugin-framework/types"
)

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
