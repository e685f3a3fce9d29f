package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/servingstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
)

// podSpecOf returns what an update applies to the pods of a party.
func podSpecOf(p Party, image *kuscia.AppImage, template *kuscia.DeployTemplate) PodSpec {
	desired := p.Resources.Spec()
	own := make([]kuscia.Resource, len(template.Containers))
	for i := range template.Containers {
		c := &template.Containers[i]
		own[i] = WithImageDefaults(desired.ForContainer(c.Name), c.Resources).Wire(c.Name)
	}
	amounts := SnapshotOf(own)
	maps.DeleteFunc(amounts, func(_ string, of [4]int64) bool { return of == [4]int64{} })
	r := PodSpec{Image: image.Reference()}
	if len(amounts) > 0 {
		r.Resources = party.Digest(amounts)
	}
	return r
}

// partyTemplate returns the app image of a party and its deploy template.
func partyTemplate(p Party, images party.ImageLookup) (*kuscia.AppImage, *kuscia.DeployTemplate) {
	if !p.KeyKnown() || p.AppImage.IsUnknown() || !p.Resources.Known() {
		return nil, nil
	}
	image := images(p.AppImage.ValueString())
	if image == nil {
		return nil, nil
	}
	return image, party.TemplateFor(image, p.Role.ValueString())
}

// RecordCreate returns the private state of a serving that was just created.
func RecordCreate(d Private, state Serving, images party.ImageLookup) Private {
	d.Deployed = nil
	return RecordUpdate(d, state, images)
}

// RecordUpdate returns the private state after an update that reached the pods:
// all parties now have the image and the resources of their app images, and no
// more of their definitions than before. A party about which nothing is known,
// as after an import, is assumed to run what its app image has now.
func RecordUpdate(d Private, state Serving, images party.ImageLookup) Private {
	return updateDeployed(d, state, images, func(p Party, known DeployedParty, now PodSpec) DeployedParty {
		if otherImage(p, now) { // which the app image may have got before the update, or after it
			known.MaybeApplied = &now
			return known
		}
		known.Resources, known.MaybeApplied = now.Resources, nil
		return known
	})
}

// RecordRefresh returns the private state after a refresh. Changes of an app
// image since the last update may have reached the pods.
func RecordRefresh(d Private, state Serving, images party.ImageLookup) Private {
	return updateDeployed(d, state, images, func(p Party, known DeployedParty, now PodSpec) DeployedParty {
		if now.Resources != known.Resources || otherImage(p, now) {
			known.MaybeApplied = &now
		}
		return known
	})
}

// updateDeployed updates the parties of a state. A party whose app image cannot
// be queried keeps its entry.
func updateDeployed(d Private, state Serving, images party.ImageLookup, next func(p Party, known DeployedParty, now PodSpec) DeployedParty) Private {
	before := d.Deployed
	d.Deployed = nil
	parties := state.Parties.Items
	for _, p := range parties {
		key := p.Key().String()
		known, ok := before[key]
		if image, template := partyTemplate(p, images); template != nil {
			now := podSpecOf(p, image, template)
			if !ok {
				known, ok = DeployedParty{Definition: party.DefinitionDigests(image, template), Resources: now.Resources}, true
			}
			known = next(p, known, now)
			known.AppImage = now.Image
		}
		if !ok {
			continue
		}
		if d.Deployed == nil {
			d.Deployed = make(map[string]DeployedParty, len(parties))
		}
		d.Deployed[key] = known
	}
	return d
}

// AddPendingImageChanges adds to a target what is known about the pods of each
// party: an update also applies changes of an app image from an earlier run.
func AddPendingImageChanges(d Private, target servingstatus.Target, planned Serving, images party.ImageLookup) servingstatus.Target {
	parties := planned.Parties.Items
	for i, p := range parties {
		if target.Parties[i].Replacement == servingstatus.NoReplacement && imagePending(d, p, images) {
			target.Parties[i].Unchanged = false
			target.Parties[i].Replacement = replacementOf(p.Strategy.Wire(), p.Replicas.ValueInt32(), p.Replicas.ValueInt32())
		}
	}
	return target
}

// otherImage reports whether an app image has another image than the pods are known to run.
func otherImage(p Party, now PodSpec) bool {
	return !p.Image.IsNull() && !p.Image.IsUnknown() && p.Image.ValueString() != now.Image
}

// imagePending reports whether the pods of a party may have another image than before the
// update, or other resources than its app image has by now.
func imagePending(d Private, p Party, images party.ImageLookup) bool {
	known, ok := d.Deployed[p.Key().String()]
	if !ok {
		return false
	}
	image, template := partyTemplate(p, images)
	return template != nil && (known.MaybeApplied != nil || podSpecOf(p, image, template).Resources != known.Resources)
}

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
func WarnNotApplied(parties []Party, private Private, rolls bool, following Following, images party.ImageLookup, diags *diag.Diagnostics) {
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
		"\n\nTo replace the serving with every later change, set replace_triggers = { definition = kuscia_app_image.NAME.definition_revision }; to replace it once, run terraform apply -replace=ADDRESS."
	if slices.Contains(attributes, "ports") {
		text += " If a port is new, Kuscia cannot apply any further update to this serving."
	}
	return text
}

// describeRollout describes which parts of an image and its resources the pods
// do not have; "" for none.
func describeRollout(p Party, known DeployedParty, now PodSpec, image *kuscia.AppImage, following Following) string {
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
	differs += ". Nothing in this plan restarts them. Kuscia rolls it out at the next event of the serving: its next update, or when one of its pods starts or stops.\n\n"
	if following == CannotFollow {
		return differs + "They cannot be restarted on their own: that needs a serving_input_config that is JSON (\"{}\" is enough), which is sent again with different white space. " +
			"Make it JSON, or replace the serving with another value of a key that replace_triggers already has, or with terraform apply -replace=ADDRESS."
	}
	later := "To restart them with every later change, set redeploy_triggers = { resources = kuscia_app_image.NAME.rollout_revision }."
	if otherImage(p, now) {
		later = "To roll out every new image, set follow_app_image = true."
	}
	return differs + "To restart them now, change the value of a key that redeploy_triggers already has. " + later
}
