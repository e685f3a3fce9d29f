package definitiontest

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// TB has the methods of *rapid.T and *testing.T that are used here.
type TB interface {
	Fatalf(format string, args ...any)
}

// Conforms checks Terraform's rule for the plan that is repeated in the apply:
// known values must not change. It returns the path of a violation.
func Conforms(early, late definition.Value, at string) (string, bool) {
	if !early.IsKnown() || early.Equal(late) {
		return "", true
	}
	if early.IsNull() || !late.IsKnown() || late.IsNull() {
		return at, false
	}
	switch {
	case early.Type().Is(tftypes.Object{}) || early.Type().Is(tftypes.Map{}):
		a, b := definition.FieldsOf(early), definition.FieldsOf(late)
		if len(a) != len(b) {
			return at, false
		}
		for name := range a {
			if at, ok := Conforms(a[name], b[name], at+"."+name); !ok {
				return at, false
			}
		}
		return "", true
	case early.Type().Is(tftypes.List{}):
		a, b := definition.ElementsOf(early), definition.ElementsOf(late)
		if len(a) != len(b) {
			return at, false
		}
		for i := range a {
			if at, ok := Conforms(a[i], b[i], fmt.Sprintf("%s[%d]", at, i)); !ok {
				return at, false
			}
		}
		return "", true
	default:
		return at, false
	}
}

// Rule has the properties of an attribute that Legal needs.
type Rule struct {
	Computed, WriteOnly bool
	// Attributes are those of an object, or of the objects in a list or map. Any other
	// value has to be planned as configured, as a whole.
	Attributes map[string]Rule
}

// rulesOf are the rules of a schema's attributes.
func rulesOf(attributes map[string]schema.Attribute) map[string]Rule {
	rules := make(map[string]Rule, len(attributes))
	for name, attribute := range attributes {
		rule := Rule{Computed: attribute.IsComputed(), WriteOnly: attribute.IsWriteOnly()}
		switch nested := attribute.(type) {
		case schema.SingleNestedAttribute:
			rule.Attributes = rulesOf(nested.Attributes)
		case schema.ListNestedAttribute:
			rule.Attributes = rulesOf(nested.NestedObject.Attributes)
		case schema.MapNestedAttribute:
			rule.Attributes = rulesOf(nested.NestedObject.Attributes)
		}
		rules[name] = rule
	}
	return rules
}

// Legal checks Terraform's rule for plans: a planned value is the configured
// one, or the prior one if both are set; a computed attribute that is not
// configured may have any value. Write-only attributes are null. What is unknown
// in the configuration is unknown in the plan: Terraform would allow the prior value.
func Legal(t TB, schema schema.Schema, prior, desired, planned definition.Value) {
	LegalBy(t, rulesOf(schema.Attributes), prior, desired, planned)
}

// LegalBy is Legal by the rules of the attributes.
func LegalBy(t TB, rules map[string]Rule, prior, desired, planned definition.Value) {
	legalFields(t, "", rules, prior, desired, planned)
}

func legalFields(t TB, at string, rules map[string]Rule, prior, desired, planned definition.Value) {
	before, want, got := fieldsOf(prior), definition.FieldsOf(desired), definition.FieldsOf(planned)
	for name, rule := range rules {
		legalValue(t, at+"."+name, rule, before[name], want[name], got[name])
	}
}

func legalValue(t TB, at string, rule Rule, prior, desired, planned definition.Value) {
	illegal := func() {
		t.Fatalf("illegal plan: %s was %v, is configured as %v and planned as %v", at, prior, desired, planned)
	}
	priorIsSet := prior.Type() != nil && !prior.IsNull()
	switch {
	case rule.WriteOnly:
		if !planned.IsNull() {
			illegal()
		}
	case !desired.IsKnown() && planned.IsKnown():
		illegal()
	case definition.Equal(planned, desired),
		priorIsSet && !desired.IsNull() && definition.Equal(planned, prior),
		desired.IsNull() && rule.Computed:
	case rule.Attributes == nil || desired.IsNull() || planned.IsNull() || !desired.IsKnown() || !planned.IsKnown():
		illegal()
	case planned.Type().Is(tftypes.List{}):
		var before []definition.Value
		if priorIsSet {
			before = definition.ElementsOf(prior)
		}
		want, got := definition.ElementsOf(desired), definition.ElementsOf(planned)
		if len(want) != len(got) {
			illegal()
		}
		for i := range want {
			element := definition.Value{}
			if i < len(before) {
				element = before[i]
			}
			legalElement(t, fmt.Sprintf("%s[%d]", at, i), rule, element, want[i], got[i])
		}
	case planned.Type().Is(tftypes.Map{}):
		before, want, got := fieldsOf(prior), definition.FieldsOf(desired), definition.FieldsOf(planned)
		if len(want) != len(got) {
			illegal()
		}
		for key := range want {
			legalElement(t, fmt.Sprintf("%s[%q]", at, key), rule, before[key], want[key], got[key])
		}
	default:
		legalFields(t, at, rule.Attributes, prior, desired, planned)
	}
}

// legalElement checks an object in a list or map: other than an attribute, it cannot be
// the prior one as a whole.
func legalElement(t TB, at string, rule Rule, prior, desired, planned definition.Value) {
	if !desired.IsKnown() || !planned.IsKnown() || desired.IsNull() || planned.IsNull() {
		legalValue(t, at, Rule{Attributes: rule.Attributes}, prior, desired, planned)
		return
	}
	legalFields(t, at, rule.Attributes, prior, desired, planned)
}

// fieldsOf are the attributes of an object that may not be there at all.
func fieldsOf(object definition.Value) map[string]definition.Value {
	if object.Type() == nil {
		return nil
	}
	return definition.FieldsOf(object)
}
