package model

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// KeepPriorSpelling gives every value of planned that is equivalent to the value at
// the same place in prior the spelling of prior. Terraform accepts a planned
// value that equals the prior one instead of the configured one.
func (p Party) KeepSpelling(prior Party, private Private) Party {
	if p.Unknown {
		return p
	}
	p.Strategy = p.Strategy.KeepPriorSpelling(prior.Strategy)
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

// keepsResources reports whether the list of prior can replace that of planned.
// With another app image, two lists that are equivalent now may not be so for
// its containers.
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

// KeepConfigText keeps the spelling of prior if planned is equivalent.
func KeepConfigText(planned, prior tfvalue.ConfigText) tfvalue.ConfigText {
	if planned.IsUnknown() || prior.IsNull() || !tfvalue.ConfigTextEqual(planned.ValueString(), prior.ValueString()) {
		return planned
	}
	return prior
}

// KeepsObservedConfig reports whether a configuration without a text, in either
// form, keeps the text that was read at import.
func KeepsObservedConfig(config Serving, private Private) bool {
	return private.ObservedConfig && ConfigText(config).IsNull() && config.ServingInputConfigVersion.IsNull()
}

// KeepTimeouts treats all timeouts that set nothing as equal. Terraform does not
// let a plan ignore an object that was not there before.
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

// KeepEndpoints keeps the known endpoints in the plan of an update in place.
// Endpoints that the server did not show at the last read may appear later.
func KeepEndpoints(prior types.List) types.List {
	if prior.IsNull() || len(prior.Elements()) == 0 {
		return types.ListUnknown(EndpointType)
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
