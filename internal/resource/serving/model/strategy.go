package model

import (
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// Strategy is the decoded update_strategy.
type Strategy struct {
	Unknown, Null                  bool
	Type, MaxSurge, MaxUnavailable types.String
}

// WithDefaults completes a strategy as Kuscia v1.1 does: RollingUpdate with 25%
// each; Recreate has no bounds.
func (s Strategy) WithDefaults() Strategy {
	if s.Unknown {
		return s
	}
	s.Null = false
	if s.Type.IsNull() {
		s.Type = types.StringValue(kuscia.StrategyRollingUpdate)
	}
	switch {
	case s.Type.IsUnknown():
		s.MaxSurge, s.MaxUnavailable = unknownIfNull(s.MaxSurge), unknownIfNull(s.MaxUnavailable)
	case s.Type.ValueString() == kuscia.StrategyRollingUpdate:
		if s.MaxSurge.IsNull() {
			s.MaxSurge = types.StringValue(kuscia.DefaultMaxSurge)
		}
		if s.MaxUnavailable.IsNull() {
			s.MaxUnavailable = types.StringValue(kuscia.DefaultMaxUnavailable)
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

// KeepPriorSpelling keeps the spelling of each value separately: a value that becomes
// known later must not change what was planned for the others.
func (s Strategy) KeepPriorSpelling(prior Strategy) Strategy {
	s.MaxSurge, s.MaxUnavailable = keepAmount(s.MaxSurge, prior.MaxSurge), keepAmount(s.MaxUnavailable, prior.MaxUnavailable)
	return s
}

func keepAmount(planned, prior types.String) types.String {
	if planned.IsNull() || planned.IsUnknown() || prior.IsNull() || !tfvalue.CountOrPercentEqual(planned.ValueString(), prior.ValueString()) {
		return planned
	}
	return prior
}

// Equal reports whether two strategies are identical.
func (s Strategy) Equal(other Strategy) bool {
	if s.Unknown || other.Unknown || s.Null || other.Null {
		return s.Unknown == other.Unknown && (s.Unknown || s.Null == other.Null)
	}
	return s == other
}

// Known reports whether nothing in the strategy is unknown.
func (s Strategy) Known() bool {
	return !s.Unknown && !s.Type.IsUnknown() && !s.MaxSurge.IsUnknown() && !s.MaxUnavailable.IsUnknown()
}

// AttributeOf returns an attribute of an object; the zero value of the
// framework's types is null.
func AttributeOf[T attr.Value](attributes map[string]attr.Value, name string) T {
	value, _ := attributes[name].(T)
	return value
}

// SameStrategy reports whether two known strategies are equivalent.
func SameStrategy(a, b Strategy) bool {
	return a.Known() && b.Known() && a.Type.Equal(b.Type) &&
		tfvalue.CountOrPercentEqual(a.MaxSurge.ValueString(), b.MaxSurge.ValueString()) &&
		tfvalue.CountOrPercentEqual(a.MaxUnavailable.ValueString(), b.MaxUnavailable.ValueString())
}

// Wire returns the strategy in Kuscia's form, always complete, since an update
// replaces the whole strategy.
func (s Strategy) Wire() *kuscia.UpdateStrategy {
	return &kuscia.UpdateStrategy{
		Type: s.Type.ValueString(), MaxSurge: s.MaxSurge.ValueString(), MaxUnavailable: s.MaxUnavailable.ValueString(),
	}
}

// ReadStrategy returns the strategy in a response of Kuscia.
func ReadStrategy(wire *kuscia.UpdateStrategy) Strategy {
	if wire == nil || wire.Type == "" {
		return Strategy{Null: true}.WithDefaults()
	}
	s := Strategy{Type: types.StringValue(wire.Type)}
	if wire.MaxSurge != "" {
		s.MaxSurge = types.StringValue(wire.MaxSurge)
	}
	if wire.MaxUnavailable != "" {
		s.MaxUnavailable = types.StringValue(wire.MaxUnavailable)
	}
	return s.WithDefaults()
}
