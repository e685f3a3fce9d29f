package deployment

import (
	"maps"
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// partyKey identifies a party for which Kuscia keeps its objects.
type partyKey struct {
	party.Key

	prefix string
}

// isKnown reports whether the key of a party is known.
func isKnown(fields map[string]definition.Value) bool {
	return fields[attrDomainID].IsKnown() && fields[attrRole].IsKnown() && fields[attrPrefix].IsKnown()
}

func keyOf(fields map[string]definition.Value) partyKey {
	return partyKey{party.Key{DomainID: textOf(fields, attrDomainID), Role: textOf(fields, attrRole)}, textOf(fields, attrPrefix)}
}

// partiesOf returns the parties of a deployment by their keys in the map.
func partiesOf(deployment definition.Value) map[string]definition.Value {
	return definition.FieldsOf(definition.FieldsOf(deployment)[attrParties])
}

// partiesByKey returns the attributes of the parties of a deployment by what identifies them.
func partiesByKey(value definition.Value) map[partyKey]map[string]definition.Value {
	out := map[partyKey]map[string]definition.Value{}
	for _, party := range partiesOf(value) {
		out[keyOf(definition.FieldsOf(party))] = definition.FieldsOf(party)
	}
	return out
}

// mapKeys returns what identifies the parties of a deployment, as far as it is known, by
// their keys in the map.
func mapKeys(value definition.Value) map[string]party.Key {
	out := map[string]party.Key{}
	for key, element := range partiesOf(value) {
		if fields := definition.FieldsOf(element); fields[attrDomainID].IsKnown() && fields[attrRole].IsKnown() {
			out[key] = keyOf(fields).Key
		}
	}
	return out
}

// otherParties reports whether two maps have different parties, or may have
// once all values are known.
func otherParties(prior, planned definition.Value) bool {
	if planned.Type() == nil || !planned.IsKnown() {
		return true
	}
	count := map[partyKey]int{}
	for _, party := range definition.FieldsOf(prior) {
		count[keyOf(definition.FieldsOf(party))]++
	}
	for _, party := range definition.FieldsOf(planned) {
		fields := definition.FieldsOf(party)
		if !party.IsKnown() || !isKnown(fields) {
			return true
		}
		count[keyOf(fields)]--
	}
	return slices.ContainsFunc(slices.Collect(maps.Values(count)), func(n int) bool { return n != 0 })
}
