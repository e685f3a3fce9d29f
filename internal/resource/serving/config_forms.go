package serving

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// The configuration text is written in one of two forms: serving_input_config,
// which is in plan and state, or serving_input_config_wo, which is in neither.
// In plan and state the version of the second says that it is used.

// The attributes of the two forms.
const (
	attrConfig        = "serving_input_config"
	attrConfigWO      = "serving_input_config_wo"
	attrConfigVersion = "serving_input_config_wo_version"
)

// minConfigVersion is the lowest version of a configuration. The state has a
// lower one, staleVersion, when nobody knows whether Kuscia has the hidden
// text, so that the next plan shows a difference.
const (
	minConfigVersion = 1
	staleVersion     = 0
)

// hidesConfig reports whether a planned serving, or one in the state, has its
// text in the write-only form.
func (m model) hidesConfig() bool { return !m.ServingInputConfigVersion.IsNull() }

// hasConfig reports whether there is a text in either form, or may be.
func (m model) hasConfig() bool {
	return m.hidesConfig() || m.ServingInputConfig.IsUnknown() || m.ServingInputConfig.ValueString() != ""
}

// configTextUnread reports whether the text is nowhere but on the server.
func (m model) configTextUnread() bool { return m.hidesConfig() && m.ServingInputConfig.IsNull() }

// written is a planned serving with the text of the configuration in whichever
// form it is: what Kuscia gets, and never what the state gets.
func written(planned, config model) model {
	if planned.hidesConfig() {
		planned.ServingInputConfig = config.ServingInputConfigWO
	}
	return planned
}

// stale is a serving of which nobody knows which text Kuscia has.
func stale(m model) model {
	m.ServingInputConfig = tfvalue.NewConfigTextNull()
	m.ServingInputConfigVersion = types.Int64Value(staleVersion)
	return m
}

// configTexts completes the planned and the prior serving with the texts that
// plan and state do not hold, as far as an update needs them. A text that stays
// hidden under the same version stays what Kuscia has, whatever the
// configuration says by now. ok is false after an error.
func configTexts(ctx context.Context, live *liveServing, planned, prior, config model, diags *diag.Diagnostics) (wanted, before model, ok bool) {
	sameVersion := planned.ServingInputConfigVersion.Equal(prior.ServingInputConfigVersion)
	wanted, before = planned, prior
	if !sameVersion {
		wanted = written(planned, config)
	}
	if !prior.hidesConfig() || sameVersion && planned.RedeployTriggers.Equal(prior.RedeployTriggers) {
		return wanted, before, true
	}
	current, err := live.get(keepSecret(ctx, wanted))
	if hiddenByImage(err) && !sameVersion {
		return wanted, before, true // the text is sent whatever Kuscia has
	}
	if err != nil {
		cause, doing := attrConfigVersion, "changing its configuration text"
		if sameVersion {
			cause, doing = "redeploy_triggers", "restarting its pods"
		}
		clients.AddAttributeError(diags, path.Root(cause), "Unable to read serving "+live.id+" before "+doing, goneSincePlan(live.id, err))
		return wanted, before, false
	}
	before.ServingInputConfig = tfvalue.NewConfigTextValue(current.ServingInputConfig)
	if sameVersion {
		wanted.ServingInputConfig = before.ServingInputConfig
	}
	return wanted, before, true
}

// validateConfigForms refuses anything but one complete form. What is unknown
// is looked at again once it is known.
func validateConfigForms(config model, diags *diag.Diagnostics) {
	text, hidden, version := config.ServingInputConfig, config.ServingInputConfigWO, config.ServingInputConfigVersion
	isSet := !hidden.IsNull() && !hidden.IsUnknown()
	switch {
	case isSet && hidden.ValueString() == "":
		diags.AddAttributeError(path.Root(attrConfigWO), "Empty configuration text", fmt.Sprintf(
			"%s is empty, and Kuscia takes an empty text for none. Leave it out together with %s, or set a text, for example \"{}\".", attrConfigWO, attrConfigVersion))
	case isSet && version.IsNull():
		diags.AddAttributeError(path.Root(attrConfigWO), "Version is missing", fmt.Sprintf(
			"Terraform does not keep %s and cannot see that it changes; %s says so. Set it, for example to %d, and raise it with every change of the text.", attrConfigWO, attrConfigVersion, minConfigVersion))
	case hidden.IsNull() && !version.IsNull() && !version.IsUnknown():
		diags.AddAttributeError(path.Root(attrConfigVersion), "Configuration text is missing", fmt.Sprintf(
			"%s is the version of %s, which is not set. Set both or neither.", attrConfigVersion, attrConfigWO))
	}
	if isSet && !text.IsNull() && !text.IsUnknown() {
		diags.AddAttributeError(path.Root(attrConfigWO), "Two configuration texts", fmt.Sprintf(
			"%s and %s are both set, and a serving has one text. Keep %s to keep the text out of plan and state, or %s otherwise.", attrConfig, attrConfigWO, attrConfigWO, attrConfig))
	}
}

// configText is the text of a configuration in whichever form it is.
func configText(config model) tfvalue.ConfigText {
	if config.ServingInputConfigWO.IsNull() {
		return config.ServingInputConfig
	}
	return config.ServingInputConfigWO
}
