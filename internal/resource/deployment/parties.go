package deployment

import (
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// partyKey identifies a party.
type partyKey struct{ domainID, role, prefix string }

// keysOf returns the keys of a list of parties. known is false if any of them
// may still change.
func keysOf(parties definition.Value) (keys []partyKey, known bool) {
	known = parties.Type() != nil && parties.IsKnown()
	for _, party := range definition.ElementsOf(parties) {
		fields := definition.FieldsOf(party)
		known = known && party.IsKnown() && fields[attrDomainID].IsKnown() && fields[attrRole].IsKnown() && fields[attrPrefix].IsKnown()
		keys = append(keys, keyOf(fields))
	}
	return keys, known
}

func keyOf(party map[string]definition.Value) partyKey {
	return partyKey{definition.StringOf(party[attrDomainID]), definition.StringOf(party[attrRole]), definition.StringOf(party[attrPrefix])}
}

// partiesByKey returns the attributes of the parties of a deployment by key.
func partiesByKey(value definition.Value) map[partyKey]map[string]definition.Value {
	out := map[partyKey]map[string]definition.Value{}
	for _, party := range definition.ElementsOf(definition.FieldsOf(value)[attrParties]) {
		out[keyOf(definition.FieldsOf(party))] = definition.FieldsOf(party)
	}
	return out
}

// otherParties reports whether two lists have different parties, or may have
// once all values are known.
func otherParties(prior, planned definition.Value) bool {
	before, _ := keysOf(prior)
	after, known := keysOf(planned)
	if !known {
		return true
	}
	count := map[partyKey]int{}
	for _, key := range before {
		count[key]++
	}
	for _, key := range after {
		count[key]--
	}
	return slices.ContainsFunc(slices.Collect(maps.Values(count)), func(n int) bool { return n != 0 })
}

// inOrderOf returns a deployment with its parties and their containers in the
// order of another deployment, as far as both have them. Their order has no
// meaning.
func inOrderOf(value, like definition.Value) definition.Value {
	fields := definition.FieldsOf(value)
	parties, others := fields[attrParties], definition.ElementsOf(definition.FieldsOf(like)[attrParties])
	if len(others) == 0 || len(definition.ElementsOf(parties)) == 0 {
		return value
	}
	key := func(party definition.Value) (any, bool) {
		_, known := keysOf(tftypes.NewValue(tftypes.List{ElementType: party.Type()}, []definition.Value{party}))
		return keyOf(definition.FieldsOf(party)), known
	}
	elements := reordered(definition.ElementsOf(parties), others, key)
	for i := range elements {
		if i < len(others) && !elements[i].IsNull() && !others[i].IsNull() {
			elements[i] = containersInOrderOf(elements[i], others[i])
		}
	}
	changed := maps.Clone(fields)
	changed[attrParties] = tftypes.NewValue(parties.Type(), elements)
	return tftypes.NewValue(value.Type(), changed)
}

func containersInOrderOf(party, like definition.Value) definition.Value {
	fields := definition.FieldsOf(party)
	containers, others := fields[attrContainers], definition.ElementsOf(definition.FieldsOf(like)[attrContainers])
	if len(definition.ElementsOf(containers)) < 2 || len(others) == 0 {
		return party
	}
	key := func(container definition.Value) (any, bool) {
		name := definition.FieldsOf(container)[attrName]
		return definition.StringOf(name), container.IsKnown() && !container.IsNull() && name.IsKnown()
	}
	changed := maps.Clone(fields)
	changed[attrContainers] = tftypes.NewValue(containers.Type(), reordered(definition.ElementsOf(containers), others, key))
	return tftypes.NewValue(party.Type(), changed)
}

// reordered returns a list in the order of another one. Elements that the other
// list does not have are last. If the key of any element is unknown, the list
// is unchanged.
func reordered(elements, like []definition.Value, key func(definition.Value) (any, bool)) []definition.Value {
	rest := slices.Clone(elements)
	if slices.ContainsFunc(rest, func(v definition.Value) bool { _, known := key(v); return !known }) {
		return rest
	}
	var out []definition.Value
	for _, other := range like {
		desired, known := key(other)
		at := slices.IndexFunc(rest, func(v definition.Value) bool { k, _ := key(v); return known && k == desired })
		if at >= 0 {
			out = append(out, rest[at])
			rest = slices.Delete(rest, at, at+1)
		}
	}
	return append(out, rest...)
}
