package plan

import (
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/model"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// checkConfigText warns of a text that is too large for a container, or that shows
// secrets in plans, unless a live serving already has it.
func checkConfigText(config model.Serving, prior *model.Serving) (diags diag.Diagnostics) {
	if prior != nil && sameText(config, *prior) {
		return nil
	}
	attribute := model.AttrConfig
	if !config.ServingInputConfigWO.IsNull() {
		attribute = model.AttrConfigWO
	}
	at := path.Root(attribute)
	if tooLarge := party.DescribeConfigSize(model.ConfigText(config).ValueString()); tooLarge != "" {
		diags.AddAttributeWarning(at, party.ConfigTooLargeSummary, check.WithPath(at, tooLarge))
	}
	shown := path.Root(model.AttrConfig)
	if secrets := party.DescribeConfigSecrets(model.AttrConfig, config.ServingInputConfig.ValueString()); secrets != "" {
		diags.AddAttributeWarning(shown, party.ConfigSecretsSummary, secrets)
	}
	return diags
}

// sameText reports whether a configuration leaves the text unchanged, by its
// version if it is write-only.
func sameText(config, prior model.Serving) bool {
	if prior.ConfigIsWriteOnly() {
		return config.ServingInputConfigVersion.Equal(prior.ServingInputConfigVersion)
	}
	return tfvalue.ConfigTextEqual(model.ConfigText(config).ValueString(), prior.ServingInputConfig.ValueString())
}
