package rules_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definitiontest"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// TestOfValue: parties are written back as they were read, including unknown and null parts; two servings are
// equal if their values are, and a party is known if all its values are.
func TestOfValue(t *testing.T) {
	t.Parallel()
	generator := definitiontest.Generator{Definition: rules.Definition, Unknowns: true}
	rapid.Check(t, func(t *rapid.T) {
		valid := Configs().Draw(t, "serving").Serving
		values := []definition.Value{generator.Config(t, "value"), valid.Value()}
		for range 10 {
			values = append(values, Edits(valid).Draw(t, "edited").Value())
		}
		if edited := definitiontest.EditedConfig(t, rules.Definition, values[1], values[0]); isConvertible(edited) {
			values = append(values, edited)
		}
		for _, value := range values {
			serving := rules.Of(value)
			if again := serving.WithParties(serving.Parties()); !definition.Equal(again.Value(), value) || !again.Equal(serving) {
				t.Fatalf("%s becomes %s", value, again.Value())
			}
			if got := serving.Equal(valid); got != definition.Equal(value, values[1]) {
				t.Fatalf("%s and %s are equal: %t", value, values[1], got)
			}
			parties := definition.FieldsOf(value)["parties"]
			for _, p := range serving.Parties().Items {
				if got, want := p.Known(), definition.FieldsOf(parties)[p.Name].IsFullyKnown(); got != want {
					t.Fatalf("%+v is known: %t", p, got)
				}
			}
		}
	})
}

// isConvertible reports whether all numbers are of 32 bits, which the framework checks.
func isConvertible(serving definition.Value) bool {
	fields := definition.FieldsOf(serving)
	numbers := []definition.Value{fields["serving_input_config_wo_version"]}
	for _, p := range definition.FieldsOf(fields["parties"]) {
		numbers = append(numbers, definition.FieldsOf(p)["replicas"])
	}
	return !slices.ContainsFunc(numbers, func(v definition.Value) bool {
		n, whole := definition.NumberOf(v)
		return !whole || n != int64(int32(n))
	})
}

// TestNotKnown: the bounds that a strategy lacks are unknown with its type, and so is a number that the
// framework refuses.
func TestNotKnown(t *testing.T) {
	t.Parallel()
	open := PartyOf("alice", func(p *rules.Party) {
		*p = p.WithStrategy(StrategyOf(definition.Tree{"type": definition.Unknown, "max_surge": "2"}))
	})
	if s := Complete(open).Strategy(); s.MaxSurge().ValueString() != "2" || !s.MaxUnavailable().IsUnknown() {
		t.Errorf("the bounds are %s and %s", s.MaxSurge(), s.MaxUnavailable())
	}
	parties := definition.Tree{"alice": definition.Tree{"replicas": int64(1) << 40}}
	if large := rules.Of(rules.Definition.Encode(definition.Tree{"parties": parties})); !large.Parties().Items[0].Replicas().IsUnknown() {
		t.Errorf("the replicas are %s", large.Parties().Items[0].Replicas())
	}
}
