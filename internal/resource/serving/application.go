package serving

import (
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/secretflow"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
)

// checkApplication reports why the application would not start in the parties of a planned serving.
// isChanged is set for a new serving, and for an update that reaches pods.
func checkApplication(planned rules.Serving, images rules.Images, isChanged bool) diag.Diagnostics {
	return check.Plan(applicationIssues(planned, path.Root(rules.AttrConfig), false, images, isChanged), nil)
}

// checkApplicationInApply is checkApplication right before a request, with what the plan did not
// know: desired has the text also where it is write-only.
func checkApplicationInApply(desired rules.Serving, images rules.Images) diag.Diagnostics {
	at, isSecret := path.Root(rules.AttrConfig), desired.ConfigIsWriteOnly()
	if isSecret {
		at = path.Root(rules.AttrConfigWO)
	}
	found := check.Plan(applicationIssues(desired, at, isSecret, images, true), nil)
	if isSecret {
		return found
	}
	return found.Errors() // the plan has warned
}

func applicationIssues(s rules.Serving, at path.Path, isSecret bool, images rules.Images, isChanged bool) []check.Issue {
	if !s.ChecksApplication() {
		return nil
	}
	application := secretflow.Serving{ID: s.ServingID.ValueString(), Incomplete: s.Parties.IsUnknown()}
	if isSecret && !s.ServingInputConfig.IsNull() || !s.ConfigIsWriteOnly() && !s.ServingInputConfig.IsUnknown() {
		text := s.ServingInputConfig.ValueString()
		application.Text = &text
	}
	paths := map[string]path.Path{}
	for _, p := range s.Parties.Items {
		if !p.KeyKnown() {
			application.Incomplete = true
			continue
		}
		known := secretflow.Party{Domain: p.DomainID.ValueString(), Role: p.Role.ValueString()}
		if !p.AppImage.IsUnknown() {
			known.Image = party.ApplicationImage(images.Definition(p.AppImage.ValueString()), known.Role)
		}
		if known.Image != nil && secretflow.IsServing(known.Image) && images.IsPartner(known.Domain).ValueBool() {
			known.Image = nil // an app image of this name is another one than the partner's
		}
		paths[known.Domain] = p.Path().AtName("app_image")
		application.Parties = append(application.Parties, known)
	}
	return party.CheckApplication(application, party.ApplicationText{At: at, Secret: isSecret, AppImage: func(domain string) path.Path { return paths[domain] }}, isChanged)
}
