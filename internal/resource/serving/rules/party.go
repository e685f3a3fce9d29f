package rules

import (
	"cmp"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// The computed attributes of a party.
const (
	AttrImage = "image"
)

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
	Image types.String
	// PodRevision is 1 at first, and one more with each apply that replaces the pods. It is
	// null in a state from before the attribute.
	PodRevision       types.Int64
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

// Names returns the name of the party's Deployment and the prefix of its Services, which is that
// name unless the party sets one; "" for what is not known.
func (p Party) Names(servingID types.String) (deployment, services string) {
	if id := servingID.ValueString(); id != "" && !p.Role.IsUnknown() {
		deployment = party.DeploymentName(id, p.Role.ValueString())
	}
	if services = p.ServiceNamePrefix.ValueString(); services == "" && !p.ServiceNamePrefix.IsUnknown() {
		services = deployment
	}
	return deployment, services
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
	return p.Name == other.Name && p.DomainID == other.DomainID && p.Role == other.Role && p.AppImage == other.AppImage && p.Image == other.Image && p.PodRevision == other.PodRevision && p.Replicas == other.Replicas &&
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

// Strategy is the decoded update_strategy.
type Strategy struct {
	Unknown, Null                  bool
	Type, MaxSurge, MaxUnavailable types.String
}

// WithDefaults completes a strategy as Kuscia v1.1 does: RollingUpdate with 25%
// each; Recreate has no bounds.
func (s Strategy) WithDefaults() Strategy {
	if s.Unknown {
		return s
	}
	s.Null = false
	if s.Type.IsNull() {
		s.Type = types.StringValue(kuscia.StrategyRollingUpdate)
	}
	switch {
	case s.Type.IsUnknown():
		s.MaxSurge, s.MaxUnavailable = unknownIfNull(s.MaxSurge), unknownIfNull(s.MaxUnavailable)
	case s.Type.ValueString() == kuscia.StrategyRollingUpdate:
		if s.MaxSurge.IsNull() {
			s.MaxSurge = types.StringValue(kuscia.DefaultMaxSurge)
		}
		if s.MaxUnavailable.IsNull() {
			s.MaxUnavailable = types.StringValue(kuscia.DefaultMaxUnavailable)
		}
	}
	return s
}

func unknownIfNull(value types.String) types.String {
	if value.IsNull() {
		return types.StringUnknown()
	}
	return value
}

// KeepPriorSpelling keeps the spelling of each value separately: a value that becomes
// known later must not change what was planned for the others.
func (s Strategy) KeepPriorSpelling(prior Strategy) Strategy {
	s.MaxSurge, s.MaxUnavailable = keepAmount(s.MaxSurge, prior.MaxSurge), keepAmount(s.MaxUnavailable, prior.MaxUnavailable)
	return s
}

func keepAmount(planned, prior types.String) types.String {
	if planned.IsNull() || planned.IsUnknown() || prior.IsNull() || !tfvalue.CountOrPercentEqual(planned.ValueString(), prior.ValueString()) {
		return planned
	}
	return prior
}

// Equal reports whether two strategies are identical.
func (s Strategy) Equal(other Strategy) bool {
	if s.Unknown || other.Unknown || s.Null || other.Null {
		return s.Unknown == other.Unknown && (s.Unknown || s.Null == other.Null)
	}
	return s == other
}

// Known reports whether nothing in the strategy is unknown.
func (s Strategy) Known() bool {
	return !s.Unknown && !s.Type.IsUnknown() && !s.MaxSurge.IsUnknown() && !s.MaxUnavailable.IsUnknown()
}

// AttributeOf returns an attribute of an object; the zero value of the
// framework's types is null.
func AttributeOf[T attr.Value](attributes map[string]attr.Value, name string) T {
	value, _ := attributes[name].(T)
	return value
}

// SameStrategy reports whether two known strategies are equivalent.
func SameStrategy(a, b Strategy) bool {
	return a.Known() && b.Known() && a.Type.Equal(b.Type) &&
		tfvalue.CountOrPercentEqual(a.MaxSurge.ValueString(), b.MaxSurge.ValueString()) &&
		tfvalue.CountOrPercentEqual(a.MaxUnavailable.ValueString(), b.MaxUnavailable.ValueString())
}

// Wire returns the strategy in Kuscia's form, always complete, since an update
// replaces the whole strategy.
func (s Strategy) Wire() *kuscia.UpdateStrategy {
	return &kuscia.UpdateStrategy{
		Type: s.Type.ValueString(), MaxSurge: s.MaxSurge.ValueString(), MaxUnavailable: s.MaxUnavailable.ValueString(),
	}
}

// ReadStrategy returns the strategy in a response of Kuscia. A percentage has one spelling: an
// update may have sent another one (follow.go).
func ReadStrategy(wire *kuscia.UpdateStrategy) Strategy {
	if wire == nil || wire.Type == "" {
		return Strategy{Null: true}.WithDefaults()
	}
	s := Strategy{Type: types.StringValue(wire.Type)}
	if wire.MaxSurge != "" {
		s.MaxSurge = types.StringValue(tfvalue.CanonicalCountOrPercent(wire.MaxSurge))
	}
	if wire.MaxUnavailable != "" {
		s.MaxUnavailable = types.StringValue(tfvalue.CanonicalCountOrPercent(wire.MaxUnavailable))
	}
	return s.WithDefaults()
}
