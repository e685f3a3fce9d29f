package appimage

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/movestate"
)

// MoveState takes app images over that another provider has managed.
func (r *appImageResource) MoveState(context.Context) []resource.StateMover {
	return movestate.Mover{Kind: movestate.AppImage, Own: "kuscia_app_image", Keep: keepMoved, Take: takeMoved}.StateMovers()
}

// takeMoved starts a state as an import does; the refresh that follows fills it.
func takeMoved(ctx context.Context, name string, resp *resource.MoveStateResponse) {
	if problem := checkName(name); problem != "" {
		resp.Diagnostics.AddError("Cannot move this app image", problem)
		return
	}
	resp.Diagnostics.Append(resp.TargetState.SetAttribute(ctx, path.Root("name"), name)...)
	resp.Diagnostics.Append(saveIdentity(ctx, resp.TargetIdentity, name)...)
}

// keepMoved goes with a state that this provider wrote.
func keepMoved(ctx context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse) {
	var name types.String
	resp.Diagnostics.Append(resp.TargetState.GetAttribute(ctx, path.Root("name"), &name)...)
	resp.Diagnostics.Append(saveIdentity(ctx, resp.TargetIdentity, name.ValueString())...)
	if isUncertain(ctx, req.SourcePrivate, &resp.Diagnostics) {
		resp.Diagnostics.Append(markUncertain(ctx, resp.TargetPrivate)...)
	}
}
