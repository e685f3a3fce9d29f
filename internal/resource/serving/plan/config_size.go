package plan

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/model"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// maxConfigText is the longest text that a container can get: Kuscia puts it
// into the environment variable INPUT_CONFIG, and Linux with pages of 4 KiB
// starts no process with more than 128 KiB in one variable, including its name
// and a final zero. Kuscia itself stores longer texts.
const maxConfigText = 128<<10 - len("INPUT_CONFIG=") - 1

// checkConfigText warns of a text that is longer than maxConfigText, unless a
// live serving already has it.
func checkConfigText(config model.Serving, prior *model.Serving) (diags diag.Diagnostics) {
	attribute := model.AttrConfig
	if !config.ServingInputConfigWO.IsNull() {
		attribute = model.AttrConfigWO
	}
	text := model.ConfigText(config).ValueString()
	if len(text) <= maxConfigText || prior != nil && sameText(config, *prior) {
		return nil
	}
	at := path.Root(attribute)
	diags.AddAttributeWarning(at, "Configuration text too large for a container", check.WithPath(at, fmt.Sprintf(
		"The text has %d bytes. Kuscia passes it to the containers in the environment variable INPUT_CONFIG, and on most nodes Linux cannot start a process with more than %d bytes in it: Kuscia stores it, but the pods crash. Keep large parts in a file or a data source that the application reads.", len(text), maxConfigText)))
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
