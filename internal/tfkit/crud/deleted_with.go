package crud

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// DeletedWith declares that the server deletes this object together with
// another one, its parent. When a plan replaces the parent, it has to replace
// this object too, or the object would be missing after the apply. This object
// refers to its parent, so Terraform plans the parent first.
type DeletedWith struct {
	// TypeName is the resource type of the parent.
	TypeName string
	// ID returns the identity of the parent, from the attributes of this
	// object.
	ID func(attributes map[string]definition.Value) ID
	// Why explains the behavior of the server, as a sentence.
	Why string
}

// recordExisting records that an object exists.
func (o *Object[W]) recordExisting(c *run.Run, id ID) {
	c.Objects.Record(o.TypeName, id.String(), run.Exists)
}

// recordInState records that an object is in the state. Terraform plans a replacement on
// request (-replace) twice, with the prior state and then as a create; with -refresh=false
// only the first plan shows that the object exists.
func (o *Object[W]) recordInState(c *run.Run, prior definition.Value) {
	if c == nil || prior.IsNull() {
		return
	}
	if id, known := o.idOf(prior); known {
		o.recordExisting(c, id)
	}
}

// recordReplaced records that a plan replaces an object, and returns whether it does. The plan is
// either a replacement or, for an object that is tainted or replaced on request
// (-replace), the plan of a create although the object exists.
func (o *Object[W]) recordReplaced(c *run.Run, prior definition.Value, plan definition.Plan) bool {
	if c == nil {
		return false
	}
	from := prior
	if prior.IsNull() {
		from = plan.Planned
	}
	id, known := o.idOf(from)
	there := c.Objects.Is(o.TypeName, id.String(), run.Exists)
	replaces := known && (prior.IsNull() && there || !prior.IsNull() && len(plan.Replaces) > 0)
	if replaces {
		c.Objects.Record(o.TypeName, id.String(), run.Replaced)
	}
	return replaces
}

// planDelete records the planned deletion of an object, and warns of its users that the plan does
// not delete.
func (o *Object[W]) planDelete(ctx context.Context, c *run.Run, prior definition.Value, diags *diag.Diagnostics) {
	if c == nil {
		return
	}
	id, _ := o.idOf(prior)
	c.RecordDestroyed(o.TypeName, id.String())
	if o.UsedBy != nil {
		c.WarnUsers(ctx, diags, o.Title, o.named(id), o.UsedBy.Without, o.UsedBy.Find(ctx, c, id))
	}
}

// isDeletedByParentReplacement reports whether the plan replaces the parent, and so deletes
// the object.
func (o *Object[W]) isDeletedByParentReplacement(c *run.Run, prior definition.Value) bool {
	if o.DeletedWith == nil || c == nil || prior.IsNull() {
		return false
	}
	id := o.DeletedWith.ID(definition.FieldsOf(prior))
	return c.Objects.Is(o.DeletedWith.TypeName, id.String(), run.Replaced)
}

// planReplacement turns a plan into a replacement. Terraform replaces only
// if a value changes, so the id becomes unknown.
func (o *Object[W]) planReplacement(plan *definition.Plan) {
	fields := maps.Clone(definition.FieldsOf(plan.Planned))
	fields[attrID] = definition.UnknownString()
	plan.Planned = tftypes.NewValue(plan.Planned.Type(), fields)
	plan.Unchanged = false
	plan.Replaces = append(plan.Replaces, definition.Replacement{Path: path.Root(attrID), Why: o.DeletedWith.Why})
}
