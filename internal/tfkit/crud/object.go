package crud

import (
	"fmt"
	"maps"
	"strings"
	"sync"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// Object is a Spec with its compiled definition.
type Object[W any] struct {
	Spec[W]
	// Definition has the attributes of Spec.Schema, the identity attributes,
	// and the computed attributes that are added.
	Definition *definition.Definition
	// TypeName is the resource type.
	TypeName string
	kind     Kind
	timeouts definition.Timeouts
	// steps are those of Spec.Steps, or else declared.
	steps Steps[W]
	// awaited is what its operations wait for; nil: nothing.
	awaited *awaited[W]
	// shallow is the same object with Definition.Shallow, for the shortcuts.
	shallow func() *Object[W]
}

// New compiles a spec. It is called once, when the provider starts.
func New[W any](spec Spec[W]) *Object[W] {
	o := &Object[W]{Spec: spec, TypeName: "kuscia_" + spec.Type}
	if o.Server.Name == "" {
		o.Server = kusciaAPI
	}
	if o.Identity.Moved.Request.IdentifyingAttribute != "" {
		o.Identity.Moved.Title = o.Title
	}
	schema := spec.Schema
	schema.Description = withNeeds(schema.Description, spec.Needs)
	names := make([]string, len(spec.Identity.Attributes))
	for i, a := range spec.Identity.Attributes {
		names[i] = a.Name
	}
	if !o.Identity.isChosenByServer() && !schema.Has(attrID) {
		schema.Attributes = append([]definition.Attribute{{
			Name: attrID, Type: definition.String, Presence: definition.Computed,
			Description: "The import ID: " + fmt.Sprintf("`%s`", strings.Join(names, "/")) + ".",
		}}, schema.Attributes...)
	}
	if spec.Wait != nil {
		schema.Attributes = append(schema.Attributes, spec.Wait.attribute())
		schema.Timeouts, o.awaited = spec.Wait.Timeouts, spec.Wait.awaited(o)
	}
	if spec.Rollout != nil {
		if r := spec.Rollout; r.CheckMemory == nil || spec.Steps == nil && (r.Watch == nil || r.Runs == nil) {
			panic(o.TypeName + ": a Rollout needs CheckMemory, and Watch and Runs or Spec.Steps")
		}
		if !schema.Has(definition.AttrWaitForRollout) {
			schema.Attributes = append(schema.Attributes, spec.Rollout.attributes()...)
		}
		schema.Timeouts, o.awaited = spec.Rollout.Timeouts, spec.Rollout.awaited()
	}
	if spec.CustomResource != nil && !schema.Has(AttrAllowRemovalOf) {
		schema.Attributes = append(schema.Attributes, AllowRemovalOf(spec.CustomResource.Named()))
	}
	o.timeouts = schema.Timeouts
	schema.Derive = func(value, prior definition.Value) map[string]definition.Value {
		derived := map[string]definition.Value{}
		if spec.Schema.Derive != nil {
			maps.Copy(derived, spec.Schema.Derive(value, prior))
		}
		if !o.Identity.isChosenByServer() {
			derived[attrID] = o.importID(value)
		}
		return derived
	}
	o.compiled(definition.New(schema))
	o.tryNames()
	o.shallow = sync.OnceValue(func() *Object[W] {
		return (&Object[W]{Spec: o.Spec, TypeName: o.TypeName, timeouts: o.timeouts}).compiled(o.Definition.Shallow())
	})
	return o
}

// tryNames converts an object that has everything, there and back: a name that is no attribute, or
// a value of another type, panics in the start of the provider and not in an apply.
func (o *Object[W]) tryNames() {
	full := o.Definition.Full()
	for _, a := range o.Identity.Attributes {
		_ = definition.StringAt(full, a.Name)
	}
	if o.Identity.Name != "" {
		_ = definition.StringAt(full, o.Identity.Name)
	}
	if o.ToWire == nil {
		return
	}
	reader, _ := definition.Read(full, full)
	wire := o.ToWire(reader)
	if o.FromWire != nil { // what Responses.Convert reads is no part of a plan
		id, _ := o.Identity.of(full)
		_ = o.valueOf(id, wire, full)
	}
}

// compiled sets the definition.
func (o *Object[W]) compiled(d *definition.Definition) *Object[W] {
	o.Definition, o.steps = d, declared[W]{o}
	if o.Steps != nil {
		o.steps = o.Steps(o.steps)
	}
	o.kind.Type, o.kind.Definition, o.kind.Identity, o.kind.Validate = o.Type, d, o.Identity.schema(), o.Validate
	o.kind.ReplaceAll, o.kind.Needs = o.Writes.ReplaceAll, o.Needs
	return o
}

// makesRequests reports whether ToWire makes the requests, each with the whole object; otherwise the
// steps of the resource make and check them.
func (o *Object[W]) makesRequests() bool { return o.ToWire != nil }

// importID is the value of the attribute id.
func (o *Object[W]) importID(value definition.Value) definition.Value {
	id, known := o.Identity.of(value)
	if !known {
		return definition.UnknownString()
	}
	return definition.StringValue(id.String())
}

// valueOf converts a response to a value of the object, of which known is the plan or the
// state.
func (o *Object[W]) valueOf(id ID, wire *W, known definition.Value) definition.Value {
	return o.Definition.FromServer(o.tree(id, wire, known))
}

// tree converts a response to a tree, with the identity.
func (o *Object[W]) tree(id ID, wire *W, known definition.Value) definition.Tree {
	var tree definition.Tree
	if o.Responses.Convert != nil {
		tree = o.Responses.Convert(wire, known)
	} else {
		tree = o.FromWire(wire)
	}
	for i, a := range o.Identity.Attributes {
		if _, returned := tree[a.Name]; !returned {
			tree[a.Name] = id[i]
		}
	}
	return tree
}

// messageObject describes the object for diagnostics. value is the plan or the state.
func (o *Object[W]) messageObject(id ID, value definition.Value) message.Object {
	object := message.Object{Type: o.TypeName, Title: o.Title, Attribute: o.Identity.last(), Name: id.String(), ImportID: id.String(), NotReturned: o.Definition.NotReturned(), Server: o.Server.Name}
	if o.Identity.Name != "" {
		object.Attribute, object.Name = o.Identity.Name, definition.StringAt(value, o.Identity.Name)
	}
	if id[len(id)-1] == "" {
		object.ImportID = "" // the server has not told it
	}
	return object
}

// unmanageable explains why an object must not be managed, or returns "".
func (o *Object[W]) unmanageable(id ID, found *W) string {
	if o.Responses.Unmanageable == nil || found == nil {
		return ""
	}
	return o.Responses.Unmanageable(id, found)
}

// isDeleting reports whether the server is deleting an object.
func (o *Object[W]) isDeleting(found *W) bool {
	return o.Responses.Deleting != nil && found != nil && o.Responses.Deleting(found)
}

// named returns title and id of the object, for messages.
func (o *Object[W]) named(id ID) string { return fmt.Sprintf("%s %q", o.Title, id) }
