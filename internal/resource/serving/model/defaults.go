package model

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// WithDefaults completes what a configuration leaves out, so that "left out",
// "empty" and "the server's default" are one value in plan and state. Values
// that depend on something unknown become unknown. A configuration text that is
// left out stays left out, and a write-only one stays in the configuration.
func WithDefaults(m Serving) Serving {
	m.ServingInputConfigWO = tfvalue.NewConfigTextNull()
	if m.AffinityMode.IsNull() {
		m.AffinityMode = types.StringValue(kuscia.AntiAffinity)
	}
	if m.RedeployTriggers.IsNull() {
		m.RedeployTriggers = types.MapValueMust(types.StringType, nil)
	}
	if m.ReplaceTriggers.IsNull() {
		m.ReplaceTriggers = types.MapValueMust(types.StringType, nil)
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
	if p.Role.IsNull() {
		p.Role = types.StringValue("")
	}
	if p.ServiceNamePrefix.IsNull() {
		p.ServiceNamePrefix = types.StringValue("")
	}
	if p.Replicas.IsNull() {
		p.Replicas = types.Int32Value(1)
	}
	p.Strategy = p.Strategy.WithDefaults()
	// No list and an empty list are equivalent.
	p.Resources.Null = false
	return p
}
