package crud

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/movestate"
)

// Imported returns the state of an import after its first read.
func (o *Object[W]) Imported(ctx context.Context, c *run.Run, id ID, found *W) definition.Value {
	var unused diag.Diagnostics
	state, _ := o.steps.Refresh(ctx, c, Watched[W]{ID: id, Planned: o.onlyID(id), Imported: true}, found, &unused)
	return state
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
		for _, a := range o.Identity.Attributes {
			var value types.String
			resp.Diagnostics.Append(req.Identity.GetAttribute(ctx, path.Root(a.Name), &value)...)
			id = append(id, value.ValueString())
		}
		problem = o.Identity.problem(id)
	} else {
		id, problem = o.Identity.parse(req.ID)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	if problem != "" {
		shortest, _, _ := strings.Cut(o.Identity.names(), " or ")
		placeholder := strings.ToUpper(shortest)
		resp.Diagnostics.AddError("Invalid import ID", fmt.Sprintf("%s The import ID is %s (terraform import %s.NAME %s); an identity has the same parts.", problem, o.Identity.names(), o.TypeName, placeholder))
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
func (r *Resource[W]) MovedKind() movestate.Kind { return r.object.Identity.Moved }

// MoveState supports moved blocks from resources of other providers, and from
// the same type at another address of this provider.
func (r *Resource[W]) MoveState(context.Context) []resource.StateMover {
	if r.object.Identity.Moved.Title == "" {
		return nil
	}
	return movestate.Mover{Kind: r.object.Identity.Moved, Known: r.KindsSetter, Type: r.object.TypeName, CopyPrivate: r.keepMoved, StartFromID: r.takeMoved}.StateMovers()
}

// takeMoved sets the identity in the state, as an import does; the refresh that
// follows sets the rest.
func (r *Resource[W]) takeMoved(ctx context.Context, text string, resp *resource.MoveStateResponse) {
	id, problem := r.object.Identity.parse(text)
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
	id, _ := r.object.Identity.of(resp.TargetState.Raw)
	resp.Diagnostics.Append(r.object.saveIdentity(ctx, resp.TargetIdentity, id)...)
	resp.Diagnostics.Append(loadFlags(ctx, req.SourcePrivate, &resp.Diagnostics).save(ctx, resp.TargetPrivate, Flags{})...)
	r.object.saveMemory(ctx, resp.TargetPrivate, r.object.loadMemory(ctx, req.SourcePrivate, &resp.Diagnostics), &resp.Diagnostics)
}
