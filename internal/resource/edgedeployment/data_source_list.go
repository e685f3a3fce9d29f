package edgedeployment

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

var _ datasource.DataSourceWithConfigure = (*edgeDeploymentsData)(nil)

// NewListDataSource returns the data source kuscia_edge_deployments.
func NewListDataSource() datasource.DataSource {
	return &edgeDeploymentsData{crud.NewBaseDataSource("edge_deployments", listDataSourceSchema)}
}

type edgeDeploymentsData struct{ crud.BaseDataSource }

func listDataSourceSchema() schema.Schema {
	attributes := map[string]schema.Attribute{
		"name":     schema.StringAttribute{Optional: true, MarkdownDescription: "Only deployments whose name contains this text."},
		"node_id":  schema.StringAttribute{Optional: true, MarkdownDescription: "Only deployments on this edge node. Conflicts with `group_id` in `v3`."},
		"group_id": schema.StringAttribute{Optional: true, MarkdownDescription: "Only deployments on this group of edge nodes; `v3` only."},
		"tags":     schema.MapAttribute{ElementType: types.StringType, Optional: true, MarkdownDescription: "Only deployments with these tags; `v2` only."},
		"edge_deployments": schema.ListNestedAttribute{
			Computed: true, MarkdownDescription: "The deployments.", NestedObject: schema.NestedAttributeObject{Attributes: dataAttributes()},
		},
	}
	maps.Copy(attributes, scopeAttributes)
	return schema.Schema{
		MarkdownDescription: "Application deployments on edge nodes of Huawei Cloud's Intelligent EdgeFabric (IEF). All pages are read. The filters are those of the API.\n\n" +
			"~> **Not tested with a live service**, see the resource `kuscia_edge_deployment`.",
		Attributes: attributes,
	}
}

// Read lists the deployments.
func (d *edgeDeploymentsData) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	config := definition.FieldsOf(req.Config.Raw)
	client, ready := d.Run.ReadyIEF(&resp.Diagnostics)
	if !ready {
		return
	}
	scope := scopeIn(config, client, &resp.Diagnostics)
	filter := filterIn(config, scope.Version, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	found, err := client.List(ctx, scope, filter, 0)
	if err != nil {
		message.AddError(&resp.Diagnostics, "Unable to list edge deployments", err)
		return
	}
	objectType := resp.State.Schema.Type().TerraformType(ctx)
	listType := attributeType(objectType, "edge_deployments")
	values := make([]tftypes.Value, len(found))
	element := listType.(tftypes.List).ElementType //nolint:forcetypeassert // it is declared as a list above
	for i := range found {
		values[i] = tftypes.NewValue(element, shown(element, scope, &found[i]))
	}
	config = maps.Clone(config)
	config["edge_deployments"] = tftypes.NewValue(listType, values)
	config["api_version"] = definition.StringValue(string(scope.Version))
	config["instance_id"] = definition.StringValue(scope.InstanceID)
	resp.State.Raw = tftypes.NewValue(objectType, config)
}

// filterIn returns the filters, and rejects those that the version of the API
// does not support.
func filterIn(config map[string]tftypes.Value, version ief.Version, diags *diag.Diagnostics) ief.Filter {
	filter := ief.Filter{
		Name: definition.StringOf(config["name"]), NodeID: definition.StringOf(config["node_id"]), GroupID: definition.StringOf(config["group_id"]),
		Tags: map[string]string{},
	}
	for key, value := range definition.FieldsOf(config["tags"]) {
		filter.Tags[key] = definition.StringOf(value)
	}
	if version == ief.V3 && len(filter.Tags) > 0 {
		diags.AddAttributeError(path.Root("tags"), "Not in version v3 of the API", "The list of version v3 has no filter for tags. Filter the result with an expression, for example by its tags attribute.")
	}
	if version == ief.V2 && filter.GroupID != "" {
		diags.AddAttributeError(path.Root("group_id"), "Not in version v2 of the API", "The list of version v2 has no filter for groups.")
	}
	if version == ief.V3 && filter.NodeID != "" && filter.GroupID != "" {
		diags.AddAttributeError(path.Root("group_id"), "Conflicting filters", "IEF accepts node_id or group_id, not both.")
	}
	return filter
}
