package model

import (
	"cmp"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
)

// AttrImage is the computed image of a party.
const AttrImage = "image"

// Parties is the map of all parties, in the order of its keys. In a configuration
// the map, an element or a part of an element may be unknown. The zero value is
// null.
type Parties struct {
	Items []Party
	state attr.ValueState
}

// PartiesOf is a known map.
func PartiesOf(items ...Party) Parties {
	items = slices.Clone(items)
	slices.SortFunc(items, func(a, b Party) int { return cmp.Compare(a.Name, b.Name) })
	return Parties{Items: items, state: attr.ValueStateKnown}
}

// UnknownParties is a map that is unknown as a whole.
func UnknownParties() Parties { return Parties{state: attr.ValueStateUnknown} }

// IsNull reports whether there is no map.
func (l Parties) IsNull() bool { return l.state == attr.ValueStateNull }

// IsUnknown reports whether the map is unknown as a whole.
func (l Parties) IsUnknown() bool { return l.state == attr.ValueStateUnknown }

// Equal reports whether two maps are identical.
func (l Parties) Equal(other Parties) bool {
	return l.state == other.state && slices.EqualFunc(l.Items, other.Items, Party.Equal)
}

// Named returns the party with a name.
func (l Parties) Named(name string) (Party, bool) {
	i := slices.IndexFunc(l.Items, func(p Party) bool { return p.Name == name })
	if i < 0 {
		return Party{}, false
	}
	return l.Items[i], true
}

// Party is one element of parties. Unknown and Null are for an element that is
// unknown or null as a whole.
type Party struct {
	// Name is the key in the map, and the domain_id unless that is set. It is
	// only for the configuration: Key identifies the party.
	Name          string
	Unknown, Null bool
	DomainID      types.String
	Role          types.String
	AppImage      types.String
	// Image is the reference of the container image that the pods run, or will run after an
	// apply. It is null if this node cannot read the app image.
	Image             types.String
	Replicas          types.Int32
	ServiceNamePrefix types.String
	Strategy          Strategy
	Resources         Resources
}

// Path is the path of the party.
func (p Party) Path() path.Path { return path.Root("parties").AtMapKey(p.Name) }

// Key identifies a party whose key is known.
func (p Party) Key() party.Key {
	key := party.Key{DomainID: p.DomainID.ValueString(), Role: p.Role.ValueString()}
	if p.DomainID.IsNull() {
		key.DomainID = p.Name
	}
	return key
}

// KeyKnown reports whether the key of the party is known.
func (p Party) KeyKnown() bool {
	return !p.Unknown && !p.DomainID.IsUnknown() && !p.Role.IsUnknown()
}

// Known reports whether nothing in the party is unknown.
func (p Party) Known() bool {
	return p.KeyKnown() && !p.AppImage.IsUnknown() && !p.Replicas.IsUnknown() &&
		!p.ServiceNamePrefix.IsUnknown() && p.Strategy.Known() && p.Resources.Known()
}

// Equal reports whether two parties are identical.
func (p Party) Equal(other Party) bool {
	if p.Unknown || other.Unknown {
		return p.Name == other.Name && p.Unknown == other.Unknown
	}
	return p.Name == other.Name && p.DomainID == other.DomainID && p.Role == other.Role && p.AppImage == other.AppImage && p.Image == other.Image && p.Replicas == other.Replicas &&
		p.ServiceNamePrefix == other.ServiceNamePrefix && p.Strategy.Equal(other.Strategy) && p.Resources.Equal(other.Resources)
}

// FindParty returns the party with a key.
func FindParty(parties []Party, key party.Key) (Party, bool) {
	i := slices.IndexFunc(parties, func(p Party) bool { return p.Key() == key })
	if i < 0 {
		return Party{}, false
	}
	return parties[i], true
}
