package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
)

// deployable is what an update applies to the pods of a party: the image of its app image, and
// the resources of that and of the party.
type deployable struct {
	image string
	own   party.PodResources
	// containers are the resources that pods get.
	containers party.PodResources
}

// deployableOf returns what an update applies to the pods of a party. own are the resources of the app
// image, and known is what the pods have.
func deployableOf(p Party, image *kuscia.AppImage, own party.PodResources, private Private, known DeployedParty) deployable {
	return deployable{image: image.Reference(), own: own, containers: known.resourcesOf(p, own, private.ResourcesObserved(p.Key()))}
}

// resourcesOf returns what an update gives the containers of a party's pods. own are the
// resources of its app image. read is set if those of the party were read from Kuscia, which shows
// what it stores and what the pods have alike.
func (d DeployedParty) resourcesOf(p Party, own party.PodResources, read bool) party.PodResources {
	desired := p.Resources().Spec()
	all := make(party.PodResources, len(own))
	for name, image := range own {
		set := podAmounts(desired.ForContainer(name))
		switch has, live := d.Containers[name]; {
		case read && d.isFromImage(name):
			set = party.NoAmounts
		case read && live && set == party.NoAmounts: // the state has lost it
			all[name] = has
			continue
		}
		all[name] = set.Over(image)
	}
	return all
}

// readResources are those of the pods, as they were read when the state left them out since they
// were the app image's.
func (d DeployedParty) readResources() (r Resources) {
	for name, amounts := range d.Containers {
		if minCPU, minMemory, maxCPU, maxMemory := amounts.Quantities(); amounts != party.NoAmounts {
			r = r.WithContainer(name, Amounts{MinCPU: minCPU, MaxCPU: maxCPU, MinMemory: minMemory, MaxMemory: maxMemory}.Resources())
		}
	}
	return r
}

// spec is what may have been applied.
func (d deployable) spec() PodSpec {
	return PodSpec{Image: d.image, Resources: party.Digest(d.containers)}
}

// partyTemplate returns the app image of a party and its deploy template.
func partyTemplate(p Party, images party.ImageLookup) (*kuscia.AppImage, *kuscia.DeployTemplate) {
	if !p.KeyKnown() || p.AppImage().IsUnknown() || !p.Resources().Known() {
		return nil, nil
	}
	image := images(p.AppImage().ValueString())
	if image == nil {
		return nil, nil
	}
	return image, party.TemplateFor(image, p.Role().ValueString())
}

// RecordCreate returns the private state of a serving that was just created.
func RecordCreate(d Private, state Serving, images party.ImageLookup) Private {
	d.Deployed = nil
	return RecordUpdate(d, state, images)
}

// RecordUpdate returns the private state after an update that reached the pods:
// all parties now have the image and the resources of their app images, and no
// more of their definitions than before. A party about which nothing is known
// is assumed to run what its app image has now.
func RecordUpdate(d Private, state Serving, images party.ImageLookup) Private {
	after := d
	after.Deployed = nil
	for _, p := range state.Parties().Items {
		if pods, known, _ := d.deployed(p, nil, images, DeployedParty.updated); known {
			after.Deployed = with(after.Deployed, p.Key(), pods)
		}
	}
	return after
}

// event is what may have changed the pods of a party. now is what an update applies, and private
// the private state after it.
type event func(pods DeployedParty, p Party, now deployable, private Private) DeployedParty

// deployed returns what is known of the pods of a party after an event, and whether anything is.
// wire is the party in a response; nil if there is none. replaced is set if it shows that an update
// has replaced the pods, which their pod revision does not count.
func (d Private) deployed(p Party, wire *kuscia.ServingParty, images party.ImageLookup, after event) (pods DeployedParty, known, replaced bool) {
	pods, known = d.Deployed[p.Key().String()]
	image, template := partyTemplate(p, images)
	if template == nil {
		return pods, known, false
	}
	own := party.OwnResources(image, p.Role().ValueString())
	switch {
	case wire == nil:
	case !known:
		pods = deployedAs(wire.Resources, own, d.ResourcesObserved(p.Key()))
	case len(pods.Read) > 0:
		pods, replaced = pods.seen(wire.Resources, own, d.Rollout == nil)
	}
	if !known {
		pods.Definition = party.DefinitionDigests(image, template)
	}
	now := deployableOf(p, image, own, d, pods)
	if pods.Containers == nil {
		pods.Containers = now.containers
	}
	pods = after(pods, p, now, d)
	pods.AppImage, pods.Own = now.image, now.own
	return pods, true, replaced
}

// updated returns what is known of a party after an update that reached its pods. private is that
// after the update.
func (d DeployedParty) updated(p Party, now deployable, private Private) DeployedParty {
	if otherImage(p, now.image) { // which the app image may have got before the update, or after it
		d.MaybeApplied = new(now.spec())
		return d
	}
	d.Containers, d.MaybeApplied = d.Containers.Updated(now.containers), nil
	return d.writtenOrTried(p, now.own, private)
}

// refreshed returns what is known of a party after a refresh: changes of its app image since the last
// update may have reached the pods.
func (d DeployedParty) refreshed(p Party, now deployable, _ Private) DeployedParty {
	if d.Containers.Changes(now.containers) || otherImage(p, now.image) {
		d.MaybeApplied = new(now.spec())
	}
	return d
}

// otherImage reports whether an app image has another image than the pods are known to run.
func otherImage(p Party, now string) bool {
	return !p.Image().IsNull() && !p.Image().IsUnknown() && p.Image().ValueString() != now
}

// Following is whether a new image of an app image, and new resources, are rolled out.
type Following int

// The values of Following.
const (
	// Follows: a plan after a refresh rolls it out.
	Follows Following = iota
	// FollowsNot: it is not wanted.
	FollowsNot
	// CannotFollow: nothing can be sent again for that.
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
		own := party.OwnResources(image, p.Role().ValueString())
		may, probable := known.mayFollow(own)
		switch {
		case rolls && may && p.PodRevision().IsUnknown() && !p.Image().IsUnknown():
			found.add(at, "Unknown whether pods are replaced", describeUndecided(image))
		case !rolls:
			if text := describeRollout(p, known, deployableOf(p, image, own, private, known), image, following, probable); text != "" {
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
		"\n\nTo replace the serving with every later change, set replace_triggers = { definition = kuscia_app_image.NAME.definition_revision }; to replace it once, run terraform apply -replace=ADDRESS. No party runs between the deletion of the serving and the create of the new one."
	if slices.Contains(attributes, "ports") {
		text += " If a port is new, Kuscia cannot apply any further update to this serving."
	}
	return text
}

// describeUndecided describes resources of which it is not known whether Kuscia stores them.
func describeUndecided(image *kuscia.AppImage) string {
	return fmt.Sprintf("App image %q has other resources than the pods of this party had when the serving was imported. Kuscia does not show whether it stores those for the party: if not, this update replaces the pods, with the resources of the app image.", httpapi.Text(image.Name)) +
		"\n\nTo keep the resources that the pods have, write them in container_resources."
}

// describeRollout describes which parts of an image and its resources the pods
// do not have; "" for none. probable is whether these are probably the app image's.
func describeRollout(p Party, known DeployedParty, now deployable, image *kuscia.AppImage, following Following, probable bool) string {
	var differs string
	switch maybe := known.MaybeApplied; {
	case otherImage(p, now.image) && following != Follows:
		differs = fmt.Sprintf("App image %q is %.200q, but the pods of this party were last updated to %.200q", httpapi.Text(image.Name), now.image, p.Image().ValueString())
	case (probable || known.Containers.Changes(now.containers)) && following != Follows:
		differs = fmt.Sprintf("App image %q has other resources than the last update of the pods of this party", httpapi.Text(image.Name))
	case maybe != nil && maybe.Image != now.image:
		differs = fmt.Sprintf("App image %q is %.200q, and was %.200q in the meantime, which another client may have rolled out to the pods of this party", httpapi.Text(image.Name), now.image, maybe.Image)
	case maybe != nil && maybe.Resources != now.spec().Resources:
		differs = fmt.Sprintf("App image %q had other resources in the meantime, which another client may have rolled out to the pods of this party", httpapi.Text(image.Name))
	default:
		return ""
	}
	differs += ". Nothing in this plan restarts them. Kuscia rolls it out at the next event of the serving: its next update, or when one of its pods starts or stops.\n\n"
	if following == CannotFollow {
		return differs + "They cannot be restarted on their own: that needs a percentage in update_strategy of any party, or a serving_input_config that is JSON (\"{}\" is enough). " +
			"Set one, or replace the serving with another value of a key that replace_triggers already has, or with terraform apply -replace=ADDRESS."
	}
	differs += "To restart them now, change the value of a key that redeploy_triggers already has."
	if following == FollowsNot {
		differs += " To roll out every change of image and resources, set follow_app_image = true."
	}
	return differs
}
