package rollout

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/model"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
)

// Following is whether a new image of an app image is rolled out.
type Following int

// The values of Following.
const (
	// Follows: a plan after a refresh rolls it out.
	Follows Following = iota
	// FollowsNot: it is not wanted.
	FollowsNot
	// CannotFollow: the configuration text cannot be sent again for that.
	CannotFollow
)

// WarnNotApplied warns of changes of the app images of a live serving, as
// planned, that its pods do not get. rolls is set if the plan updates the
// serving, which applies image and resources to all parties.
func WarnNotApplied(parties []model.Party, private model.Private, rolls bool, following Following, images party.ImageLookup, diags *diag.Diagnostics) {
	if len(private.Deployed) == 0 {
		return
	}
	var found warnings
	for _, p := range parties {
		known, ok := private.Deployed[p.Key().String()]
		image, template := partyTemplate(p, images)
		if !ok || template == nil {
			continue
		}
		at := p.Path().AtName("app_image")
		if attributes := party.ChangedAttributes(known.Definition, party.DefinitionDigests(image, template)); len(attributes) > 0 {
			found.add(at, party.NotAppliedSummary, describeDefinition(image, attributes))
		}
		if !rolls {
			if text := describeRollout(p, known, podSpecOf(p, image, template), image, following); text != "" {
				found.add(at, "Running pods may have another image or other resources", text)
			}
		}
	}
	found.report(diags)
}

// warnings are those of single parties: of several with the same title, a CLI shows only the
// first one.
type warnings []warning

type warning struct {
	summary, text string
	at            []path.Path
}

func (w *warnings) add(at path.Path, summary, text string) {
	for i, known := range *w {
		if known.summary == summary && known.text == text {
			(*w)[i].at = append((*w)[i].at, at)
			return
		}
	}
	*w = append(*w, warning{summary, text, []path.Path{at}})
}

// report adds one warning for all parties to which it applies, at the first of them.
func (w *warnings) report(diags *diag.Diagnostics) {
	for _, found := range *w {
		text, more, _ := strings.Cut(found.text, "\n\n")
		if others := found.at[1:]; len(others) > 0 {
			text += " The same applies to " + listed(others) + "."
		}
		diags.AddAttributeWarning(found.at[0], found.summary, check.WithPath(found.at[0], text+"\n\n"+more))
	}
}

// maxListed is the number of paths that a warning lists.
const maxListed = 5

func listed(paths []path.Path) string {
	var names []string
	for _, at := range paths {
		names = append(names, at.ParentPath().String())
	}
	if more := len(names) - maxListed; more > 0 {
		names = append(names[:maxListed], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}

func describeDefinition(image *kuscia.AppImage, attributes []string) string {
	text := party.DescribeNotApplied("serving", image.Name, attributes) +
		"\n\nTo replace the serving with every such change, set replace_triggers = { definition = kuscia_app_image.NAME.definition_revision }; to replace it once, run terraform apply -replace=ADDRESS."
	if slices.Contains(attributes, "ports") {
		text += " If a port is new, Kuscia cannot apply any further update to this serving."
	}
	return text
}

// describeRollout describes which parts of an image and its resources the pods
// do not have; "" for none.
func describeRollout(p model.Party, known model.DeployedParty, now model.PodSpec, image *kuscia.AppImage, following Following) string {
	var differs string
	switch {
	case otherImage(p, now) && following != Follows:
		differs = fmt.Sprintf("App image %q is %.200q, but the pods of this party were last updated to %.200q", httpapi.Text(image.Name), now.Image, p.Image.ValueString())
	case known.Resources != now.Resources:
		differs = fmt.Sprintf("App image %q has other resources than the last update of the pods of this party", httpapi.Text(image.Name))
	case known.MaybeApplied != nil && known.MaybeApplied.Image != now.Image:
		differs = fmt.Sprintf("App image %q is %.200q, and was %.200q in the meantime, which another client may have rolled out to the pods of this party", httpapi.Text(image.Name), now.Image, known.MaybeApplied.Image)
	case known.MaybeApplied != nil && known.MaybeApplied.Resources != now.Resources:
		differs = fmt.Sprintf("App image %q had other resources in the meantime, which another client may have rolled out to the pods of this party", httpapi.Text(image.Name))
	default:
		return ""
	}
	differs += ". Nothing in this plan restarts them; they change the next time that Kuscia reconciles the serving.\n\n"
	if following == CannotFollow {
		return differs + "They cannot be restarted on their own: that needs a serving_input_config that is JSON (\"{}\" is enough), which is sent again with different white space. " +
			"Make it JSON, or replace the serving with another value of a key that replace_triggers already has, or with terraform apply -replace=ADDRESS."
	}
	later := "To restart them with every later change, set redeploy_triggers = { resources = kuscia_app_image.NAME.rollout_revision }."
	if otherImage(p, now) {
		later = "To roll out every new image, set follow_app_image = true."
	}
	return differs + "To restart them now, change the value of a key that redeploy_triggers already has, or invoke the action kuscia_serving_redeploy. " + later
}
