package rules

import (
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// withSpelling gives what is equivalent in the prior party of the same name the spelling of that.
func (p Party) withSpelling(prior Party) Party {
	return partyOf(p.Name, partyDefinition.WithSpelling(p.View, prior.View))
}

// KeepTriggers keeps an empty map where the configuration leaves triggers out, and revisions of
// app images that the state has with more digits. Terraform accepts prior triggers only as a whole.
func KeepTriggers(planned, prior types.Map) types.Map {
	switch {
	case planned.IsNull() && len(prior.Elements()) == 0:
		return prior
	case planned.IsNull(), planned.IsUnknown(), prior.IsNull():
		return planned
	case maps.EqualFunc(planned.Elements(), prior.Elements(), sameTrigger):
		return prior
	}
	return planned
}

// KeepObserved returns a planned party with what was read from Kuscia as long as
// the configuration sets nothing instead.
func (p Party) KeepObserved(configured, prior Party, private Private) Party {
	if private.KeepsObserved(p.Key(), p.Resources()) {
		for _, name := range []string{AttrResources, AttrContainerResources} {
			if p.At(name).IsNull() {
				p.View = p.WithValue(name, prior.At(name))
			}
		}
	}
	if private.KeepsReplicas(configured, p.Key()) {
		p = p.WithPartyAttribute("replicas", prior.Replicas())
	}
	return p
}

// KeepConfigText keeps the spelling of prior if planned is equivalent.
func KeepConfigText(planned, prior types.String) types.String {
	if planned.IsUnknown() || prior.IsNull() || !tfvalue.ConfigTextEqual(planned.ValueString(), prior.ValueString()) {
		return planned
	}
	return prior
}

// keepsTimeouts reports whether prior timeouts are the same with the defaults. Terraform does
// not let a plan ignore an object that was not there before.
func keepsTimeouts(planned, prior Serving) bool {
	limits, before := planned.Object(definition.AttrTimeouts), prior.Object(definition.AttrTimeouts)
	return !before.IsNull() && !limits.IsUnknown() && maps.EqualFunc(limitsOf(limits), limitsOf(before), definition.Equal)
}

// limitsOf are timeouts with the defaults.
func limitsOf(limits definition.View) map[string]definition.Value {
	all := maps.Clone(definition.FieldsOf(Definition.ImportDefault(definition.AttrTimeouts)))
	for operation := range all {
		if limit := limits.At(operation); !limit.IsNull() {
			all[operation] = limit
		}
	}
	return all
}

// KeepEndpoints keeps the known endpoints in the plan of an update in place.
// Endpoints that the server did not show at the last read may appear later.
func KeepEndpoints(prior types.Map) types.Map {
	if prior.IsNull() || len(prior.Elements()) == 0 {
		return types.MapUnknown(types.StringType)
	}
	return prior
}

// KeepCreateTime keeps a known time in the plan of an update in place.
func KeepCreateTime(prior types.String) types.String {
	if prior.ValueString() == "" {
		return types.StringUnknown()
	}
	return prior
}

// KeepProgressDeadline keeps the default, as after an import, where the configuration
// leaves the deadline out.
func KeepProgressDeadline(planned, prior types.String) types.String {
	if planned.IsNull() && progressDeadline(prior) == DefaultProgressDeadline {
		return prior
	}
	return planned
}
