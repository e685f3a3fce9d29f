package plan

import (
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/model"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// checkConfigText warns of a text that is too large for a container, or that shows
// secrets in plans, unless a live serving already has it.
func checkConfigText(config model.Serving, prior *model.Serving) (issues []check.Issue) {
	if prior != nil && sameText(config, *prior) {
		return nil
	}
	attribute := model.AttrConfig
	if !config.ServingInputConfigWO.IsNull() {
		attribute = model.AttrConfigWO
	}
	for _, found := range []check.Issue{
		{At: path.Root(attribute), Summary: party.ConfigTooLargeSummary, Detail: party.DescribeConfigSize(model.ConfigText(config).ValueString())},
		{At: path.Root(model.AttrConfig), Summary: party.ConfigSecretsSummary, Detail: party.DescribeConfigSecrets(model.AttrConfig, config.ServingInputConfig.ValueString())},
	} {
		if found.Severity = check.Doubtful; found.Detail != "" {
			issues = append(issues, found)
		}
	}
	return issues
}

// sameText reports whether a configuration leaves the text unchanged, by its
// version if it is write-only.
func sameText(config, prior model.Serving) bool {
	if prior.ConfigIsWriteOnly() {
		return config.ServingInputConfigVersion.Equal(prior.ServingInputConfigVersion)
	}
	return tfvalue.ConfigTextEqual(model.ConfigText(config).ValueString(), prior.ServingInputConfig.ValueString())
}
