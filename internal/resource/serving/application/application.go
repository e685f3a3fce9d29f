// Package application checks whether SecretFlow-Serving would start in the parties of a serving.
package application

import (
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
)

// RunsHere is that of a party.Application.
type RunsHere func(domain string) bool

// CheckPlan reports why the application would not start in the parties of a planned serving.
// isChanged is set for a new serving, and for an update that changes what is checked.
func CheckPlan(planned rules.Serving, images party.ImageLookup, runsHere RunsHere, isChanged bool) diag.Diagnostics {
	if !planned.ChecksApplication() {
		return nil
	}
	known := of(planned, images, runsHere)
	if !planned.ConfigIsWriteOnly() && !planned.ServingInputConfig().IsUnknown() {
		text := planned.ServingInputConfig().ValueString()
		known.Text = &text
	}
	return known.CheckPlan(isChanged)
}

// CheckApply is CheckPlan right before a request, with what the plan did not know: desired has
// the text also where it is write-only.
func CheckApply(desired rules.Serving, images party.ImageLookup, runsHere RunsHere, isChanged bool) diag.Diagnostics {
	if !desired.ChecksApplication() {
		return nil
	}
	known := of(desired, images, runsHere)
	if desired.ConfigIsWriteOnly() {
		known.At, known.Secret = path.Root(rules.AttrConfigWO), true
	}
	if text := desired.ServingInputConfig(); !text.IsUnknown() && (!known.Secret || !text.IsNull()) {
		value := text.ValueString()
		known.Text = &value
	}
	return known.CheckApply(isChanged)
}

// of is a serving without its text.
func of(s rules.Serving, images party.ImageLookup, runsHere RunsHere) party.Application {
	known := party.Application{
		ID: s.ServingID().ValueString(), At: path.Root(rules.AttrConfig), Incomplete: s.Parties().IsUnknown(), Images: images, RunsHere: runsHere,
	}
	for _, p := range s.Parties().Items {
		if !p.KeyKnown() {
			known.Incomplete = true
			continue
		}
		known.Parties = append(known.Parties, party.ApplicationParty{
			Domain: p.DomainID().ValueString(), Role: p.Role().ValueString(), AppImage: p.AppImage().ValueString(), At: p.Path().AtName("app_image"),
		})
	}
	return known
}
