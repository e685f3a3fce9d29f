package definition_test

import (
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// TestImportedLocal: after an import, a difference in Local attributes alone is
// no change; the first update takes them from the configuration.
func TestImportedLocal(t *testing.T) {
	t.Parallel()
	d := definition.New(definition.Schema{Attributes: []definition.Attribute{
		{Name: "title"},
		{Name: "force", Type: definition.Bool, Presence: definition.Optional, Local: true, Default: false},
	}})
	object := func(title string, force bool) definition.Value {
		return d.Encode(definition.Tree{"title": title, "force": force})
	}
	prior := object("old", false)
	for title, want := range map[string]definition.Value{"old": prior, "new": object("new", true)} {
		plan := d.Plan(object(title, true), prior, definition.PlanOptions{Imported: true})
		if !plan.Planned.Equal(want) || len(plan.Sent) > 0 != (title == "new") {
			t.Errorf("%s is planned as %s, and %v is sent", title, plan.Planned, plan.Sent)
		}
	}
}
