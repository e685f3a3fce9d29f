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

// Spec is all that a resource says of itself. W is the object as the API has
// it.
type Spec[W any] struct {
	// Type is the resource type without the provider's name ("app_image"), and
	// Title the object in a sentence ("app image").
	Type, Title string
	// Schema has the rows. The computed attribute id is added.
	Schema definition.Schema
	// Identity are the attributes that say which object it is. The import id is
	// their values joined by "/".
	Identity []IdentityAttribute

	// ToWire reads a planned object. It must read every attribute that is sent,
	// by name, and nothing else: what it meets that has no value is reported.
	ToWire func(definition.Reader) *W
	// FromWire is the tree of an answer. Attributes of the identity that the
	// server does not return may be left out.
	FromWire func(*W) definition.Tree
	// Check adds what is wrong with an object that the server would swallow or
	// refuse late. May be nil.
	Check func(*check.Checker, *W)
	// API gives the calls.
	API func(*clients.Clients) API[W]

	// BulkRead answers for many objects at once what Query answers for one; nil
	// is an API that has no such call.
	BulkRead *BulkRead[W]

	// Server is what keeps the objects; the zero value is the KusciaAPI.
	Server Server
	// Guard refuses a change that the server would take and that does harm, or
	// that depends on what the server has at that time. It is asked about changes
	// that are planned, and again right before one is made. May be nil.
	Guard func(ctx context.Context, c *clients.Clients, change Change[W]) diag.Diagnostics

	// Foreign says why an object that the server has must not be managed by a
	// resource, as a sentence, "" if it may: it is a copy of another one. Such an
	// object is neither read into a state, adopted nor found by a query; data
	// sources show it. May be nil.
	Foreign func(id ID, found *W) string
	// Unreadable is for a server that says of an object that it is there and
	// cannot be shown: what a refresh makes of the state all the same, with a
	// warning, so that a plan can put it right. It is not ok where the refresh has
	// to fail. May be nil.
	Unreadable func(err error, state map[string]definition.Value) (known map[string]definition.Value, ok bool)
	// ReplaceAll is for an API without an update: every change replaces.
	ReplaceAll bool
	// LookFirst is for a server whose create changes an object that exists.
	LookFirst bool
	// Settle is for how long, after a write, a server may answer with what was
	// before; 0 is not at all.
	Settle time.Duration
	// Wait waits after a create, on demand. May be nil.
	Wait *Wait[W]
	// AfterCreate waits a moment for what the server does by itself after a
	// create, whether or not that comes. It is called once the state is set. May
	// be nil.
	AfterCreate func(ctx context.Context, c *clients.Clients, id ID, created *W)
	// DeletedWith is the object with which the server deletes this one. nil:
	// there is none.
	DeletedWith *DeletedWith
	// Since says from which version of Kuscia the API exists.
	Since clients.Since
	// Kind makes moved blocks from other providers possible; "" is none.
	Kind movestate.Kind

	// Planned tells the other resources of this run what the object is going to
	// be; wire is nil as long as that is not known. May be nil.
	Planned func(c *clients.Clients, id ID, wire *W)
	// Written tells them that the object was created, changed or deleted. before
	// is what it was, nil for a create. May be nil.
	Written func(c *clients.Clients, id ID, before *W)
}

// IdentityAttribute is one of the attributes that say which object it is.
type IdentityAttribute struct {
	// Name is that of a required text, or of one that is generated.
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

// API are the calls for one kind of object. Errors are those of the client. One
// for an object that does not exist may have a method Explanation() string, which
// is shown where the object was looked for.
type API[W any] struct {
	Create func(ctx context.Context, desired *W) error
	Query  func(ctx context.Context, id ID) (*W, error)
	// Update makes an object what is planned. before is what it was, without
	// texts in the write-only form. It is not called where Spec.ReplaceAll is.
	Update func(ctx context.Context, desired, before *W) error
	Delete func(ctx context.Context, id ID) error
}

// Object is a Spec ready for use.
type Object[W any] struct {
	Spec[W]
	// Definition is that of the rows, the identity and what is added to them.
	Definition *definition.Definition
	// TypeName is the resource type.
	TypeName string
	schemas  schemas
}

// attrID is the computed attribute with the import id.
const attrID = "id"

// New makes an object of a spec, once, when the provider starts.
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

// root is the attribute that messages about the id point to: the last one of
// the identity, which makes the object one of many.
func (o *Object[W]) rootAttribute() string { return o.Identity[len(o.Identity)-1].Name }

func (o *Object[W]) rootPath() path.Path { return path.Root(o.rootAttribute()) }

// answer is what the server answered, as a complete object.
func (o *Object[W]) answer(id ID, wire *W) definition.Value {
	return o.Definition.Answer(o.tree(id, wire))
}

// tree is that as a tree.
func (o *Object[W]) tree(id ID, wire *W) definition.Tree {
	tree := o.FromWire(wire)
	for i, a := range o.Identity {
		if _, returned := tree[a.Name]; !returned {
			tree[a.Name] = id[i]
		}
	}
	return tree
}

// messageObject is the object in messages.
func (o *Object[W]) messageObject(id ID) clients.Object {
	return clients.Object{Type: o.TypeName, Title: o.Title, Attribute: o.rootAttribute(), ID: id.String(), Unread: o.Definition.Unread(), Server: o.Server.Name}
}

// foreign says why an object must not be managed, "" if it may.
func (o *Object[W]) foreign(id ID, found *W) string {
	if o.Foreign == nil || found == nil {
		return ""
	}
	return o.Foreign(id, found)
}

// named is the object with its id in a message.
func (o *Object[W]) named(id ID) string { return fmt.Sprintf("%s %q", o.Title, id) }
