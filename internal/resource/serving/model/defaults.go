package model

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// WithDefaults completes what a configuration leaves out and has a default. What has
// none is null in plan and state, unless the configuration has it as empty. Values
// that depend on something unknown become unknown. A configuration text that is
// left out stays left out, and a write-only one stays in the configuration.
func WithDefaults(m Serving) Serving {
	m.ServingInputConfigWO = types.StringNull()
	if m.AffinityMode.IsNull() {
		m.AffinityMode = types.StringValue(kuscia.AntiAffinity)
	}
	if m.FollowAppImage.IsNull() {
		m.FollowAppImage = types.BoolValue(true)
	}
	if m.WaitForRollout.IsNull() {
		m.WaitForRollout = types.BoolValue(true)
	}
	m.Parties.Items = slices.Clone(m.Parties.Items)
	for i, p := range m.Parties.Items {
		m.Parties.Items[i] = p.WithDefaults()
	}
	return m
}

// WithDefaults completes what a party leaves out.
func (p Party) WithDefaults() Party {
	if p.Unknown {
		return p
	}
	p.Null = false
	if p.DomainID.IsNull() {
		p.DomainID = types.StringValue(p.Name)
	}
	if p.Replicas.IsNull() {
		p.Replicas = types.Int32Value(1)
	}
	p.Strategy = p.Strategy.WithDefaults()
	return p
}

// ImportedState returns the state after an import, with the defaults of attributes that
// a configuration may set to any value without a difference: Terraform lets a plan keep
// a prior value only if that is not null.
func ImportedState(state Serving) Serving {
	if state.Timeouts.IsNull() {
		state.Timeouts = DefaultTimeouts()
	}
	if state.ProgressDeadline.IsNull() {
		state.ProgressDeadline = types.StringValue(definition.ShortDuration(DefaultProgressDeadline))
	}
	return state
}
