package deployment

import (
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// The attributes that the rules refer to.
const (
	attrName           = "name"
	attrInitiator      = "initiator"
	attrInputConfig    = "input_config"
	attrAffinityMode   = "affinity_mode"
	attrLabels         = "labels"
	attrParties        = "parties"
	attrDomainID       = "domain_id"
	attrRole           = "role"
	attrAppImage       = "app_image"
	attrPrefix         = "service_name_prefix"
	attrReplicas       = "replicas"
	attrMaxSurge       = "max_surge"
	attrMaxUnavailable = "max_unavailable"
	attrStrategy       = "update_strategy"
	attrContainers     = "containers"
	attrRequests       = "requests"
	attrLimits         = "limits"
	attrForceConflicts = "force_conflicts"
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

// keyText returns the key of a party as text.
func keyText(p definition.Reader) string {
	return party.Key{DomainID: p.String(attrDomainID), Role: p.String(attrRole)}.String()
}

var (
	prefixFormat  = party.ServiceNamePrefixPattern
	longestName   = validation.DNS1123LabelMaxLength
	partiesPath   = path.Root(attrParties)
	initiatorPath = path.Root(attrInitiator)
)

// touches reports whether any of the paths begins with any of the attributes.
func touches(paths []path.Path, names ...string) bool {
	for _, at := range paths {
		for _, name := range names {
			if first, _ := at.Steps()[0].(path.PathStepAttributeName); string(first) == name {
				return true
			}
		}
	}
	return false
}

func textOf(fields map[string]definition.Value, name string) string {
	return definition.StringOf(fields[name])
}

// The values of affinity_mode; the last one is the default.
const (
	affinityNone = "none"
	affinityPod  = "affinity"
	affinityAnti = "anti-affinity"
)
