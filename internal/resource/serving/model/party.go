package model

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
)

// Parties is the list of all parties. In a configuration the list, an element or
// a part of an element may be unknown. The zero value is null.
type Parties struct {
	Items []Party
	state attr.ValueState
}

// PartiesOf is a known list.
func PartiesOf(items ...Party) Parties { return Parties{Items: items, state: attr.ValueStateKnown} }

// UnknownParties is a list that is unknown as a whole.
func UnknownParties() Parties { return Parties{state: attr.ValueStateUnknown} }

// IsNull reports whether there is no list.
func (l Parties) IsNull() bool { return l.state == attr.ValueStateNull }

// IsUnknown reports whether the list is unknown as a whole.
func (l Parties) IsUnknown() bool { return l.state == attr.ValueStateUnknown }

// Equal reports whether two lists are identical.
func (l Parties) Equal(other Parties) bool {
	return l.state == other.state && slices.EqualFunc(l.Items, other.Items, Party.Equal)
}

// Party is one element of parties. unknown and null are for an element that is
// unknown or null as a whole.
type Party struct {
	Unknown, Null     bool
	DomainID          types.String
	Role              types.String
	AppImage          types.String
	Replicas          types.Int32
	ServiceNamePrefix types.String
	Strategy          Strategy
	Resources         ResourceList
}

// Key identifies a party whose key is known.
func (p Party) Key() party.Key {
	return party.Key{DomainID: p.DomainID.ValueString(), Role: p.Role.ValueString()}
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
		return p.Unknown == other.Unknown
	}
	return p.DomainID == other.DomainID && p.Role == other.Role && p.AppImage == other.AppImage && p.Replicas == other.Replicas &&
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
