package serving

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/model"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
)

// ImportState imports an existing serving by its serving_id, given as the id or
// as the identity.
func (r *servingResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	id := req.ID
	if id == "" && req.Identity != nil && !req.Identity.Raw.IsNull() {
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
	model.PrivateKey.Save(ctx, resp.Private, model.Private{Imported: true}, &resp.Diagnostics)
}
