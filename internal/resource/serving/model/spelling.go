package model

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// KeepSpelling gives every value of planned that means the same as the value
// at the same place in prior the spelling of prior. Terraform accepts a
// planned value that equals the prior one in place of the configured one.
func (p Party) KeepSpelling(prior Party, private Private) Party {
	if p.Unknown {
		return p
	}
	p.Strategy = p.Strategy.KeepSpelling(prior.Strategy)
	if p.keepsResources(prior, private) {
		p.Resources = prior.Resources
		return p
	}
	p.Resources.Items = slices.Clone(p.Resources.Items)
	for i := range min(len(p.Resources.Items), len(prior.Resources.Items)) {
		p.Resources.Items[i] = p.Resources.Items[i].keepSpelling(prior.Resources.Items[i])
	}
	return p
}

// keepsResources reports whether the list of prior can stand for that of
// planned. With another app image two lists that mean the same so far may not
// do so for its containers.
func (p Party) keepsResources(prior Party, private Private) bool {
	if !p.KeyKnown() || p.Key() != prior.Key() || !p.Resources.Known() {
		return false
	}
	return private.KeepsObserved(p.Key(), p.Resources) ||
		p.AppImage.Equal(prior.AppImage) && SameResources(prior.Resources, p.Resources, private.ContainersOf(p.Key()))
}

func (r ContainerResources) keepSpelling(prior ContainerResources) ContainerResources {
	r.MinCPU, r.MaxCPU = keepQuantity(r.MinCPU, prior.MinCPU), keepQuantity(r.MaxCPU, prior.MaxCPU)
	r.MinMemory, r.MaxMemory = keepQuantity(r.MinMemory, prior.MinMemory), keepQuantity(r.MaxMemory, prior.MaxMemory)
	return r
}

func keepQuantity(planned, prior tfvalue.Quantity) tfvalue.Quantity {
	if planned.IsNull() || planned.IsUnknown() || prior.IsNull() || !tfvalue.QuantityEqual(planned.ValueString(), prior.ValueString()) {
		return planned
	}
	return prior
}

// KeepConfigText keeps the spelling of prior where planned means the same.
func KeepConfigText(planned, prior tfvalue.ConfigText) tfvalue.ConfigText {
	if planned.IsUnknown() || prior.IsNull() || !tfvalue.ConfigTextEqual(planned.ValueString(), prior.ValueString()) {
		return planned
	}
	return prior
}

// KeepsObservedConfig reports whether a configuration that has no text, in either form,
// stands for the text that was read at import.
func KeepsObservedConfig(config Serving, private Private) bool {
	return private.ObservedConfig && ConfigText(config).IsNull() && config.ServingInputConfigVersion.IsNull()
}

// KeepTimeouts takes timeouts that set nothing for the same, however they do.
// Terraform does not let a plan ignore an object where there was none.
func KeepTimeouts(planned, prior timeouts.Value) timeouts.Value {
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

// KeepEndpoints keeps what is known for the plan of an update in place. What
// the server had not told yet when it was last asked may be there afterwards.
func KeepEndpoints(prior types.List) types.List {
	if prior.IsNull() || len(prior.Elements()) == 0 {
		return types.ListUnknown(EndpointType)
	}
	return prior
}

// KeepCreateTime keeps what is known for the plan of an update in place.
func KeepCreateTime(prior types.String) types.String {
	if prior.ValueString() == "" {
		return types.StringUnknown()
	}
	return prior
}
