package rules

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
)

// Terraform plans again during the apply, in another process, and reports its own error if a
// value that was known has changed. So what an app image will have is known in a plan only if both
// plans lead to the same: from what this run gives the app image, or from what the last refresh
// has stored. An app image that has changed since then is noticed at apply (CompletePods), before
// anything is sent.

// Images are the app images of a plan or an apply.
type Images struct {
	// Definition returns an app image; nil if it is not known.
	Definition party.ImageLookup
	// Changed returns a part of an app image that this run changes, or has changed: "" if it is
	// known only after apply. ok is false if the run does not change it. seen is the part at the
	// last refresh, "" if that is not known.
	Changed func(appImage, seen string, part ImagePart) (value string, ok bool)
	// Applied reports whether this run has applied an app image, as before the second plan
	// of an apply: the first one knew whose the domain is. It is nil at apply.
	Applied func(appImage string) bool
	// Current returns an app image as it is now: nil if this node refuses to return it. ok is
	// false if it could not be determined. It is nil in a plan.
	Current func(appImage string) (image *kuscia.AppImage, ok bool)
	// IsPartner reports whether a domain runs in another cluster, with that cluster's app
	// images; unknown if that cannot be determined yet.
	IsPartner func(domainID string) types.Bool
}

// ImagePart returns a part of an app image as a text.
type ImagePart func(*kuscia.AppImage) string

// KnownImages are the app images that a lookup returns.
func KnownImages(lookup party.ImageLookup) Images {
	return Images{Definition: lookup, Current: func(name string) (*kuscia.AppImage, bool) {
		image := lookup(name)
		return image, image != nil
	}, IsPartner: func(string) types.Bool { return types.BoolValue(false) }}
}

// ReferenceOf returns the image of an app image; null if there is none.
func ReferenceOf(image *kuscia.AppImage) types.String {
	if image == nil {
		return types.StringNull()
	}
	return types.StringValue(image.Reference())
}

// OfNew returns the parties of a new serving with their images and first pods.
func (i Images) OfNew(parties Parties) Parties {
	return partiesWithPods(parties, func(p Party) (types.String, types.Int64) {
		image, ok := i.of(p, "", (*kuscia.AppImage).Reference)
		if !ok {
			image = types.StringUnknown()
		}
		return image, types.Int64Value(party.FirstRevision)
	})
}

// of returns a part of the app image of a party; seen is that at the last refresh, "" if it is
// not known. It is null where this node cannot know it. ok is false if it could not be
// determined.
func (i Images) of(p Party, seen string, part ImagePart) (value types.String, ok bool) {
	name, partner := p.AppImage().ValueString(), types.BoolValue(false)
	if seen == "" && p.KeyKnown() {
		partner = i.IsPartner(p.Key().DomainID)
	}
	switch {
	case !p.KeyKnown() || p.AppImage().IsUnknown():
		return types.StringUnknown(), true
	case partner.IsUnknown() && (i.Applied == nil || !i.Applied(name)):
		return types.StringUnknown(), false
	case partner.ValueBool():
		return types.StringNull(), true
	case i.Current != nil:
		image, ok := i.Current(name)
		if image == nil {
			return types.StringNull(), ok
		}
		return types.StringValue(part(image)), true
	}
	if value, ok := i.Changed(name, seen, part); ok {
		if value == "" {
			return types.StringUnknown(), true
		}
		return types.StringValue(value), true
	}
	return types.StringValue(seen), seen != ""
}

// partiesWithPods returns the parties with other images and pod revisions.
func partiesWithPods(parties Parties, of func(Party) (types.String, types.Int64)) Parties {
	return parties.Changed(func(p Party) Party {
		if p.IsUnknown() {
			return p
		}
		return p.withPods(of(p))
	})
}

// samePods reports whether parties of the same names have the same images and pods.
func samePods(planned, prior Parties) bool {
	return slices.EqualFunc(planned.Items, prior.Items, func(p, old Party) bool {
		return p.Image().Equal(old.Image()) && p.PodRevision().Equal(old.PodRevision())
	})
}
