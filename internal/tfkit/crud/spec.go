package crud

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/manifest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/movestate"
)

// Spec declares a resource. W is the wire type of the object.
type Spec[W any] struct {
	// Type is the resource type without the provider's name ("app_image");
	// Title is the name of the object in messages ("app image").
	Type, Title string
	// Name is the attribute that names an object in messages, if the server chooses its id.
	// Otherwise it is the import id.
	Name string
	// Schema declares the attributes. The computed attribute id is added.
	Schema definition.Schema
	// Compiled is Schema where the rules of the object need it compiled. New adds nothing to it: it
	// derives the value of id itself, and New refuses one that lacks an attribute of Wait or
	// Rollout. nil: New compiles it.
	Compiled *definition.Definition
	// Identity are the attributes that identify the object. The import id is
	// their values joined by "/".
	Identity []IdentityAttribute

	// ImportPrefix is what an import id may begin with.
	ImportPrefix string

	// ToWire converts a planned object. It must read every attribute that is
	// sent, by name, and no other: every unknown or null value that it reads is
	// reported. nil: Prepare makes the requests.
	ToWire func(definition.Reader) *W
	// FromWire converts a response to values by attribute name. Identity
	// attributes that the server does not return may be left out.
	FromWire func(*W) definition.Tree
	// Response replaces FromWire where the conversion depends on the object as the plan or
	// the state has it, which is null if there is none.
	Response func(found *W, known definition.Value) definition.Tree
	// Check reports problems of an object that the server would silently ignore
	// or refuse only in the apply. May be nil.
	Check func(*check.Checker, *W)
	// References are the objects to which an object refers, which a plan looks up. May be
	// nil.
	References func(*W) []Reference
	// UsedBy are the objects that use an object, about which the plan of its deletion warns.
	// May be nil.
	UsedBy *UsedBy
	// API returns the calls of the API.
	API func(*run.Run) API[W]
	// APIOf replaces API if the calls depend on attributes that are not part of the identity.
	// object is the plan or the state.
	APIOf func(c *run.Run, object definition.Value) API[W]

	// BulkRead reads many objects in one request, each as Query returns it. nil
	// if the API has no such call.
	BulkRead *BulkRead[W]

	// Server is the API that stores the objects; the zero value is the
	// KusciaAPI.
	Server Server
	// CrossCheck adds errors and warnings about a plan that depend on other plans of the
	// run, or on the way from the prior state. It is called for each plan but that of a
	// deletion, also if nothing changes. May be nil.
	CrossCheck func(ctx context.Context, c *run.Run, planned Planned) diag.Diagnostics
	// Replaces returns the changes of a plan that need a replacement, besides those that the
	// attributes declare. May be nil.
	Replaces func(planned definition.Plan) []definition.Replacement
	// Meanwhile is what does not work while an object is replaced, until the new one is there, as a
	// sentence; "" if the reasons for a replacement tell it.
	Meanwhile string
	// Known returns the planned object with the computed values that the plan knows. It is not
	// called if nothing changes. May be nil.
	Known func(ctx context.Context, c *run.Run, from Planned) definition.Value
	// KnownInApply is the same right before an update is made, after Guard, for the values that the
	// plan did not know, and refuses one that would not be as planned. May be nil.
	KnownInApply func(change Change[W]) (definition.Value, diag.Diagnostics)
	// PlanObject replaces the plan that follows from the definition, for a server with rules that
	// no attribute declares. from has everything but the plan, which it returns with it. May be
	// nil.
	PlanObject func(ctx context.Context, c *run.Run, from Planned) Planned
	// ValidateObject replaces Check, for what a configuration in its own form has to show. May be
	// nil.
	ValidateObject func(config definition.Value) diag.Diagnostics
	// Prepare checks a create or an update right before it is made, also one that may have nothing
	// to send, and returns it; after an error nothing is sent. It is for an object whose request
	// depends on what the server has, and replaces Guard and Rollout.Before. nil: what ToWire
	// makes of the plan is sent.
	Prepare func(ctx context.Context, c *run.Run, change Change[W], diags *diag.Diagnostics) Operation[W]
	// Refresh replaces Response and Rollout.Runs in a refresh and after a write, where the state
	// depends on what is remembered. May be nil.
	Refresh func(ctx context.Context, c *run.Run, w Watched[W], found *W, diags *diag.Diagnostics) (state definition.Value, memory Memory)
	// Differences replaces the comparison of a desired object with a response. May be nil.
	Differences func(desired definition.Value, found *W, memory Memory) []path.Path
	// Foreign returns what else differs in an object that a create may adopt. May be nil.
	Foreign func(ctx context.Context, c *run.Run, desired definition.Value, found *W) []path.Path
	// Unchanged reports without a query that a refresh changes nothing. next has what the query
	// needs if it does. May be nil.
	Unchanged func(ctx context.Context, c *run.Run, w Watched[W]) (next context.Context, unchanged bool)
	// Guard refuses a harmful change that the server would accept, or one whose
	// validity depends on the current objects of the server. It is called in
	// the plan of a change, and again right before the change is made. May be
	// nil.
	Guard func(ctx context.Context, c *run.Run, change Change[W]) diag.Diagnostics

	// CustomResource is for objects with fields that the API does not carry, and adds
	// allow_removal_of. May be nil.
	CustomResource *manifest.CustomResource[W]
	// Unmanageable explains, as a sentence, why an existing object must not be
	// managed by a resource, for example because it is a copy of another one;
	// "" if it may be managed. Such an object is neither read into a state,
	// adopted nor listed; data sources show it. May be nil.
	Unmanageable func(id ID, found *W) string
	// Partial reports that a response lacks attributes that Response has taken from the
	// known object. May be nil.
	Partial func(*W) bool
	// Unreadable handles errors that mean that the object exists but cannot be
	// returned. It returns the state that a refresh keeps, with a warning, so
	// that a plan can repair the object. ok is false if the refresh has to
	// fail. May be nil.
	Unreadable func(err error, state map[string]definition.Value) (known map[string]definition.Value, ok bool)
	// Deleting reports that the server is still deleting an object, which is then
	// neither changed nor adopted. nil: objects are deleted at once.
	Deleting func(*W) bool
	// ReplaceAll is set for an API without updates: every change is a
	// replacement.
	ReplaceAll bool
	// LookupFirst is set for a server whose create overwrites an existing
	// object.
	LookupFirst bool
	// ConsistencyDelay is how long an eventually consistent server may return
	// stale objects after a write; 0 means never.
	ConsistencyDelay time.Duration
	// StaleDelay is how long a read after a write may return the object from before it, as
	// with a cache in front of the server; 0 means staleDelay.
	StaleDelay time.Duration
	// CompareFirst is set for a server with versions of objects: an update compares the
	// object with the state first, see Update.Compare.
	CompareFirst bool
	// Gone adds what is to be said of an object in a state that does not exist any more. An
	// error keeps it in the state. It is also called before the object of a lost create is
	// looked up by API.Find. May be nil.
	Gone func(ctx context.Context, c *run.Run, state definition.Value) diag.Diagnostics
	// Rollout is for objects that start and run. May be nil.
	Rollout *Rollout[W]
	// Wait waits after a create if the configuration enables it. May be nil.
	Wait *Wait[W]
	// AfterCreate waits for a short time for what the server adds to a new
	// object. It returns even if nothing is added. It is called after the state
	// is saved. May be nil.
	AfterCreate func(ctx context.Context, c *run.Run, id ID, created *W)
	// DeletedWith is the object with which the server deletes this one. May be
	// nil.
	DeletedWith *DeletedWith
	// Needs is the API of the objects, which only some versions of Kuscia have; the zero value:
	// all have it. What their attributes need is declared by definition.Attribute.Since.
	Needs versions.Need
	// Moved recognizes the object in states of other providers, for moved
	// blocks; the zero value disables them. Its title is the Title above.
	Moved movestate.Kind

	// Planned publishes a planned object to the other resources of the same
	// plan, without the parts at some paths, which are unknown or cannot be converted. May be
	// nil.
	Planned func(c *run.Run, id ID, wire *W, without []path.Path)
	// AfterWrite publishes that the object was created, updated or deleted. before
	// is the old object, nil for a create. May be nil.
	AfterWrite func(c *run.Run, id ID, before *W)
}

// UsedBy are the users of an object that the server deletes although it is used.
type UsedBy struct {
	// Find returns those that the servers show.
	Find func(ctx context.Context, c *run.Run, id ID) []run.User
	// Without is what happens to them, as a sentence.
	Without string
}

// IdentityAttribute is one of the attributes that identify an object.
type IdentityAttribute struct {
	// Name is the name of the attribute, a string that is required or generated.
	Name string
	// Description is plain text.
	Description string
	// Problem returns what is wrong with a value, or "". May be nil.
	Problem func(value string) string
	// LookupProblem replaces Problem in data sources, which may read objects
	// that cannot be managed. nil: Problem.
	LookupProblem func(value string) string
	// Optional is set for the first of several attributes if it may be empty.
	Optional bool
}

// ID has the values of the identity attributes, in order.
type ID []string

// String is the import id. It has no part that is empty.
func (id ID) String() string {
	return strings.Join(slices.DeleteFunc(slices.Clone(id), func(part string) bool { return part == "" }), "/")
}

// API has the calls for one kind of object. They return the errors of the
// client. An error for an object that does not exist may have a method
// Explanation() string, whose text is shown to the user.
type API[W any] struct {
	Create func(ctx context.Context, desired *W) error
	Query  func(ctx context.Context, id ID) (*W, error)
	// Update changes an object to the desired values. before is the old object,
	// without write-only values. It is not called if Spec.ReplaceAll is set.
	Update func(ctx context.Context, desired, before *W) error
	Delete func(ctx context.Context, id ID) error
	// CreateObject and Find replace Create for a server that chooses the id of an object, and
	// may create two from one request that is repeated: CreateObject returns what was
	// created, and Find the objects that may be that of a request, by its name.
	CreateObject func(ctx context.Context, desired *W) (*W, error)
	Find         func(ctx context.Context, desired *W) ([]*W, error)
	// UpdateObject replaces Update if an update depends on what changes.
	UpdateObject func(ctx context.Context, update Update[W]) error
	// DeleteObject replaces Delete if a delete depends on the object in the state,
	// which is before. It may add warnings.
	DeleteObject func(ctx context.Context, before *W, diags *diag.Diagnostics) error
	// Read replaces Query in a refresh. May be nil.
	Read func(ctx context.Context, id ID) (*W, error)
}

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
	// awaited is what its operations wait for; nil: nothing.
	awaited *awaited[W]
	// sendsWhole is set if an update sends the whole object.
	sendsWhole bool
	// shallow is the same object with Definition.Shallow, for the shortcuts.
	shallow func() *Object[W]
}

// attrID is the computed attribute with the import id.
const attrID = "id"

// New compiles a spec. It is called once, when the provider starts.
func New[W any](spec Spec[W]) *Object[W] {
	o := &Object[W]{Spec: spec, TypeName: "kuscia_" + spec.Type}
	if o.Server.Name == "" {
		o.Server = kusciaAPI
	}
	if o.Prepare == nil {
		o.Prepare, o.sendsWhole = o.prepare, true
	}
	if o.Moved.Request.IdentifyingAttribute != "" {
		o.Moved.Title = o.Title
	}
	schema := spec.Schema
	schema.Description = withNeeds(schema.Description, spec.Needs)
	names := make([]string, len(spec.Identity))
	for i, a := range spec.Identity {
		names[i] = a.Name
	}
	if !o.choosesID() && !schema.Has(attrID) {
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
		if r := spec.Rollout; r.Watch == nil || r.CheckMemory == nil || r.Runs == nil && spec.Refresh == nil {
			panic(o.TypeName + ": a Rollout needs Watch, CheckMemory, and Runs or Spec.Refresh")
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
		if !o.choosesID() {
			derived[attrID] = o.importID(value)
		}
		return derived
	}
	o.compiled(spec.compile(schema))
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
	for _, a := range o.Identity {
		_ = definition.StringAt(full, a.Name)
	}
	if o.Name != "" {
		_ = definition.StringAt(full, o.Name)
	}
	if o.ToWire == nil {
		return
	}
	reader, _ := definition.Read(full, full)
	wire := o.ToWire(reader)
	if o.FromWire != nil { // what a Response reads is no part of a plan
		id, _ := o.idOf(full)
		_ = o.valueOf(id, wire, full)
	}
}

// compile returns the definition of a schema with all that New adds.
func (spec *Spec[W]) compile(schema definition.Schema) *definition.Definition {
	if spec.Compiled == nil {
		return definition.New(schema)
	}
	for _, a := range schema.Attributes {
		if _, ok := spec.Compiled.Attribute(a.Name); !ok {
			panic("kuscia_" + spec.Type + ": Compiled lacks the attribute " + a.Name)
		}
	}
	return spec.Compiled
}

// choosesID reports whether the server chooses the id of an object.
func (o *Object[W]) choosesID() bool { return o.lastIdentityAttribute() == attrID }

// api returns the calls for an object of a plan or a state.
func (o *Object[W]) api(c *run.Run, object definition.Value) API[W] {
	if o.APIOf != nil {
		return o.APIOf(c, object)
	}
	return o.API(c)
}

// compiled sets the definition.
func (o *Object[W]) compiled(d *definition.Definition) *Object[W] {
	o.Definition = d
	o.kind.Type, o.kind.Definition, o.kind.Identity, o.kind.Validate = o.Type, d, identitySchema(o.Identity), o.Validate
	o.kind.ReplaceAll, o.kind.Needs = o.ReplaceAll, o.Needs
	return o
}

// importID is the value of the attribute id.
func (o *Object[W]) importID(value definition.Value) definition.Value {
	id, known := o.idOf(value)
	if !known {
		return definition.UnknownString()
	}
	return definition.StringValue(id.String())
}

// idOf returns the identity of an object, and whether it is known.
func (o *Object[W]) idOf(value definition.Value) (id ID, known bool) {
	fields := definition.FieldsOf(value)
	known = true
	for _, a := range o.Identity {
		known = known && fields[a.Name].IsKnown()
		id = append(id, definition.StringOf(fields[a.Name]))
	}
	return id, known
}

// lastIdentityAttribute is the attribute that diagnostics about the id refer to: the
// last one of the identity.
func (o *Object[W]) lastIdentityAttribute() string { return o.Identity[len(o.Identity)-1].Name }

func (o *Object[W]) lastIdentityPath() path.Path { return path.Root(o.lastIdentityAttribute()) }

// valueOf converts a response to a value of the object, of which known is the plan or the
// state.
func (o *Object[W]) valueOf(id ID, wire *W, known definition.Value) definition.Value {
	return o.Definition.FromServer(o.tree(id, wire, known))
}

// tree converts a response to a tree, with the identity.
func (o *Object[W]) tree(id ID, wire *W, known definition.Value) definition.Tree {
	var tree definition.Tree
	if o.Response != nil {
		tree = o.Response(wire, known)
	} else {
		tree = o.FromWire(wire)
	}
	for i, a := range o.Identity {
		if _, returned := tree[a.Name]; !returned {
			tree[a.Name] = id[i]
		}
	}
	return tree
}

// messageObject describes the object for diagnostics. value is the plan or the state.
func (o *Object[W]) messageObject(id ID, value definition.Value) message.Object {
	object := message.Object{Type: o.TypeName, Title: o.Title, Attribute: o.lastIdentityAttribute(), Name: id.String(), ImportID: id.String(), NotReturned: o.Definition.NotReturned(), Server: o.Server.Name}
	if o.Name != "" {
		object.Attribute, object.Name = o.Name, definition.StringAt(value, o.Name)
	}
	if id[len(id)-1] == "" {
		object.ImportID = "" // the server has not told it
	}
	return object
}

// unmanageable explains why an object must not be managed, or returns "".
func (o *Object[W]) unmanageable(id ID, found *W) string {
	if o.Unmanageable == nil || found == nil {
		return ""
	}
	return o.Unmanageable(id, found)
}

// isDeleting reports whether the server is deleting an object.
func (o *Object[W]) isDeleting(found *W) bool {
	return o.Deleting != nil && found != nil && o.Deleting(found)
}

// named returns title and id of the object, for messages.
func (o *Object[W]) named(id ID) string { return fmt.Sprintf("%s %q", o.Title, id) }
