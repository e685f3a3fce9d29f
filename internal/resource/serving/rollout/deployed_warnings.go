package rollout

import (
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/model"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
)

// WarnNotApplied warns of changes of the app images of a live serving, as
// planned, that its pods do not get. rolls is set if the plan updates the
// serving, which applies image and resources to all parties.
func WarnNotApplied(parties []model.Party, private model.Private, rolls bool, images party.ImageLookup, diags *diag.Diagnostics) {
	if len(private.Deployed) == 0 {
		return
	}
	for i, p := range parties {
		known, ok := private.Deployed[p.Key().String()]
		image, template := partyTemplate(p, images)
		if !ok || template == nil {
			continue
		}
		at := path.Root("parties").AtListIndex(i).AtName("app_image")
		if attributes := party.ChangedAttributes(known.Definition, party.DefinitionDigests(image, template)); len(attributes) > 0 {
			diags.AddAttributeWarning(at, party.NotAppliedSummary, check.WithPath(at, describeDefinition(image, attributes)))
		}
		if !rolls {
			if text := describeRollout(known, podSpecOf(p, image, template), image); text != "" {
				diags.AddAttributeWarning(at, "Running pods may have another image or other resources", check.WithPath(at, text))
			}
		}
	}
}

func describeDefinition(image *kuscia.AppImage, attributes []string) string {
	text := party.DescribeNotApplied("serving", image.Name, attributes) +
		" To replace the serving with every such change, set replace_triggers = { definition = kuscia_app_image.NAME.definition_revision }; to replace it once, run terraform apply -replace=ADDRESS."
	if slices.Contains(attributes, "ports") {
		text += " If a port is new, Kuscia cannot apply any further update to this serving."
	}
	return text
}

// describeRollout describes which parts of an image and its resources the pods
// do not have; "" for none.
func describeRollout(known model.DeployedParty, now model.PodSpec, image *kuscia.AppImage) string {
	var differs string
	switch {
	case known.Applied.Image != now.Image:
		differs = fmt.Sprintf("App image %q is %.200q, but the pods of this party were last updated to %.200q", httpapi.Text(image.Name), now.Image, known.Applied.Image)
	case known.Applied.Resources != now.Resources:
		differs = fmt.Sprintf("App image %q has other resources than the last update of the pods of this party", httpapi.Text(image.Name))
	case known.MaybeApplied != nil && known.MaybeApplied.Image != now.Image:
		differs = fmt.Sprintf("App image %q is %.200q, and was %.200q in the meantime, which another client may have rolled out to the pods of this party", httpapi.Text(image.Name), now.Image, known.MaybeApplied.Image)
	case known.MaybeApplied != nil && known.MaybeApplied.Resources != now.Resources:
		differs = fmt.Sprintf("App image %q had other resources in the meantime, which another client may have rolled out to the pods of this party", httpapi.Text(image.Name))
	default:
		return ""
	}
	return differs + ". Nothing in this plan restarts them; they change the next time that Kuscia reconciles the serving. " +
		"To restart them with every such change, set redeploy_triggers = { image = kuscia_app_image.NAME.rollout_revision }; if it has that, change another value in redeploy_triggers to restart them now."
}
