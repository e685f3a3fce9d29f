package definition_test

import (
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// TestSameAsEmpty: a reference to the object itself, "" and null are equal, and
// the state keeps the configured one; any other reference differs.
func TestSameAsEmpty(t *testing.T) {
	t.Parallel()
	d := definition.New(definition.Schema{Attributes: []definition.Attribute{
		{Name: "name"}, {Name: "owner", Presence: definition.Optional, SameAsEmpty: "name"},
	}})
	object := func(owner any) definition.Value { return d.Encode(definition.Tree{"name": "a", "owner": owner}) }
	for _, owner := range []any{nil, "", "a"} {
		for _, before := range []any{"", "a"} {
			if plan := d.Plan(object(owner), object(before), definition.PlanOptions{}); !plan.Planned.Equal(object(before)) || len(plan.Differences) > 0 {
				t.Errorf("%v after %v is planned as %s", owner, before, plan.Planned)
			}
			if read := d.Refreshed(object(owner), object(before)); !read.Equal(object(before)) {
				t.Errorf("%v after %v is read as %s", owner, before, read)
			}
			if different := d.Differences(object(before), object(owner)); len(different) > 0 {
				t.Errorf("%v and %v differ in %v", before, owner, different)
			}
		}
		if read := d.Refreshed(object(owner), d.Null()); definition.FieldsOf(read)["owner"].IsNull() != (owner != "a") {
			t.Errorf("%v is read as %s", owner, read)
		}
		for _, other := range []any{"b", definition.Unknown} {
			if plan := d.Plan(object(other), object(owner), definition.PlanOptions{}); len(plan.Differences) != 1 {
				t.Errorf("%v after %v is planned as %s", other, owner, plan.Planned)
			}
		}
	}
}
