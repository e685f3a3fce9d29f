package serving

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// withDefaults fills what a configuration leaves out, so that "left out",
// "empty" and "the server's default" are one value in plan and state. Values
// that depend on something unknown become unknown. A configuration text that is
// left out stays so, and one that is write-only stays in the configuration.
func withDefaults(m model) model {
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
	m.Parties.items = slices.Clone(m.Parties.items)
	for i, p := range m.Parties.items {
		m.Parties.items[i] = p.withDefaults()
	}
	return m
}

func (p party) withDefaults() party {
	if p.unknown {
		return p
	}
	p.null = false
	if p.role.IsNull() {
		p.role = types.StringValue("")
	}
	if p.serviceNamePrefix.IsNull() {
		p.serviceNamePrefix = types.StringValue("")
	}
	if p.replicas.IsNull() {
		p.replicas = types.Int32Value(1)
	}
	p.strategy = p.strategy.withDefaults()
	// No list and an empty list ask for the same.
	p.resources.null = false
	return p
}

// withDefaults completes a strategy the way Kuscia v1.1 does: RollingUpdate
// with 25% each; Recreate has no bounds.
func (s strategy) withDefaults() strategy {
	if s.unknown {
		return s
	}
	s.null = false
	if s.kind.IsNull() {
		s.kind = types.StringValue(kuscia.StrategyRollingUpdate)
	}
	switch {
	case s.kind.IsUnknown():
		s.surge, s.unavailable = unknownIfNull(s.surge), unknownIfNull(s.unavailable)
	case s.kind.ValueString() == kuscia.StrategyRollingUpdate:
		if s.surge.IsNull() {
			s.surge = types.StringValue(kuscia.DefaultMaxSurge)
		}
		if s.unavailable.IsNull() {
			s.unavailable = types.StringValue(kuscia.DefaultMaxUnavailable)
		}
	}
	return s
}

func unknownIfNull(value types.String) types.String {
	if value.IsNull() {
		return types.StringUnknown()
	}
	return value
}
