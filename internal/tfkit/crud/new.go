package crud

import (
	"fmt"
	"maps"
	"strings"
	"sync"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

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
