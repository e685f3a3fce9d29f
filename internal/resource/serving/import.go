package serving

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/movestate"
)

// movedKind is what a serving is in a state of another provider. The KusciaAPI
// knows only KusciaDeployments in this namespace.
var movedKind = movestate.Kind{
	Title:    "serving",
	Request:  movestate.Request{IdentifyingAttribute: "serving_id", ID: []string{"serving_id"}},
	Manifest: movestate.Manifest{Group: kuscia.Group, Kind: "KusciaDeployment", Namespace: kube.CrossDomain},
}

// MovedKind returns the kind of object that the resource manages.
func (r *servingResource) MovedKind() movestate.Kind { return movedKind }

// MoveState accepts the state of servings from another provider.
func (r *servingResource) MoveState(context.Context) []resource.StateMover {
	return movestate.Mover{Kind: movedKind, Known: r.KindsSetter, Type: servingKind.ResourceType(), CopyPrivate: keepMoved, StartFromID: takeMoved}.StateMovers()
}

// takeMoved creates the same state as an import; the refresh that follows
// completes it.
func takeMoved(ctx context.Context, id string, resp *resource.MoveStateResponse) {
	if !party.RFC1123Label.MatchString(id) {
		resp.Diagnostics.AddError("Unable to move serving", fmt.Sprintf("%q is not a serving_id: it %s.", id, party.RFC1123LabelRule))
		return
	}
	resp.Diagnostics.Append(resp.TargetState.SetAttribute(ctx, path.Root("serving_id"), id)...)
	resp.Diagnostics.Append(crud.SaveIdentity(ctx, resp.TargetIdentity, identity(id))...)
	rules.PrivateKey.Save(ctx, resp.TargetPrivate, rules.Private{Imported: true}, &resp.Diagnostics)
}

// keepMoved keeps a state that this provider wrote.
func keepMoved(ctx context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse) {
	resp.Diagnostics.Append(crud.SaveIdentity(ctx, resp.TargetIdentity, identity(definition.StringAt(resp.TargetState.Raw, attrServingID)))...)
	private, found := rules.PrivateKey.Load(ctx, req.SourcePrivate, &resp.Diagnostics)
	if found {
		rules.PrivateKey.Save(ctx, resp.TargetPrivate, private, &resp.Diagnostics)
	}
}

// requireRead rejects a plan for a serving that was moved here and never read,
// as with -refresh=false: without a state to compare with, everything differs
// and the plan would replace the serving.
func requireRead(prior rules.Serving, private rules.Private, diags *diag.Diagnostics) bool {
	if !private.Imported || !prior.Initiator.IsNull() {
		return true
	}
	movestate.AddUnread(diags, "serving", fmt.Sprintf("serving %q", prior.ServingID.ValueString()), "Kuscia")
	return false
}

// ImportState imports an existing serving by its serving_id, given as the id or
// as the identity.
func (r *servingResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	id := req.ID
	if crud.ImportsIdentity(req) {
		resp.Diagnostics.Append(req.Identity.GetAttribute(ctx, path.Root(attrServingID), &id)...)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	if !party.RFC1123Label.MatchString(id) {
		resp.Diagnostics.AddError("Invalid import ID", fmt.Sprintf(
			"%q is not a serving_id: it %s. Example: terraform import kuscia_serving.NAME glm", id, party.RFC1123LabelRule))
		return
	}
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("serving_id"), id)...)
	resp.Diagnostics.Append(crud.SaveIdentity(ctx, resp.Identity, identity(id))...)
	rules.PrivateKey.Save(ctx, resp.Private, rules.Private{Imported: true}, &resp.Diagnostics)
}
