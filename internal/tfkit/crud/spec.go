package crud

import (
	"context"
	"fmt"
	"strings"
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
	// Type is the resource type without the provider's name ("app_image"), and
	// Title the object in a sentence ("app image").
	Type, Title string
	// Schema declares the attributes. The computed attribute id is added.
	Schema definition.Schema
	// Identity are the attributes that identify the object. The import id is
	// their values joined by "/".
	Identity []IdentityAttribute

	// ToWire converts a planned object. It must read every attribute that is sent,
	// by name, and nothing else: an unknown or null value that it reads is reported.
	ToWire func(definition.Reader) *W
	// FromWire converts a response to values by attribute name. Attributes of the identity that the
	// server does not return may be left out.
	FromWire func(*W) definition.Tree
	// Check reports what is wrong with an object that the server would ignore
	// silently or refuse only in the apply. May be nil.
	Check func(*check.Checker, *W)
	// API returns the calls.
	API func(*clients.Clients) API[W]

	// BulkRead reads many objects in one request, each as Query returns it. nil:
	// the API has no such call.
	BulkRead *BulkRead[W]

	// Server is the API that has the objects; the zero value is the KusciaAPI.
	Server Server
	// Guard refuses a change that the server would accept although it does harm,
	// or whose validity depends on what the server has at that time. It is called
	// in the plan of a change, and again right before the change is made. May be
	// nil.
	Guard func(ctx context.Context, c *clients.Clients, change Change[W]) diag.Diagnostics

	// Unmanageable says why an object that the server has must not be managed by a
	// resource, as a sentence, for example since it is a copy of another one; ""
	// if it may be managed. Such an object is neither read into a state, adopted
	// nor listed; data sources show it. May be nil.
	Unmanageable func(id ID, found *W) string
	// Unreadable is for errors of a server that say that the object exists and
	// cannot be shown. It returns the state that a refresh keeps all the same, with
	// a warning, so that a plan can repair the object. ok is false where the refresh
	// has to fail. May be nil.
	Unreadable func(err error, state map[string]definition.Value) (known map[string]definition.Value, ok bool)
	// ReplaceAll is for an API without an update: every change is a replacement.
	ReplaceAll bool
	// LookupFirst is for a server whose create changes an object that exists.
	LookupFirst bool
	// ConsistencyDelay is for how long after a write an eventually consistent
	// server may still return the object as it was before; 0: it never does.
	ConsistencyDelay time.Duration
	// Wait waits after a create if the configuration asks for it. May be nil.
	Wait *Wait[W]
	// AfterCreate waits for a short time for what the server does by itself after a
	// create. It returns also if that does not happen. It is called once the state is
	// set. May be nil.
	AfterCreate func(ctx context.Context, c *clients.Clients, id ID, created *W)
	// DeletedWith is the object whose deletion deletes this one too. nil: there is
	// none.
	DeletedWith *DeletedWith
	// Since says from which version of Kuscia the API exists.
	Since clients.Since
	// Kind allows moved blocks from resources of other providers; "": none.
	Kind movestate.Kind

	// Planned tells the other resources of the same plan what the object is going
	// to be; wire is nil as long as that is not known. May be nil.
	Planned func(c *clients.Clients, id ID, wire *W)
	// Written tells them that the object was created, updated or deleted. before
	// is what it was before, nil for a create. May be nil.
	Written func(c *clients.Clients, id ID, before *W)
}

// IdentityAttribute is one of the attributes that identify an object.
type IdentityAttribute struct {
	// Name is the name of the attribute, a string that is required or generated.
	Name string
	// Description is plain text.
	Description string
	// Problem says what is wrong with a value, "" if nothing. May be nil.
	Problem func(value string) string
	// LookupProblem takes the place of Problem in data sources, where more can
	// be looked up than can be managed. nil: Problem.
	LookupProblem func(value string) string
}

// ID are the values of the identity, in its order.
type ID []string

// String is the import id.
func (id ID) String() string { return strings.Join(id, "/") }

// API are the calls for one kind of object. Errors are those of the client. An
// error for an object that does not exist may have a method Explanation() string,
// whose text is then shown to the user.
type API[W any] struct {
	Create func(ctx context.Context, desired *W) error
	Query  func(ctx context.Context, id ID) (*W, error)
	// Update changes an object to what is planned. before is what it was, without
	// the values of write-only attributes. It is not called if Spec.ReplaceAll is
	// set.
	Update func(ctx context.Context, desired, before *W) error
	Delete func(ctx context.Context, id ID) error
}

// Object is a Spec ready for use.
type Object[W any] struct {
	Spec[W]
	// Definition has the attributes of Spec.Schema, of the identity, and the
	// computed ones that are added.
	Definition *definition.Definition
	// TypeName is the resource type.
	TypeName string
	schemas  schemas
}

// attrID is the computed attribute with the import id.
const attrID = "id"

// New returns the object of a spec. It is called once, when the provider starts.
func New[W any](spec Spec[W]) *Object[W] {
	o := &Object[W]{Spec: spec, TypeName: "kuscia_" + spec.Type}
	if o.Server.Name == "" {
		o.Server = kusciaAPI
	}
	schema := spec.Schema
	names := make([]string, len(spec.Identity))
	for i, a := range spec.Identity {
		names[i] = a.Name
	}
	schema.Attributes = append([]definition.Attribute{{
		Name: attrID, Type: definition.Text, Presence: definition.Computed,
		Description: "The import id: " + fmt.Sprintf("`%s`", strings.Join(names, "/")) + ".",
	}}, schema.Attributes...)
	if spec.Wait != nil {
		schema.Attributes = append(schema.Attributes, spec.Wait.attributes()...)
	}
	schema.Derive = func(value, prior definition.Value) map[string]definition.Value {
		derived := map[string]definition.Value{}
		if spec.Schema.Derive != nil {
			derived = spec.Schema.Derive(value, prior)
		}
		derived[attrID] = o.importID(value)
		return derived
	}
	o.Definition = definition.New(schema)
	o.schemas.build(o)
	return o
}

// importID is the value of the attribute id.
func (o *Object[W]) importID(value definition.Value) definition.Value {
	id, known := o.idOf(value)
	if !known {
		return definition.UnknownText()
	}
	return definition.TextValue(id.String())
}

// idOf is the identity of an object, and whether it is known.
func (o *Object[W]) idOf(value definition.Value) (id ID, known bool) {
	fields := definition.FieldsOf(value)
	known = true
	for _, a := range o.Identity {
		known = known && fields[a.Name].IsKnown()
		id = append(id, definition.TextOf(fields[a.Name]))
	}
	return id, known
}

// rootAttribute is the attribute that diagnostics about the id point to: the last
// one of the identity.
func (o *Object[W]) rootAttribute() string { return o.Identity[len(o.Identity)-1].Name }

func (o *Object[W]) rootPath() path.Path { return path.Root(o.rootAttribute()) }

// answer is the server's response as the value of a whole object.
func (o *Object[W]) answer(id ID, wire *W) definition.Value {
	return o.Definition.Answer(o.tree(id, wire))
}

// tree is the server's response as a tree, with the identity.
func (o *Object[W]) tree(id ID, wire *W) definition.Tree {
	tree := o.FromWire(wire)
	for i, a := range o.Identity {
		if _, returned := tree[a.Name]; !returned {
			tree[a.Name] = id[i]
		}
	}
	return tree
}

// messageObject describes the object for messages.
func (o *Object[W]) messageObject(id ID) clients.Object {
	return clients.Object{Type: o.TypeName, Title: o.Title, Attribute: o.rootAttribute(), ID: id.String(), NotReturned: o.Definition.NotReturned(), Server: o.Server.Name}
}

// unmanageable says why an object must not be managed, "" if it may.
func (o *Object[W]) unmanageable(id ID, found *W) string {
	if o.Unmanageable == nil || found == nil {
		return ""
	}
	return o.Unmanageable(id, found)
}

// named is the object's title and id, for messages.
func (o *Object[W]) named(id ID) string { return fmt.Sprintf("%s %q", o.Title, id) }
