package crud

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/movestate"
)

// Spec declares a resource. W is the wire type of the object.
type Spec[W any] struct {
	// Type is the resource type without the provider's name ("app_image");
	// Title is the name of the object in messages ("app image").
	Type, Title string
	// Schema declares the attributes. The computed attribute id is added.
	Schema definition.Schema
	// Identity are the attributes that identify the object. The import id is
	// their values joined by "/".
	Identity []IdentityAttribute

	// ToWire converts a planned object. It must read every attribute that is
	// sent, by name, and no other: every unknown or null value that it reads is
	// reported.
	ToWire func(definition.Reader) *W
	// FromWire converts a response to values by attribute name. Identity
	// attributes that the server does not return may be left out.
	FromWire func(*W) definition.Tree
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
	API func(*clients.Clients) API[W]

	// BulkRead reads many objects in one request, each as Query returns it. nil
	// if the API has no such call.
	BulkRead *BulkRead[W]

	// Server is the API that stores the objects; the zero value is the
	// KusciaAPI.
	Server Server
	// Guard refuses a harmful change that the server would accept, or one whose
	// validity depends on the current objects of the server. It is called in
	// the plan of a change, and again right before the change is made. May be
	// nil.
	Guard func(ctx context.Context, c *clients.Clients, change Change[W]) diag.Diagnostics

	// Unseen is for objects with fields that the API does not return. May be nil.
	Unseen *Unseen[W]
	// Unmanageable explains, as a sentence, why an existing object must not be
	// managed by a resource, for example because it is a copy of another one;
	// "" if it may be managed. Such an object is neither read into a state,
	// adopted nor listed; data sources show it. May be nil.
	Unmanageable func(id ID, found *W) string
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
	// Wait waits after a create if the configuration enables it. May be nil.
	Wait *Wait[W]
	// AfterCreate waits for a short time for what the server adds to a new
	// object. It returns even if nothing is added. It is called after the state
	// is saved. May be nil.
	AfterCreate func(ctx context.Context, c *clients.Clients, id ID, created *W)
	// DeletedWith is the object with which the server deletes this one. May be
	// nil.
	DeletedWith *DeletedWith
	// MinimumVersion is the first version of Kuscia that has the API.
	MinimumVersion clients.MinimumVersion
	// Moved recognizes the object in states of other providers, for moved
	// blocks; the zero value disables them. Its title is the Title above.
	Moved movestate.Kind

	// Planned publishes a planned object to the other resources of the same
	// plan; wire is nil while parts of it are unknown. May be nil.
	Planned func(c *clients.Clients, id ID, wire *W)
	// AfterWrite publishes that the object was created, updated or deleted. before
	// is the old object, nil for a create. May be nil.
	AfterWrite func(c *clients.Clients, id ID, before *W)
}

// UsedBy are the users of an object that the server deletes although it is used.
type UsedBy struct {
	// Find returns those that the servers show.
	Find func(ctx context.Context, c *clients.Clients, id ID) []clients.User
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
}

// ID has the values of the identity attributes, in order.
type ID []string

// String is the import id.
func (id ID) String() string { return strings.Join(id, "/") }

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
	// DeleteObject replaces Delete if a delete depends on the object in the state,
	// which is before.
	DeleteObject func(ctx context.Context, before *W) error
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
	if o.Moved.Request.IdentifyingAttribute != "" {
		o.Moved.Title = o.Title
	}
	schema := spec.Schema
	names := make([]string, len(spec.Identity))
	for i, a := range spec.Identity {
		names[i] = a.Name
	}
	schema.Attributes = append([]definition.Attribute{{
		Name: attrID, Type: definition.String, Presence: definition.Computed,
		Description: "The import ID: " + fmt.Sprintf("`%s`", strings.Join(names, "/")) + ".",
	}}, schema.Attributes...)
	if spec.Wait != nil {
		schema.Attributes = append(schema.Attributes, spec.Wait.attribute())
		schema.Timeouts = spec.Wait.Timeouts
	}
	schema.Derive = func(value, prior definition.Value) map[string]definition.Value {
		derived := map[string]definition.Value{}
		if spec.Schema.Derive != nil {
			derived = spec.Schema.Derive(value, prior)
		}
		derived[attrID] = o.importID(value)
		return derived
	}
	o.compiled(definition.New(schema))
	o.shallow = sync.OnceValue(func() *Object[W] {
		return (&Object[W]{Spec: o.Spec, TypeName: o.TypeName}).compiled(o.Definition.Shallow())
	})
	return o
}

// compiled sets the definition.
func (o *Object[W]) compiled(d *definition.Definition) *Object[W] {
	o.Definition = d
	o.kind.Type, o.kind.Definition, o.kind.Identity, o.kind.Validate = o.Type, d, identitySchema(o.Identity), o.Validate
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

// valueOf converts a response to a value of the object.
func (o *Object[W]) valueOf(id ID, wire *W) definition.Value {
	return o.Definition.FromServer(o.tree(id, wire))
}

// tree converts a response to a tree, with the identity.
func (o *Object[W]) tree(id ID, wire *W) definition.Tree {
	tree := o.FromWire(wire)
	for i, a := range o.Identity {
		if _, returned := tree[a.Name]; !returned {
			tree[a.Name] = id[i]
		}
	}
	return tree
}

// messageObject describes the object for diagnostics.
func (o *Object[W]) messageObject(id ID) clients.Object {
	return clients.Object{Type: o.TypeName, Title: o.Title, Attribute: o.lastIdentityAttribute(), Name: id.String(), ImportID: id.String(), NotReturned: o.Definition.NotReturned(), Server: o.Server.Name}
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
