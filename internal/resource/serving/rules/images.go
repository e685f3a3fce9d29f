package rules

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
)

// Kuscia applies the image of an app image to running pods with the next update of the
// serving that changes anything, whatever that is. So a planned image is that of the app
// image if the update sends something anyway, or if the serving follows its app images and
// its text can be sent again. In all other cases the pods keep what they run.
//
// Terraform plans again during the apply, in another process, and reports its own error if a
// value that was known has changed. So a planned image is known only if both plans lead to the
// same: from what this run gives an app image, or from what the last refresh has stored. An app
// image that has changed since then is noticed at apply (CompleteImages), before anything is
// sent.

// Images are the app images of a plan or an apply.
type Images struct {
	// Definition returns an app image; nil if it is not known.
	Definition party.ImageLookup
	// Changed returns the image of an app image that this run changes, or has changed: unknown
	// if it is known only after apply. ok is false if the run does not change it. seen is the
	// image at the last refresh, "" if that is not known.
	Changed func(appImage, seen string) (image types.String, ok bool)
	// Applied reports whether this run has applied an app image, as before the second plan
	// of an apply: the first one knew whose the domain is. It is nil at apply.
	Applied func(appImage string) bool
	// Current returns the image that an app image has now: null if this node refuses to return
	// it. ok is false if it could not be determined. It is nil in a plan.
	Current func(appImage string) (image types.String, ok bool)
	// IsPartner reports whether a domain runs in another cluster, with that cluster's app
	// images; unknown if that cannot be determined yet.
	IsPartner func(domainID string) types.Bool
}

// KnownImages are the app images that a lookup returns.
func KnownImages(lookup party.ImageLookup) Images {
	return Images{Definition: lookup, Current: func(name string) (types.String, bool) {
		image := lookup(name)
		return ReferenceOf(image), image != nil
	}, IsPartner: func(string) types.Bool { return types.BoolValue(false) }}
}

// ReferenceOf returns the image of an app image; null if there is none.
func ReferenceOf(image *kuscia.AppImage) types.String {
	if image == nil {
		return types.StringNull()
	}
	return types.StringValue(image.Reference())
}

// OfNew returns the parties of a new serving with their images.
func (i Images) OfNew(parties Parties) Parties {
	return withImages(parties, func(p Party) types.String {
		image, ok := i.of(p, "")
		if !ok {
			return types.StringUnknown()
		}
		return image
	})
}

// ofLive returns the planned parties of a live serving with their images. Those of planned
// are the prior ones, and text is whether the configuration text is sent.
func (i Images) ofLive(planned, prior, config Serving, private Private, text types.Bool) Parties {
	follows := follows(planned, config)
	others := triggered(planned.RedeployTriggers, prior.RedeployTriggers) || changesParties(planned, prior, private, PartyChange.Any)
	sends := others || !text.Equal(types.BoolValue(false))
	// What is not known yet may turn out to be no change.
	maySend := sends && (!planned.Known() || !others && text.IsUnknown())
	applies := sends && !maySend || follows.ValueBool()
	if !applies && !maySend && !follows.IsUnknown() {
		return planned.Parties
	}
	return withImages(planned.Parties, func(p Party) types.String {
		before, _ := FindParty(prior.Parties.Items, p.Key())
		same, seen := before.AppImage.Equal(p.AppImage), ""
		if same {
			seen = private.Deployed[p.Key().String()].AppImage
		}
		if same && before.Image.IsNull() {
			return before.Image // it is not known what the pods run
		}
		image, ok := i.of(p, seen)
		switch {
		case !ok && !sends, same && image.IsNull() && ok:
			return before.Image
		case !ok, !applies && !image.Equal(before.Image):
			return types.StringUnknown()
		}
		return image
	})
}

// of returns the image of a party by its app image; seen is that at the last refresh, "" if it
// is not known.
func (i Images) of(p Party, seen string) (image types.String, ok bool) {
	name, partner := p.AppImage.ValueString(), types.BoolValue(false)
	if seen == "" && p.KeyKnown() {
		partner = i.IsPartner(p.Key().DomainID)
	}
	switch {
	case !p.KeyKnown() || p.AppImage.IsUnknown():
		return types.StringUnknown(), true
	case partner.IsUnknown() && (i.Applied == nil || !i.Applied(name)):
		return types.StringUnknown(), false
	case partner.ValueBool():
		return types.StringNull(), true
	case i.Current != nil:
		return i.Current(name)
	}
	if image, ok := i.Changed(name, seen); ok {
		return image, true
	}
	return types.StringValue(seen), seen != ""
}

// follows reports whether a serving is updated only because of another image.
func follows(planned, config Serving) types.Bool {
	switch {
	case planned.FollowAppImage.Equal(types.BoolValue(false)), !CanRedeploy(planned, config):
		return types.BoolValue(false)
	case planned.FollowAppImage.IsUnknown(), redeployedText(planned, config).IsUnknown():
		return types.BoolUnknown()
	}
	return types.BoolValue(true)
}

// withImages returns the parties with other images.
func withImages(parties Parties, image func(Party) types.String) Parties {
	if parties.IsUnknown() {
		return parties
	}
	items := slices.Clone(parties.Items)
	for i, p := range items {
		if !p.Unknown {
			items[i].Image = image(p)
		}
	}
	return PartiesOf(items...)
}

// sameImages reports whether parties of the same names have the same images.
func sameImages(planned, prior Parties) bool {
	return slices.EqualFunc(planned.Items, prior.Items, func(p, old Party) bool { return p.Image.Equal(old.Image) })
}

// CanRedeploy reports whether the configuration text of a planned serving can be sent again
// to restart its pods, as far as a plan knows it.
func CanRedeploy(planned, config Serving) bool {
	return Redeployable(redeployedText(planned, config))
}

// redeployedText is the text that a redeploy would send again. A write-only text with an
// unchanged version is that in Kuscia: an apply that sends it has read it, and a plan knows only
// that of the configuration, see NeedsStoredText.
func redeployedText(planned, config Serving) types.String {
	if planned.ConfigOnlyOnServer() {
		return config.ServingInputConfigWO
	}
	return planned.ServingInputConfig
}

// NeedsStoredText reports whether an update may restart pods with a write-only text that the
// configuration does not have, so that only the one in Kuscia shows what it does.
func NeedsStoredText(planned, prior, config Serving, private Private) bool {
	return planned.ConfigIsWriteOnly() && planned.ServingInputConfigVersion.Equal(prior.ServingInputConfigVersion) &&
		config.ServingInputConfigWO.IsUnknown() && Redeploys(planned, prior, private)
}

// changesImages reports whether an update may give the pods of any party another image.
func changesImages(planned, prior Serving) bool {
	return slices.ContainsFunc(planned.Parties.Items, func(p Party) bool { return changesImage(p, prior) })
}

// changesImage reports whether an update may give the pods of a party another image than
// the one that they are known to run.
func changesImage(p Party, prior Serving) bool {
	if !p.KeyKnown() {
		return false
	}
	before, ok := FindParty(prior.Parties.Items, p.Key())
	return ok && !before.Image.IsNull() && !p.Image.IsNull() && !p.Image.Equal(before.Image)
}

// ChangedImage is the image of a party that differs from the planned one.
type ChangedImage struct {
	Party Party
	// Now is the image that its pods would get.
	Now types.String
}

// CompleteImages returns a planned serving at apply, with images that the plan did not
// know. changed are those that an update or a create would give to pods instead of the
// planned ones. prior is nil for a create. The configuration texts of an update are those that
// Kuscia gets and has, as far as its version differs.
func CompleteImages(planned, config Serving, prior *Serving, private Private, images Images) (completed Serving, changed []ChangedImage) {
	var now Parties
	if prior == nil {
		now = images.OfNew(planned.Parties)
	} else {
		undecided := planned
		undecided.Parties = withImages(planned.Parties, func(p Party) types.String {
			before, _ := FindParty(prior.Parties.Items, p.Key())
			return before.Image
		})
		text := sendsText(planned, *prior)
		now = undecided.Parties
		if text || hasTriggerOrImage(planned, *prior) || changesParties(planned, *prior, private, PartyChange.Any) {
			now = images.ofLive(undecided, *prior, config, private, types.BoolValue(text))
		}
	}
	completed = planned
	completed.Parties = withImages(planned.Parties, func(p Party) types.String {
		image := types.StringUnknown()
		if at, ok := FindParty(now.Items, p.Key()); ok {
			image = at.Image
		}
		switch {
		case p.Image.IsUnknown():
			return image
		case !p.Image.IsNull() && !image.IsUnknown() && !image.IsNull() && !image.Equal(p.Image):
			changed = append(changed, ChangedImage{p, image})
		}
		return p.Image
	})
	return completed, changed
}
