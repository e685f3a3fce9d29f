package rules

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// Whether an apply replaces the pods of a party is decided once, here, and is the planned
// pod_revision of the party: it rises if and only if the pods are replaced. Plan, warnings and
// waits only compare it with the prior one.
//
// Kuscia has the configuration text in the environment of every pod, and applies image and
// resources of the current app images to all parties with any update that changes something. So
// the pods of all parties are new after another text, and those of one party if anything is sent
// and this gives them another image or other resources.

// ofLive returns the planned parties of a live serving with their images and pod revisions. Those
// of planned are the prior ones, and text is whether another configuration text is sent.
func (i Images) ofLive(planned, prior, config Serving, private Private, text types.Bool) Parties {
	restarts := tfvalue.Or(triggers(planned.RedeployTriggers(), prior.RedeployTriggers()), text)
	others := tfvalue.Or(restarts, sendsParties(planned, prior, private))
	pods, differ, after := map[party.Key]podChange{}, types.BoolValue(false), private.AfterUpdate(config)
	for _, p := range planned.Parties().Items {
		if before, ok := FindParty(prior.Parties().Items, p.Key()); ok && p.KeyKnown() {
			pods[p.Key()] = i.podChange(p, before, private, after)
			differ = tfvalue.Or(differ, pods[p.Key()].follows)
		}
	}
	sent := tfvalue.Or(others, tfvalue.And(follows(planned, config), differ))
	if !canRespell(planned) { // the text is sent again if nothing else is
		restarts = tfvalue.Or(restarts, tfvalue.And(sent, tfvalue.Not(others)))
	}
	return partiesWithPods(planned.Parties(), func(p Party) (types.String, types.Int64) {
		before, _ := FindParty(prior.Parties().Items, p.Key())
		change, ok := pods[p.Key()]
		switch {
		case sent.Equal(types.BoolValue(false)):
			return before.Image(), before.PodRevision()
		case !ok || !p.KeyKnown():
			return types.StringUnknown(), types.Int64Unknown()
		}
		image := change.image
		if sent.IsUnknown() && !image.Equal(before.Image()) {
			image = types.StringUnknown()
		}
		return image, party.RevisionAfter(before.PodRevision(), tfvalue.Or(restarts, tfvalue.And(sent, change.replaces)))
	})
}

// podChange is what an update that is sent does to the pods of a party.
type podChange struct {
	// image is the one that they have then.
	image types.String
	// replaces is whether they are replaced because of another image or other resources, and
	// follows whether these are a reason for an update that sends nothing else.
	replaces, follows types.Bool
}

// podChange compares a planned party with the one before. after is the private state after the
// update.
func (i Images) podChange(p, before Party, private, after Private) podChange {
	same, seen := before.AppImage().Equal(p.AppImage()), DeployedParty{}
	if same {
		seen = private.Deployed[p.Key().String()]
	}
	if same && before.Image().IsNull() { // it is not known what the pods run
		return podChange{before.Image(), otherResources(p, before, private), types.BoolValue(false)}
	}
	image, found := i.of(p, seen.AppImage, (*kuscia.AppImage).Reference)
	switch {
	case !found:
		return podChange{types.StringUnknown(), types.BoolUnknown(), types.BoolValue(false)}
	case image.IsNull() && same:
		image = before.Image()
	}
	resources := otherResources(p, before, private)
	follows := resources
	if had := private.Deployed[p.Key().String()]; had.Containers != nil {
		known := map[string]party.PodResources{seen.Own.String(): seen.Own}
		own, found := i.of(p, seen.Own.String(), func(image *kuscia.AppImage) string {
			resources := party.OwnResources(image, p.Role().ValueString())
			text := resources.String()
			known[text] = resources
			return text
		})
		switch {
		case found && own.IsNull():
		case !found || own.IsUnknown():
			resources, follows = types.BoolUnknown(), types.BoolUnknown()
		default:
			resources, follows = had.otherResources(p, before, private, after, known[own.ValueString()])
		}
	}
	other := isOther(image, before.Image())
	return podChange{image, tfvalue.Or(other, resources), tfvalue.Or(other, follows)}
}

// otherResources reports whether the containers of a party get other resources than they have, and
// whether these are a reason for an update that sends nothing else. own are those of the app image.
func (d DeployedParty) otherResources(p, before Party, private, after Private, own party.PodResources) (replaces, follows types.Bool) {
	if !p.Resources().Known() {
		return types.BoolUnknown(), types.BoolUnknown()
	}
	read := private.KeepsObserved(p.Key(), p.Resources())
	if read {
		p = p.WithResources(before.Resources())
	}
	read = read || private.ResourcesObserved(p.Key()) && p.Resources().Equal(before.Resources()) // configured as they were read
	replaces = types.BoolValue(d.Containers.Changes(d.resourcesOf(p, own, read)))
	may, probable := d.mayFollow(own)
	if replaces.ValueBool() || !may || d.writes(p, own, after) {
		return replaces, replaces
	}
	return types.BoolUnknown(), types.BoolValue(probable)
}

// otherResources is the same where the app image is not known.
func otherResources(p, before Party, private Private) types.Bool {
	switch {
	case !p.Resources().Known():
		return types.BoolUnknown()
	case private.KeepsObserved(p.Key(), p.Resources()):
		p = p.WithResources(before.Resources())
	}
	return tfvalue.Or(isOther(p.AppImage(), before.AppImage()), types.BoolValue(!SameResources(before.Resources(), p.Resources(), private.ContainersOf(p.Key()))))
}

// ReplacesPodsOf reports whether a planned update replaces the pods of a party, or may do so.
func ReplacesPodsOf(p Party, prior Serving) bool {
	if !p.KeyKnown() {
		return false
	}
	before, ok := FindParty(prior.Parties().Items, p.Key())
	return ok && !p.PodRevision().Equal(before.PodRevision()) && !p.PodRevision().Equal(types.Int64Value(party.FirstRevision))
}

// ReplacesPods reports whether a planned update replaces the pods of any party, or may do so, as
// opposed to an update that only changes their number or how they are replaced.
func ReplacesPods(planned, prior Serving) bool {
	return slices.ContainsFunc(planned.Parties().Items, func(p Party) bool { return ReplacesPodsOf(p, prior) })
}

// sendsParties reports whether an update sends a change of any party.
func sendsParties(planned, prior Serving, private Private) types.Bool {
	if planned.Parties().IsUnknown() {
		return types.BoolUnknown()
	}
	sends := types.BoolValue(false)
	for _, p := range planned.Parties().Items {
		old, ok := FindParty(prior.Parties().Items, p.Key())
		switch {
		case !ok || !p.Known():
			if !ok || CompareParties(old, p, private).Any() {
				sends = tfvalue.Or(sends, types.BoolUnknown()) // what is not known yet may turn out to be no change
			}
		case CompareParties(old, p, private).Any():
			return types.BoolValue(true)
		}
	}
	return sends
}

// isOther reports whether a value differs from the one before; unknown ones may.
func isOther(now, before types.String) types.Bool {
	if now.IsUnknown() {
		return types.BoolUnknown()
	}
	return types.BoolValue(!now.Equal(before))
}

// ReachesPods reports whether a planned update sends anything to Kuscia, which
// then applies the current app images to all parties.
func ReachesPods(planned, prior Serving, private Private) bool {
	return hasTriggerOrPods(planned, prior) || changesServing(planned, prior, private)
}

// ChangesApplication reports whether a planned update changes what a party starts, or may do so: the
// text, the parties, their app images or their pods. A serving whose number of pods changes starts
// nothing else than it did.
func ChangesApplication(planned, prior Serving) bool {
	return maySendText(planned, prior) || changesPods(planned, prior) || planned.Parties().IsUnknown() || len(planned.Parties().Items) != len(prior.Parties().Items) ||
		slices.ContainsFunc(planned.Parties().Items, func(p Party) bool {
			before, ok := FindParty(prior.Parties().Items, p.Key())
			return !p.KeyKnown() || !ok || !p.AppImage().Equal(before.AppImage())
		})
}

// hasTriggerOrPods reports whether a trigger, or the image or pods of any party, of a planned
// update change.
func hasTriggerOrPods(planned, prior Serving) bool {
	return triggered(planned.RedeployTriggers(), prior.RedeployTriggers()) || changesPods(planned, prior)
}

// changesPods reports whether a planned update gives a party another image or other pods, or may
// do so.
func changesPods(planned, prior Serving) bool {
	return slices.ContainsFunc(planned.Parties().Items, func(p Party) bool {
		before, ok := FindParty(prior.Parties().Items, p.Key())
		return ok && p.KeyKnown() && (ReplacesPodsOf(p, prior) || changesImage(p, before))
	})
}

// changesImage reports whether a party gets another image, or may get one.
func changesImage(planned, prior Party) bool {
	return !planned.Image().IsNull() && !prior.Image().IsNull() && !planned.Image().Equal(prior.Image())
}

// changesServing reports whether a planned update sends a change of the serving itself.
func changesServing(planned, prior Serving, private Private) bool {
	return maySendText(planned, prior) || changesParties(planned, prior, private)
}

// maySendText reports whether a planned update may change the configuration text.
func maySendText(planned, prior Serving) bool {
	return !changesText(planned, prior).Equal(types.BoolValue(false))
}

// changesText reports whether a planned update sends the configuration text. A write-only one
// with another version may be the one that Kuscia has.
func changesText(planned, prior Serving) types.Bool {
	if !planned.ServingInputConfigVersion().Equal(prior.ServingInputConfigVersion()) || planned.ServingInputConfig().IsUnknown() {
		return types.BoolUnknown()
	}
	return types.BoolValue(sendsText(planned, prior))
}

// sendsText reports whether an update changes the configuration text, if both texts are known.
func sendsText(desired, before Serving) bool {
	return !tfvalue.ConfigTextEqual(desired.ServingInputConfig().ValueString(), before.ServingInputConfig().ValueString())
}

// changesParties reports whether a planned update sends a change of any party, or may do so.
func changesParties(planned, prior Serving, private Private) bool {
	return !sendsParties(planned, prior, private).Equal(types.BoolValue(false))
}

// ChangedImage is a party whose app image is not what the plan has assumed.
type ChangedImage struct {
	// Party is the planned one.
	Party Party
	// Now is the image that its pods would get: the planned one if only the resources differ.
	Now types.String
}

// CompletePods returns a planned serving at apply, with the images and the pod revisions that the
// plan did not know. changed are the parties whose pods an update or a create would give
// another image or other resources than were planned. prior is nil for a create. The configuration texts
// of an update are those that Kuscia gets and has, as far as its version differs. A pod revision stays
// unknown if only the state after the update shows whether it replaces the pods (origin.go).
func CompletePods(planned, config Serving, prior *Serving, private Private, images Images) (completed Serving, changed []ChangedImage) {
	now := images.OfNew(planned.Parties())
	if prior != nil {
		now = asBefore(planned.Parties(), *prior)
		undecided := planned
		undecided = undecided.WithParties(now)
		text := sendsText(planned, *prior)
		if text || hasTriggerOrPods(planned, *prior) || changesParties(planned, *prior, private) {
			now = images.ofLive(undecided, *prior, config, private, types.BoolValue(text))
		}
	}
	completed = planned
	completed = completed.WithParties(partiesWithPods(planned.Parties(), func(p Party) (types.String, types.Int64) {
		at, _ := FindParty(now.Items, p.Key())
		image, revision := p.Image(), p.PodRevision()
		otherImage := !image.IsNull() && !at.Image().IsUnknown() && !at.Image().IsNull() && !at.Image().Equal(image)
		switch {
		case image.IsUnknown():
			image = at.Image()
		case otherImage:
			changed = append(changed, ChangedImage{p, at.Image()})
		}
		undecided := prior != nil && at.PodRevision().IsUnknown() && !at.Image().IsUnknown()
		switch {
		case revision.IsUnknown():
			revision = at.PodRevision()
		case !otherImage && (undecided || !at.PodRevision().IsUnknown()) && !at.PodRevision().Equal(revision):
			changed = append(changed, ChangedImage{p, image})
		}
		return image, revision
	}))
	return completed, changed
}

// asBefore returns planned parties with the images and pods that they have.
func asBefore(planned Parties, prior Serving) Parties {
	return partiesWithPods(planned, func(p Party) (types.String, types.Int64) {
		before, _ := FindParty(prior.Parties().Items, p.Key())
		return before.Image(), before.PodRevision()
	})
}
