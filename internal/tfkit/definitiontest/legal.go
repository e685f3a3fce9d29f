package definitiontest

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// TB is what a test needs to have; *rapid.T and *testing.T do.
type TB interface {
	Fatalf(format string, args ...any)
}

// Conforms is Terraform's rule for the plan that is made again at apply: what
// was known must not have changed.
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

// Legal is Terraform's rule for plans: a value is as configured, or the prior
// one while both are set, or anything for a computed attribute that is left
// out.
func Legal(t TB, schema schema.Schema, prior, desired, planned definition.Value) {
	for name, attribute := range schema.Attributes {
		legalValue(t, name, attribute, definition.FieldsOf(prior)[name], definition.FieldsOf(desired)[name], definition.FieldsOf(planned)[name])
	}
}

func legalValue(t TB, at string, attribute schema.Attribute, prior, desired, planned definition.Value) {
	priorIsSet := prior.Type() != nil && !prior.IsNull()
	switch {
	case planned.Equal(desired):
		return
	case priorIsSet && planned.Equal(prior) && !desired.IsNull():
		return
	case desired.IsNull() && attribute.IsComputed():
		return
	case desired.IsNull() || planned.IsNull():
		t.Fatalf("%s: planned %v for %v", at, planned, desired)
	case !desired.IsKnown() || !planned.IsKnown():
		t.Fatalf("%s: planned %v for %v", at, planned, desired)
	}
	switch a := attribute.(type) {
	case schema.SingleNestedAttribute:
		legalFields(t, at, a.Attributes, prior, desired, planned)
	case schema.ListNestedAttribute:
		want, got, before := definition.ElementsOf(desired), definition.ElementsOf(planned), []definition.Value(nil)
		if priorIsSet {
			before = definition.ElementsOf(prior)
		}
		if len(want) != len(got) {
			t.Fatalf("%s: planned %d elements for %d", at, len(got), len(want))
		}
		for i := range want {
			elementPrior := definition.Value{}
			if i < len(before) {
				elementPrior = before[i]
			}
			if !want[i].IsKnown() {
				if got[i].IsKnown() {
					t.Fatalf("%s[%d]: planned %v for an unknown element", at, i, got[i])
				}
				continue
			}
			legalFields(t, fmt.Sprintf("%s[%d]", at, i), a.NestedObject.Attributes, elementPrior, want[i], got[i])
		}
	default:
		t.Fatalf("%s: planned %v for %v, before %v", at, planned, desired, prior)
	}
}

func legalFields(t TB, at string, attributes map[string]schema.Attribute, prior, desired, planned definition.Value) {
	before := map[string]definition.Value{}
	if prior.Type() != nil {
		before = definition.FieldsOf(prior)
	}
	for name, attribute := range attributes {
		legalValue(t, at+"."+name, attribute, before[name], definition.FieldsOf(desired)[name], definition.FieldsOf(planned)[name])
	}
}
