package rules

import (
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// KeepPriorSpelling gives every value of planned that is equivalent to the value
// under the same name in prior the spelling of prior. Terraform accepts a planned
// value that equals the prior one instead of the configured one.
func (p Party) KeepPriorSpelling(prior Party) Party {
	if p.Unknown {
		return p
	}
	p.Role, p.ServiceNamePrefix = keepEmpty(p.Role, prior.Role), keepEmpty(p.ServiceNamePrefix, prior.ServiceNamePrefix)
	p.Strategy = p.Strategy.KeepPriorSpelling(prior.Strategy)
	p.Resources.Common = p.Resources.Common.keepSpelling(prior.Resources.Common)
	for name, values := range p.Resources.Named {
		p.Resources = p.Resources.with(name, values.keepSpelling(prior.Resources.Named[name]))
	}
	return p
}

// keepEmpty keeps "" where the configuration leaves a text out.
func keepEmpty(planned, prior types.String) types.String {
	if planned.IsNull() && prior.ValueString() == "" {
		return prior
	}
	return planned
}

// KeepTriggers keeps an empty map where the configuration leaves triggers out, and a revision of
// an app image that the state has with more digits.
func KeepTriggers(planned, prior types.Map) types.Map {
	if planned.IsNull() && len(prior.Elements()) == 0 {
		return prior
	}
	if planned.IsNull() || planned.IsUnknown() {
		return planned
	}
	kept := planned.Elements()
	for key, before := range prior.Elements() {
		if value, set := kept[key]; set && sameTrigger(value, before) {
			kept[key] = before
		}
	}
	return types.MapValueMust(types.StringType, kept)
}

// KeepObserved returns a planned party with what was read from Kuscia as long as
// the configuration sets nothing instead.
func (p Party) KeepObserved(configured, prior Party, private Private) Party {
	if private.KeepsObserved(p.Key(), p.Resources) {
		if p.Resources.Common.State == attr.ValueStateNull {
			p.Resources.Common = prior.Resources.Common
		}
		if p.Resources.Named == nil {
			p.Resources.Named = prior.Resources.Named
		}
	}
	if private.KeepsReplicas(configured, p.Key()) {
		p.Replicas = prior.Replicas
	}
	return p
}

func (r ContainerResources) keepSpelling(prior ContainerResources) ContainerResources {
	r.MinCPU, r.MaxCPU = keepQuantity(r.MinCPU, prior.MinCPU), keepQuantity(r.MaxCPU, prior.MaxCPU)
	r.MinMemory, r.MaxMemory = keepQuantity(r.MinMemory, prior.MinMemory), keepQuantity(r.MaxMemory, prior.MaxMemory)
	return r
}

func keepQuantity(planned, prior types.String) types.String {
	if planned.IsNull() || planned.IsUnknown() || prior.IsNull() || !tfvalue.QuantityEqual(planned.ValueString(), prior.ValueString()) {
		return planned
	}
	return prior
}

// KeepConfigText keeps the spelling of prior if planned is equivalent.
func KeepConfigText(planned, prior types.String) types.String {
	if planned.IsUnknown() || prior.IsNull() || !tfvalue.ConfigTextEqual(planned.ValueString(), prior.ValueString()) {
		return planned
	}
	return prior
}

// KeepTimeouts keeps prior timeouts that are the same with the defaults. Terraform does
// not let a plan ignore an object that was not there before.
func KeepTimeouts(planned, prior types.Object) types.Object {
	if !prior.IsNull() && !planned.IsUnknown() && maps.Equal(limitsOf(planned), limitsOf(prior)) {
		return prior
	}
	return planned
}

// limitsOf are timeouts with the defaults.
func limitsOf(limits types.Object) map[string]attr.Value {
	all := DefaultTimeouts().Attributes()
	for operation, limit := range limits.Attributes() {
		if !limit.IsNull() {
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
