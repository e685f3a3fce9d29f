package rules_test

import (
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definitiontest"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// TestOfValue: the conversions from and to a value lose nothing, including unknown and null
// parts; two maps of parties are equal if their values are, and a party is known if all its values are.
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
			if again := serving.Value(); !definition.Equal(again, value) || !rules.Of(again).Equal(serving) {
				t.Fatalf("%s becomes %s", value, again)
			}
			parties, others := definition.FieldsOf(value)["parties"], definition.FieldsOf(values[1])["parties"]
			if got := serving.Parties.Equal(valid.Parties); got != definition.Equal(parties, others) {
				t.Fatalf("%s and %s are equal: %t", parties, others, got)
			}
			for _, p := range serving.Parties.Items {
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
	if s := (rules.Strategy{Type: types.StringUnknown(), MaxSurge: types.StringValue("2")}).WithDefaults(); s.MaxSurge.ValueString() != "2" || !s.MaxUnavailable.IsUnknown() {
		t.Errorf("the bounds are %s and %s", s.MaxSurge, s.MaxUnavailable)
	}
	parties := definition.Tree{"alice": definition.Tree{"replicas": int64(1) << 40}}
	if large := rules.Of(rules.Definition.Encode(definition.Tree{"parties": parties})); !large.Parties.Items[0].Replicas.IsUnknown() {
		t.Errorf("the replicas are %s", large.Parties.Items[0].Replicas)
	}
}
