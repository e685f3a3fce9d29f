package crud

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/movestate"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
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

// awaited is what an operation waits for after its request: what a Rollout or a Wait declares.
type awaited[W any] struct {
	// attribute is the name of the attribute that enables the wait.
	attribute string
	// pace is the interval between two probes, and watch begins a wait.
	pace  wait.Interval
	watch func(ctx context.Context, c *run.Run, w Watched[W]) Watch[W]

	// goal is what was not seen ("be ready"), and reached that it was ("becomes ready").
	goal, reached string
	// advice is what the object needs to get there, as a sentence, or "".
	advice string
	// updated and resumed are the consequences of a wait that failed after an update, and of one
	// that has sent nothing. %s is the title of the object.
	updated, resumed string
}

// makesRequests reports whether ToWire makes the requests, each with the whole object; otherwise the
// steps of the resource make and check them.
func (o *Object[W]) makesRequests() bool { return o.ToWire != nil }

// Resource implements the Terraform resource of an object.
type Resource[W any] struct {
	BaseResourceWithIdentity
	movestate.KindsSetter

	object *Object[W]
}

// NewResource returns the resource.
func (o *Object[W]) NewResource() resource.Resource {
	return &Resource[W]{BaseResourceWithIdentity: NewBaseResourceWithIdentity(&o.kind), object: o}
}

// ResourceType is the resource type.
func (o *Object[W]) ResourceType() string { return o.TypeName }

// Attributes are the definitions of the attributes.
func (r *Resource[W]) Attributes() []definition.Attribute { return r.object.Definition.Attributes() }

// wire converts an object to the wire type, and returns the values that could
// not be converted.
func (o *Object[W]) wire(value, config definition.Value) (*W, *definition.Unconvertible) {
	reader, unconvertible := definition.Read(value, config)
	if o.ToWire == nil {
		return nil, unconvertible
	}
	return o.ToWire(reader), unconvertible
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

// onlyID returns the state of an import; the next read sets the rest.
func (o *Object[W]) onlyID(id ID) definition.Value {
	attributes := make(map[string]definition.Value, len(id))
	for i, a := range o.Identity.Attributes {
		if id[i] != "" {
			attributes[a.Name] = definition.StringValue(id[i])
		}
	}
	return o.Definition.OnlyID(attributes)
}

// importID is the value of the attribute id.
func (o *Object[W]) importID(value definition.Value) definition.Value {
	id, known := o.Identity.of(value)
	if !known {
		return definition.UnknownString()
	}
	return definition.StringValue(id.String())
}

// saveIdentity sets the identity if the CLI supports identities.
func (o *Object[W]) saveIdentity(ctx context.Context, to *tfsdk.ResourceIdentity, id ID) diag.Diagnostics {
	return SaveIdentity(ctx, to, o.Identity.values(id))
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

// named returns title and id of the object, for messages.
func (o *Object[W]) named(id ID) string { return fmt.Sprintf("%s %q", o.Title, id) }

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

// unreadable returns the state of an object that exists but cannot be read.
func (o *Object[W]) unreadable(err error, state definition.Value) (known definition.Value, ok bool) {
	if o.Responses.Unreadable == nil || err == nil {
		return state, false
	}
	fields, ok := o.Responses.Unreadable(err, maps.Clone(definition.FieldsOf(state)))
	if !ok {
		return state, false
	}
	return tftypes.NewValue(state.Type(), fields), true
}

// prefetchedKey identifies an object among those of the same wire type.
func (o *Object[W]) prefetchedKey(id ID) string { return o.TypeName + "/" + id.String() }

func (o *Object[W]) fail(ctx context.Context, c *run.Run, diags *diag.Diagnostics, summary string, err error) {
	o.addError(ctx, c, diags, summary, err, o.Needs)
}

func (o *Object[W]) addError(ctx context.Context, c *run.Run, diags *diag.Diagnostics, summary string, err error, needs versions.Need) {
	if !c.AddUnsupported(ctx, diags, summary, err, needs) {
		message.AddError(diags, summary, err)
	}
}

// explanation returns what a not-found error knows about the cause. An import
// or a refresh shows it, since otherwise the user would only learn that the
// object does not exist.
func explanation(err error) string {
	var explained interface{ Explanation() string }
	if errors.As(err, &explained) {
		return explained.Explanation()
	}
	return ""
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
	if id, known := o.Identity.of(prior); known {
		o.recordExisting(c, id)
	}
}

// countWrite records the start of a write, and the returned function its end.
func (o *Object[W]) countWrite(c *run.Run, id ID, before *W) (end func()) {
	c.CountWrite()
	return func() {
		c.CountWrite()
		c.ForgetReferenced(o.TypeName, id.String())
		if o.Writes.Done != nil {
			o.Writes.Done(c, id, before)
		}
	}
}
