package edgedeployment

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	fwlist "github.com/hashicorp/terraform-plugin-framework/list"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// listed is the list resource kuscia_edge_deployment, for `terraform query`.
var listed = crud.NewListResource(crud.List{
	Type:        "edge_deployment",
	Description: "Finds application deployments on edge nodes with `terraform query` (Terraform 1.14 or later), to import them in bulk. The filters are those of the API.",
	Filters: []crud.Filter{
		{Name: "name", Description: "Only deployments whose name contains this text."},
		{Name: "node_id", Description: "Only deployments on this edge node."},
		{Name: "group_id", Description: "Only deployments on this group of edge nodes; `v3` only."},
		{Name: "api_version", Description: "Version of the API with which the deployments were created: `v3` (default) or `v2`."},
		{Name: "instance_id", Description: "ID of the service instance. Default: that of the provider block.", MayBeEmpty: true},
	},
	Find: findListed,
})

// findListed returns the deployments that match the filters.
func findListed(ctx context.Context, c *run.Run, req fwlist.ListRequest, diags *diag.Diagnostics) (listed []crud.Found) {
	client, ready := c.ReadyIEF(diags)
	if !ready {
		return nil
	}
	config := definition.FieldsOf(req.Config.Raw)
	scope := scopeIn(config, client, diags)
	filter := filterIn(config, scope.Version, diags)
	if diags.HasError() {
		return nil
	}
	found, err := client.List(ctx, scope, filter, int(req.Limit))
	if err != nil {
		message.AddError(diags, "Unable to list edge deployments", err)
		return nil
	}
	for i := range found {
		listed = append(listed, crud.Found{
			DisplayName: found[i].Name, Identity: map[string]string{"id": found[i].ID, "instance_id": scope.InstanceID},
			SetResource: crud.RawResource(func() definition.Value {
				return edgeDeployment.Imported(ctx, c, crud.ID{scope.InstanceID, found[i].ID}, &object{found: &found[i], scope: scope})
			}),
		})
	}
	return listed
}
