package crud

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/movestate"
)

// identitySchema is the schema of an identity.
func identitySchema(identity []IdentityAttribute) identityschema.Schema {
	attributes := map[string]identityschema.Attribute{}
	for _, a := range identity {
		attributes[a.Name] = identityschema.StringAttribute{RequiredForImport: !a.Optional, OptionalForImport: a.Optional, Description: a.Description}
	}
	return identityschema.Schema{Attributes: attributes}
}

// saveIdentity sets the identity if the CLI supports identities.
func (o *Object[W]) saveIdentity(ctx context.Context, to *tfsdk.ResourceIdentity, id ID) diag.Diagnostics {
	return SaveIdentity(ctx, to, o.identity(id))
}

// identity returns the values of the identity by attribute.
func (o *Object[W]) identity(id ID) map[string]string {
	identity := make(map[string]string, len(id))
	for i, a := range o.Identity {
		identity[a.Name] = id[i]
	}
	return identity
}

// onlyID returns the state of an import; the next read sets the rest.
func (o *Object[W]) onlyID(id ID) definition.Value {
	attributes := make(map[string]definition.Value, len(id))
	for i, a := range o.Identity {
		if id[i] != "" {
			attributes[a.Name] = definition.StringValue(id[i])
		}
	}
	return o.Definition.OnlyID(attributes)
}

// Imported returns the state of an import after its first read.
func (o *Object[W]) Imported(ctx context.Context, c *run.Run, id ID, found *W) definition.Value {
	var unused diag.Diagnostics
	state, _ := o.refreshedFrom(ctx, c, Watched[W]{ID: id, Planned: o.onlyID(id), Imported: true}, found, &unused)
	return state
}

// parseID parses an import id, and returns what is wrong with it or "".
func (o *Object[W]) parseID(text string) (ID, string) {
	text = strings.TrimPrefix(text, o.ImportPrefix)
	id := ID{text}
	if len(o.Identity) > 1 {
		id = strings.SplitN(text, "/", len(o.Identity))
	}
	if o.Identity[0].Optional && len(id) == len(o.Identity)-1 {
		id = append(ID{""}, id...)
	}
	return id, o.problem(id)
}

// problem returns what is wrong with an identity, or "".
func (o *Object[W]) problem(id ID) string {
	if len(id) != len(o.Identity) {
		return fmt.Sprintf("%q does not have %d parts separated by \"/\".", id.String(), len(o.Identity))
	}
	for i, a := range o.Identity {
		if problem := a.problem(id[i]); problem != "" {
			return problem
		}
		if id[i] == "" && !a.Optional {
			return a.Name + " is empty."
		}
	}
	return ""
}

// identityNames lists the parts of an import id.
func (o *Object[W]) identityNames() string {
	names := make([]string, len(o.Identity))
	for i, a := range o.Identity {
		names[i] = a.Name
	}
	if o.Identity[0].Optional {
		return strings.Join(names[1:], "/") + " or " + strings.Join(names, "/")
	}
	return strings.Join(names, "/")
}

// allIdentityAttributes lists the attributes of the identity in a sentence.
func (o *Object[W]) allIdentityAttributes() string {
	return strings.ReplaceAll(o.identityNames(), "/", " and ")
}

// ImportsIdentity reports whether an import is by identity. With an import ID, also an
// empty one, the identity is null.
func ImportsIdentity(req resource.ImportStateRequest) bool {
	return req.ID == "" && req.Identity != nil && !req.Identity.Raw.IsNull()
}

// ImportState imports by the import id or the identity.
func (r *Resource[W]) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	o := r.object
	var id ID
	var problem string
	if ImportsIdentity(req) {
		for _, a := range o.Identity {
			var value types.String
			resp.Diagnostics.Append(req.Identity.GetAttribute(ctx, path.Root(a.Name), &value)...)
			id = append(id, value.ValueString())
		}
		problem = o.problem(id)
	} else {
		id, problem = o.parseID(req.ID)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	if problem != "" {
		shortest, _, _ := strings.Cut(o.identityNames(), " or ")
		placeholder := strings.ToUpper(shortest)
		resp.Diagnostics.AddError("Invalid import ID", fmt.Sprintf("%s The import ID is %s (terraform import %s.NAME %s); an identity has the same parts.", problem, o.identityNames(), o.TypeName, placeholder))
		return
	}
	resp.State.Raw = o.onlyID(id)
	resp.Diagnostics.Append(o.saveIdentity(ctx, resp.Identity, id)...)
	resp.Diagnostics.Append(o.importedFlags().save(ctx, resp.Private, Flags{})...)
}

// importedFlags are the flags after an import.
func (o *Object[W]) importedFlags() Flags {
	return Flags{Imported: o.Definition.HasLocal(), SecretsFromImport: o.Definition.HasWriteOnly(), NeverRead: true, HiddenFields: o.CustomResource != nil}
}

// MovedKind returns the kind of object for moved blocks.
func (r *Resource[W]) MovedKind() movestate.Kind { return r.object.Moved }

// MoveState supports moved blocks from resources of other providers, and from
// the same type at another address of this provider.
func (r *Resource[W]) MoveState(context.Context) []resource.StateMover {
	if r.object.Moved.Title == "" {
		return nil
	}
	return movestate.Mover{Kind: r.object.Moved, Known: r.KindsSetter, Type: r.object.TypeName, CopyPrivate: r.keepMoved, StartFromID: r.takeMoved}.StateMovers()
}

// takeMoved sets the identity in the state, as an import does; the refresh that
// follows sets the rest.
func (r *Resource[W]) takeMoved(ctx context.Context, text string, resp *resource.MoveStateResponse) {
	id, problem := r.object.parseID(text)
	if problem != "" {
		resp.Diagnostics.AddError("Unable to move "+r.object.Title, problem)
		return
	}
	resp.TargetState.Raw = r.object.onlyID(id)
	resp.Diagnostics.Append(r.object.saveIdentity(ctx, resp.TargetIdentity, id)...)
	resp.Diagnostics.Append(r.object.importedFlags().save(ctx, resp.TargetPrivate, Flags{})...)
}

// keepMoved keeps a state that this provider has written.
func (r *Resource[W]) keepMoved(ctx context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse) {
	id, _ := r.object.idOf(resp.TargetState.Raw)
	resp.Diagnostics.Append(r.object.saveIdentity(ctx, resp.TargetIdentity, id)...)
	resp.Diagnostics.Append(loadFlags(ctx, req.SourcePrivate, &resp.Diagnostics).save(ctx, resp.TargetPrivate, Flags{})...)
	r.object.saveMemory(ctx, resp.TargetPrivate, r.object.loadMemory(ctx, req.SourcePrivate, &resp.Diagnostics), &resp.Diagnostics)
}

// ProblemValidator validates an attribute of another schema like an identity
// attribute.
func ProblemValidator(name string, problem func(value string) string) validator.String {
	return problemValidator{IdentityAttribute{Name: name, Problem: problem}}
}

// problemValidator validates an identity attribute.
type problemValidator struct{ attribute IdentityAttribute }

// Description describes the allowed values.
func (v problemValidator) Description(context.Context) string { return v.attribute.Description }

// MarkdownDescription describes the allowed values.
func (v problemValidator) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateString validates a known value.
func (v problemValidator) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	if problem := v.attribute.problem(req.ConfigValue.ValueString()); problem != "" {
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid "+v.attribute.Name, problem)
	}
}
