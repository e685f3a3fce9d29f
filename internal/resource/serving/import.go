package serving

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// ImportState takes over an existing serving by its serving_id, given as the
// id or as identity.
func (r *servingResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	id := req.ID
	if id == "" && req.Identity != nil && !req.Identity.Raw.IsNull() {
		var given identity
		resp.Diagnostics.Append(req.Identity.Get(ctx, &given)...)
		id = given.ServingID.ValueString()
	}
	if resp.Diagnostics.HasError() {
		return
	}
	if !label.MatchString(id) {
		resp.Diagnostics.AddError("Invalid import id", fmt.Sprintf(
			"%q is not a serving_id: it %s. Example: terraform import kuscia_serving.NAME glm", id, labelRule))
		return
	}
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("serving_id"), id)...)
	resp.Diagnostics.Append(resp.Identity.Set(ctx, identity{types.StringValue(id)})...)
	savePrivate(ctx, resp.Private, privateData{Imported: true}, &resp.Diagnostics)
}

// importedState is a state after an import, with values that are not null where
// a configuration may have any without a difference.
func importedState(state model) model {
	if state.Timeouts.IsNull() {
		state.Timeouts = importedTimeouts()
	}
	if state.ProgressDeadline.IsNull() {
		state.ProgressDeadline = types.StringValue("")
	}
	return state
}

// importedTimeouts are timeouts that are there and set nothing. Terraform lets
// a plan keep a prior value that is not null, and so an imported serving can
// plan no difference whatever timeouts the configuration has.
func importedTimeouts() timeouts.Value {
	attributeTypes := map[string]attr.Type{}
	values := map[string]attr.Value{}
	for _, operation := range []string{"create", "update", "delete"} {
		attributeTypes[operation] = types.StringType
		values[operation] = types.StringNull()
	}
	return timeouts.Value{Object: types.ObjectValueMust(attributeTypes, values)}
}
