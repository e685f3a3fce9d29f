package definition_test

import (
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definitiontest"
)

// TestUnknownForms: which form of a string is used may be known in the apply only. What is
// unknown stays unknown in the plan, and what is known stays.
func TestUnknownForms(t *testing.T) {
	t.Parallel()
	d := definition.New(definition.Schema{Attributes: []definition.Attribute{
		{Name: "key"},
		{Name: "value", Presence: definition.Optional, WriteOnly: true},
		{Name: "items", Type: definition.ObjectList, Presence: definition.Nullable, Attributes: []definition.Attribute{{Name: "value", Presence: definition.Nullable, WriteOnly: true}}},
	}})
	type tree = definition.Tree
	unknown := definition.Unknown
	forms := []struct{ early, late tree }{
		{tree{"value": unknown, "value_wo": "a", "value_wo_version": int64(1)}, tree{"value_wo": "a", "value_wo_version": int64(1)}},
		{tree{"value": unknown, "value_wo": unknown, "value_wo_version": unknown}, tree{"value": "a"}},
		{tree{"value": "a", "value_wo": unknown, "value_wo_version": unknown}, tree{"value": "a"}},
		{tree{"value_wo": unknown, "value_wo_version": unknown}, tree{"value_wo": "a", "value_wo_version": int64(2)}},
	}
	within := func(form tree) tree {
		config := tree{"key": "k", "items": []any{form}}
		for name, value := range form {
			config[name] = value
		}
		return config
	}
	priors := []tree{nil, {"value": "a"}, {"value": "b"}, {"value_wo_version": int64(1)}, {"value_wo_version": int64(2)}}
	for _, form := range forms {
		for _, before := range priors {
			prior := d.Null()
			if before != nil {
				prior = d.Encode(within(before))
			}
			planned := func(form tree) definition.Value {
				config := d.Encode(within(form))
				planned := d.Plan(config, prior, definition.PlanOptions{}).Planned
				definitiontest.Legal(t, d.ResourceSchema(), prior, config, planned)
				return planned
			}
			if at, ok := definitiontest.Conforms(planned(form.early), planned(form.late), "it"); !ok {
				t.Errorf("%v over %v: a known value of the plan changes at %s", form.early, before, at)
			}
		}
	}
}
