package serving

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// keepSpelling gives every value of planned that means the same as the value
// at the same place in prior the spelling of prior. Terraform accepts a
// planned value that equals the prior one in place of the configured one.
func (p party) keepSpelling(prior party, private privateData) party {
	if p.unknown {
		return p
	}
	p.strategy = p.strategy.keepSpelling(prior.strategy)
	if p.keepsResources(prior, private) {
		p.resources = prior.resources
		return p
	}
	p.resources.items = slices.Clone(p.resources.items)
	for i := range min(len(p.resources.items), len(prior.resources.items)) {
		p.resources.items[i] = p.resources.items[i].keepSpelling(prior.resources.items[i])
	}
	return p
}

// keepSpelling keeps each value by itself: what one of them turns out to be once
// it is known must not change what was planned for the others.
func (s strategy) keepSpelling(prior strategy) strategy {
	s.surge, s.unavailable = keepAmount(s.surge, prior.surge), keepAmount(s.unavailable, prior.unavailable)
	return s
}

func keepAmount(planned, prior types.String) types.String {
	if planned.IsNull() || planned.IsUnknown() || prior.IsNull() || !tfvalue.CountOrPercentEqual(planned.ValueString(), prior.ValueString()) {
		return planned
	}
	return prior
}

// keepsResources reports whether the list of prior can stand for that of
// planned. With another app image two lists that mean the same so far may not
// do so for its containers.
func (p party) keepsResources(prior party, private privateData) bool {
	if !p.keyKnown() || p.key() != prior.key() || !p.resources.known() {
		return false
	}
	return private.keepsObserved(p.key(), p.resources) ||
		p.appImage.Equal(prior.appImage) && sameResources(prior.resources, p.resources, private.containers(p.key()))
}

func (r containerResources) keepSpelling(prior containerResources) containerResources {
	r.minCPU, r.maxCPU = keepQuantity(r.minCPU, prior.minCPU), keepQuantity(r.maxCPU, prior.maxCPU)
	r.minMemory, r.maxMemory = keepQuantity(r.minMemory, prior.minMemory), keepQuantity(r.maxMemory, prior.maxMemory)
	return r
}

func keepQuantity(planned, prior tfvalue.Quantity) tfvalue.Quantity {
	if planned.IsNull() || planned.IsUnknown() || prior.IsNull() || !tfvalue.QuantityEqual(planned.ValueString(), prior.ValueString()) {
		return planned
	}
	return prior
}

func keepConfigText(planned, prior tfvalue.ConfigText) tfvalue.ConfigText {
	if planned.IsUnknown() || prior.IsNull() || !tfvalue.ConfigTextEqual(planned.ValueString(), prior.ValueString()) {
		return planned
	}
	return prior
}

// keepsConfig reports whether a configuration that has no text, in either form,
// stands for the text that was read at import.
func keepsConfig(config model, private privateData) bool {
	return private.ObservedConfig && configText(config).IsNull() && config.ServingInputConfigVersion.IsNull()
}

// keepTimeouts takes timeouts that set nothing for the same, however they do.
// Terraform does not let a plan ignore an object where there was none.
func keepTimeouts(planned, prior timeouts.Value) timeouts.Value {
	if !prior.IsNull() && setsNothing(planned) && setsNothing(prior) {
		return prior
	}
	return planned
}

func setsNothing(limits timeouts.Value) bool {
	if limits.IsUnknown() {
		return false
	}
	for _, value := range limits.Attributes() {
		if !value.IsNull() {
			return false
		}
	}
	return true
}

// keepEndpoints keeps what is known for the plan of an update in place. What
// the server had not told yet when it was last asked may be there afterwards.
func keepEndpoints(prior types.List) types.List {
	if prior.IsNull() || len(prior.Elements()) == 0 {
		return types.ListUnknown(endpointType)
	}
	return prior
}

func keepCreateTime(prior types.String) types.String {
	if prior.ValueString() == "" {
		return types.StringUnknown()
	}
	return prior
}
