package definition

import (
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// SensitiveChange is a change of a JSON text that a plan does not show.
type SensitiveChange struct {
	Path    path.Path
	Changes tfvalue.JSONChanges
}

// SensitiveChanges are the changes of sensitive JSON texts in a plan, without their values.
func (d *Definition) SensitiveChanges(prior Value, p Plan) (found []SensitiveChange) {
	for _, at := range p.Differences {
		n := d.root.at(at)
		if n == nil || !n.Sensitive || n.Attribute.Type != String {
			continue
		}
		if changes, ok := tfvalue.CountJSONChanges(StringOf(ValueAt(prior, at)), StringOf(ValueAt(p.Planned, at))); ok && changes != (tfvalue.JSONChanges{}) {
			found = append(found, SensitiveChange{at, changes})
		}
	}
	return found
}
