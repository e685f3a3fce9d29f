package rules

import (
	"cmp"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// Parties is the map of all parties, in the order of its keys. In a configuration
// the map, an element or a part of an element may be unknown. The zero value is
// null.
type Parties struct {
	// Items must not be changed: servings share them.
	Items []Party
	state attr.ValueState
	// viewed is the map of which these are views; it has no type if there is none.
	viewed definition.Value
}

// PartiesOf is a known map.
func PartiesOf(items ...Party) Parties {
	items = slices.Clone(items)
	slices.SortFunc(items, func(a, b Party) int { return cmp.Compare(a.Name, b.Name) })
	return Parties{Items: items, state: attr.ValueStateKnown}
}

// UnknownParties is a map that is unknown as a whole.
func UnknownParties() Parties { return Parties{state: attr.ValueStateUnknown} }

// partiesOf are views of the elements of a map.
func partiesOf(value definition.Value) Parties {
	switch {
	case !value.IsKnown():
		return UnknownParties()
	case value.IsNull():
		return Parties{}
	}
	elements := definition.FieldsOf(value)
	items := make([]Party, 0, len(elements))
	for _, name := range slices.Sorted(maps.Keys(elements)) {
		items = append(items, partyOf(name, definition.ViewOf(elements[name])))
	}
	return Parties{Items: items, state: attr.ValueStateKnown, viewed: value}
}

// value is the map.
func (l Parties) value() definition.Value {
	switch kind := (tftypes.Map{ElementType: partyDefinition.Type()}); {
	case l.IsUnknown():
		return tftypes.NewValue(kind, tftypes.UnknownValue)
	case l.IsNull():
		return tftypes.NewValue(kind, nil)
	case l.viewed.Type() != nil:
		return l.viewed
	}
	elements := make(map[string]definition.Value, len(l.Items))
	for _, p := range l.Items {
		elements[p.Name] = p.Value()
	}
	return partyDefinition.MapOf(elements)
}

// Changed is the map with each party changed.
func (l Parties) Changed(change func(Party) Party) Parties {
	var items []Party // if any changes
	for i, p := range l.Items {
		next := change(p)
		if items == nil && !next.Equal(p) {
			items = slices.Clone(l.Items)
		}
		if items != nil {
			items[i] = next
		}
	}
	if items == nil {
		return l
	}
	return Parties{Items: items, state: l.state}
}

// Equal reports whether two maps are identical.
func (l Parties) Equal(other Parties) bool {
	return l.state == other.state && slices.EqualFunc(l.Items, other.Items, Party.Equal)
}

// IsNull reports whether there is no map.
func (l Parties) IsNull() bool { return l.state == attr.ValueStateNull }

// IsUnknown reports whether the map is unknown as a whole.
func (l Parties) IsUnknown() bool { return l.state == attr.ValueStateUnknown }

// Named returns the party with a name.
func (l Parties) Named(name string) (Party, bool) {
	i := slices.IndexFunc(l.Items, func(p Party) bool { return p.Name == name })
	if i < 0 {
		return Party{}, false
	}
	return l.Items[i], true
}

// Party is a view of one element of parties.
type Party struct {
	definition.View

	// Name is the key in the map, and the domain_id unless that is set. It is
	// only for the configuration: Key identifies the party.
	Name string

	key      party.Key
	keyKnown bool
}

// partyOf is a view of a party.
func partyOf(name string, view definition.View) Party {
	p := Party{View: view, Name: name}
	domain, role := p.DomainID(), p.Role()
	p.key = party.Key{DomainID: domain.ValueString(), Role: role.ValueString()}
	if domain.IsNull() {
		p.key.DomainID = name
	}
	p.keyKnown = !p.IsUnknown() && !domain.IsUnknown() && !role.IsUnknown()
	return p
}

// NewParty is a party with some attributes.
func NewParty(name string, attributes definition.Tree) Party {
	return partyOf(name, definition.ViewOf(partyDefinition.Encode(attributes)))
}

// WithName returns a party with another key in the map.
func (p Party) WithName(name string) Party { return partyOf(name, p.View) }

// WithPartyAttribute returns a party with another value of an attribute.
func (p Party) WithPartyAttribute(name string, value attr.Value) Party {
	return partyOf(p.Name, p.WithAttribute(name, value))
}

// withPods returns a party with another image and other pods.
func (p Party) withPods(image types.String, revision types.Int64) Party {
	if p.Image() != image || p.PodRevision() != revision {
		p.View = p.WithValues(map[string]definition.Value{AttrImage: definition.ValueOf(image), party.AttrPodRevision: definition.ValueOf(revision)})
	}
	return p
}

// WithStrategy returns a party with another strategy.
func (p Party) WithStrategy(s Strategy) Party {
	p.View = p.WithValue(attrStrategy, s.Value())
	return p
}

// WithResources returns a party with other resources.
func (p Party) WithResources(r Resources) Party {
	p.View = p.WithValues(map[string]definition.Value{AttrResources: r.common, AttrContainerResources: r.named})
	return p
}

// DomainID is the attribute domain_id; see Key.
func (p Party) DomainID() types.String { return p.String("domain_id") }

// Role is the attribute role.
func (p Party) Role() types.String { return p.String("role") }

// AppImage is the attribute app_image.
func (p Party) AppImage() types.String { return p.String("app_image") }

// Image is the reference of the container image that the pods run, or will run after an
// apply. It is null if this node cannot read the app image.
func (p Party) Image() types.String { return p.String(AttrImage) }

// PodRevision is 1 at first, and one more with each apply that replaces the pods. It is
// null in a state from before the attribute.
func (p Party) PodRevision() types.Int64 { return p.Int64(party.AttrPodRevision) }

// Replicas is the attribute replicas.
func (p Party) Replicas() types.Int32 { return p.Int32("replicas") }

// ServiceNamePrefix is the attribute service_name_prefix.
func (p Party) ServiceNamePrefix() types.String { return p.String("service_name_prefix") }

// Strategy is the attribute update_strategy.
func (p Party) Strategy() Strategy { return Strategy{p.Object(attrStrategy)} }

// Resources are both attributes with resources.
func (p Party) Resources() Resources {
	return Resources{p.At(AttrResources), p.At(AttrContainerResources)}
}

// Path is the path of the party.
func (p Party) Path() path.Path { return path.Root(attrParties).AtMapKey(p.Name) }

// Key identifies a party whose key is known.
func (p Party) Key() party.Key { return p.key }

// KeyKnown reports whether the key of the party is known.
func (p Party) KeyKnown() bool { return p.keyKnown }

// Names returns the name of the party's Deployment and the prefix of its Services, which is that
// name unless the party sets one; "" for what is not known.
func (p Party) Names(servingID types.String) (deployment, services string) {
	if id := servingID.ValueString(); id != "" && !p.Role().IsUnknown() {
		deployment = party.DeploymentName(id, p.Role().ValueString())
	}
	prefix := p.ServiceNamePrefix()
	if services = prefix.ValueString(); services == "" && !prefix.IsUnknown() {
		services = deployment
	}
	return deployment, services
}

// Known reports whether nothing that a configuration can set is unknown in the party.
func (p Party) Known() bool { return partyDefinition.IsConfigurationKnown(p.View) }

// Equal reports whether two parties are identical.
func (p Party) Equal(other Party) bool { return p.Name == other.Name && p.View.Equal(other.View) }

// FindParty returns the party with a key.
func FindParty(parties []Party, key party.Key) (Party, bool) {
	i := slices.IndexFunc(parties, func(p Party) bool { return p.Key() == key })
	if i < 0 {
		return Party{}, false
	}
	return parties[i], true
}

// Strategy is a view of update_strategy.
type Strategy struct{ definition.View }

// Type is RollingUpdate or Recreate.
func (s Strategy) Type() types.String { return s.String("type") }

// MaxSurge is a bound of RollingUpdate.
func (s Strategy) MaxSurge() types.String { return s.String("max_surge") }

// MaxUnavailable is a bound of RollingUpdate.
func (s Strategy) MaxUnavailable() types.String { return s.String("max_unavailable") }

// Known reports whether nothing in the strategy is unknown.
func (s Strategy) Known() bool { return strategyDefinition.IsConfigurationKnown(s.View) }

// SameStrategy reports whether two known strategies are equivalent.
func SameStrategy(a, b Strategy) bool {
	return a.Known() && b.Known() && a.Type().Equal(b.Type()) &&
		tfvalue.CountOrPercentEqual(a.MaxSurge().ValueString(), b.MaxSurge().ValueString()) &&
		tfvalue.CountOrPercentEqual(a.MaxUnavailable().ValueString(), b.MaxUnavailable().ValueString())
}
