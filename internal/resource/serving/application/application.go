// Package application checks whether SecretFlow-Serving would start in the parties of a serving.
package application

import (
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/secretflow"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
)

// RunsHere reports whether this control plane runs the pods of a domain, as far as that is
// certain: an app image here is another one than that of the same name of a partner.
type RunsHere func(domain string) bool

// CheckPlan reports why the application would not start in the parties of a planned serving.
// isChanged is set for a new serving, and for an update that reaches pods.
func CheckPlan(planned rules.Serving, images party.ImageLookup, runsHere RunsHere, isChanged bool) diag.Diagnostics {
	return check.Plan(issues(planned, path.Root(rules.AttrConfig), false, images, runsHere, isChanged), nil)
}

// CheckApply is CheckPlan right before a request, with what the plan did not know: desired has
// the text also where it is write-only.
func CheckApply(desired rules.Serving, images party.ImageLookup, runsHere RunsHere) diag.Diagnostics {
	at, isSecret := path.Root(rules.AttrConfig), desired.ConfigIsWriteOnly()
	if isSecret {
		at = path.Root(rules.AttrConfigWO)
	}
	found := check.Plan(issues(desired, at, isSecret, images, runsHere, true), nil)
	if isSecret {
		return found
	}
	return found.Errors() // the plan has warned
}

func issues(s rules.Serving, at path.Path, isSecret bool, images party.ImageLookup, runsHere RunsHere, isChanged bool) []check.Issue {
	if !s.ChecksApplication() {
		return nil
	}
	known := secretflow.Serving{ID: s.ServingID.ValueString(), Incomplete: s.Parties.IsUnknown()}
	if isSecret && !s.ServingInputConfig.IsNull() || !s.ConfigIsWriteOnly() && !s.ServingInputConfig.IsUnknown() {
		text := s.ServingInputConfig.ValueString()
		known.Text = &text
	}
	paths := map[string]path.Path{}
	for _, p := range s.Parties.Items {
		if !p.KeyKnown() {
			known.Incomplete = true
			continue
		}
		found := secretflow.Party{Domain: p.DomainID.ValueString(), Role: p.Role.ValueString()}
		if !p.AppImage.IsUnknown() {
			found.Image = party.ApplicationImage(images(p.AppImage.ValueString()), found.Role)
		}
		if found.Image != nil && secretflow.IsServing(found.Image) && !runsHere(found.Domain) {
			found.Image = nil
		}
		paths[found.Domain] = p.Path().AtName("app_image")
		known.Parties = append(known.Parties, found)
	}
	return party.CheckApplication(known, party.ApplicationText{At: at, Secret: isSecret, AppImage: func(domain string) path.Path { return paths[domain] }}, isChanged)
}
