package crud

import (
	"maps"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// DeletedWith is for an object that the server deletes together with another
// one. When that is replaced, so is this, or it would be gone after the apply.
// Terraform plans the other one before, because this refers to it.
type DeletedWith struct {
	// TypeName is the resource type of the other one.
	TypeName string
	// ID is the identity of the other one, by the attributes of this one.
	ID func(attributes map[string]definition.Value) ID
	// Why says what the server does, as a sentence.
	Why string
}

// objectsOfRun are the objects that this run has seen or plans to replace, by
// type and id.
type objectsOfRun struct{ seen, replaced sync.Map }

func ofRun(c *clients.Clients) *objectsOfRun {
	objects, _ := c.ForThisRun("objects", func() any { return &objectsOfRun{} }).(*objectsOfRun)
	return objects
}

type objectKey struct{ typeName, id string }

// noteSeen notes that an object exists.
func (o *Object[W]) noteSeen(c *clients.Clients, id ID) {
	ofRun(c).seen.Store(objectKey{o.TypeName, id.String()}, true)
}

// noteReplaced notes that a plan replaces an object: it says so, or is that of a
// create although the object is there, because it is tainted or Terraform was
// told to replace it.
func (o *Object[W]) noteReplaced(c *clients.Clients, prior definition.Value, plan definition.Plan) {
	if c == nil {
		return
	}
	from := prior
	if prior.IsNull() {
		from = plan.Planned
	}
	id, known := o.idOf(from)
	key := objectKey{o.TypeName, id.String()}
	_, there := ofRun(c).seen.Load(key)
	if known && (prior.IsNull() && there || !prior.IsNull() && len(plan.Replaces) > 0) {
		ofRun(c).replaced.Store(key, true)
	}
}

// goesWithAnother reports whether a plan deletes an object by replacing another
// one.
func (o *Object[W]) goesWithAnother(c *clients.Clients, prior definition.Value) bool {
	if o.DeletedWith == nil || c == nil || prior.IsNull() {
		return false
	}
	id := o.DeletedWith.ID(definition.FieldsOf(prior))
	_, replaced := ofRun(c).replaced.Load(objectKey{o.DeletedWith.TypeName, id.String()})
	return replaced
}

// replaceWithAnother makes a replacement of a plan. Terraform believes in one
// only where a value differs, and the id is about the new object.
func (o *Object[W]) replaceWithAnother(plan *definition.Plan) {
	fields := maps.Clone(definition.FieldsOf(plan.Planned))
	fields[attrID] = definition.UnknownText()
	plan.Planned = tftypes.NewValue(plan.Planned.Type(), fields)
	plan.Unchanged = false
	plan.Replaces = append(plan.Replaces, definition.Replacement{Path: path.Root(attrID), Why: o.DeletedWith.Why})
}
