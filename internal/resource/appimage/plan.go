package appimage

import (
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// change is what becomes of a resource.
type change struct {
	// planned is the value to plan, with the computed attributes. It is equal to the
	// prior state when nothing changes.
	planned tftypes.Value
	// replace says that the difference cannot be made in place.
	replace bool
}

// plan decides what the difference between a configuration and the prior state
// means. prior is null for a resource that is to be created. Every difference
// is an update in place, which sends the whole definition, except for the name,
// which replaces; a difference in spelling alone is none.
func plan(config, prior tftypes.Value) change {
	before := definitionOf(prior)
	wanted := definition.complete(definitionOf(config), before)
	planned := withComputedValues(wanted, prior)
	if !prior.IsNull() && fieldsOf(prior)[attrID].IsNull() && withoutID(planned).Equal(prior) {
		// A state of a release that had no id, before it is refreshed.
		planned = prior
	}
	return change{
		planned: planned,
		replace: !prior.IsNull() && !fieldsOf(wanted)["name"].Equal(fieldsOf(before)["name"]),
	}
}

// refreshed is the state after the server's answer was read: the answer, in
// the spelling of the prior state wherever both mean the same.
func refreshed(answer, prior tftypes.Value) tftypes.Value {
	return withComputedValues(definition.complete(answer, definitionOf(prior)), prior)
}

// withoutID is a state as it was written before there was an id.
func withoutID(state tftypes.Value) tftypes.Value {
	fields := maps.Clone(fieldsOf(state))
	fields[attrID] = tftypes.NewValue(tftypes.String, nil)
	return tftypes.NewValue(stateType, fields)
}

// withComputedValues adds the id and the revisions to a definition. A revision
// is unknown as long as something that it depends on is. One whose inputs are those of the
// prior state stays what it was, even if another version of the provider wrote
// it: a new way to compute it must not roll a single serving.
func withComputedValues(wanted, prior tftypes.Value) tftypes.Value {
	image, gaps := toWire(wanted)
	before, _ := toWire(definitionOf(prior))
	stored := fieldsOf(prior)
	revision := func(name string, of func(*kuscia.AppImage) string) tftypes.Value {
		for _, at := range gaps.unknown {
			if slices.Contains(affected(at), name) {
				return tftypes.NewValue(tftypes.String, tftypes.UnknownValue)
			}
		}
		now := of(image)
		if kept := stringOf(stored[name]); kept != "" && of(before) == now {
			now = kept
		}
		return tftypes.NewValue(tftypes.String, now)
	}
	fields := fieldsOf(wanted)
	fields[attrID] = fields["name"]
	fields[attrRolloutRevision] = revision(attrRolloutRevision, rolloutRevision)
	fields[attrDefinitionRevision] = revision(attrDefinitionRevision, definitionRevision)
	return tftypes.NewValue(stateType, fields)
}

// definitionOf drops the computed attributes from a configuration or state.
func definitionOf(value tftypes.Value) tftypes.Value {
	all := fieldsOf(value)
	if all == nil {
		return tftypes.NewValue(definition.tfType, nil)
	}
	fields := make(map[string]tftypes.Value, len(definition.fields))
	for name, field := range definition.fields {
		fields[name] = orNull(all, name, field)
	}
	return tftypes.NewValue(definition.tfType, fields)
}

// stateType is the type of a whole configuration, plan or state.
var stateType = func() tftypes.Object {
	types := map[string]tftypes.Type{
		attrID:                 tftypes.String,
		attrRolloutRevision:    tftypes.String,
		attrDefinitionRevision: tftypes.String,
	}
	for name, field := range definition.fields {
		types[name] = field.tfType
	}
	return tftypes.Object{AttributeTypes: types}
}()
