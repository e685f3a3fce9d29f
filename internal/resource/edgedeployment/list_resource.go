package edgedeployment

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	fwlist "github.com/hashicorp/terraform-plugin-framework/list"
	listschema "github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

var _ fwlist.ListResourceWithConfigure = (*edgeDeploymentList)(nil)

// NewListResource returns the list resource kuscia_edge_deployment, for
// `terraform query`.
func NewListResource() fwlist.ListResource { return &edgeDeploymentList{} }

type edgeDeploymentList struct{ clients *clients.Clients }

// Metadata sets the type name, which is that of the resource.
func (l *edgeDeploymentList) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_edge_deployment"
}

// ListResourceConfigSchema describes the config block.
func (l *edgeDeploymentList) ListResourceConfigSchema(_ context.Context, _ fwlist.ListResourceSchemaRequest, resp *fwlist.ListResourceSchemaResponse) {
	resp.Schema = listschema.Schema{
		MarkdownDescription: "Finds application deployments on edge nodes with `terraform query` (Terraform 1.14 or later), to import them in bulk. The filters are those of the API.",
		Attributes: map[string]listschema.Attribute{
			"name":        listschema.StringAttribute{Optional: true, MarkdownDescription: "Only deployments whose name contains this text."},
			"node_id":     listschema.StringAttribute{Optional: true, MarkdownDescription: "Only deployments on this edge node."},
			"group_id":    listschema.StringAttribute{Optional: true, MarkdownDescription: "Only deployments on this group of edge nodes; `v3` only."},
			"api_version": listschema.StringAttribute{Optional: true, MarkdownDescription: "Version of the API with which the deployments were created: `v3` (default) or `v2`."},
			"instance_id": listschema.StringAttribute{Optional: true, MarkdownDescription: "ID of the service instance. Default: that of the provider block."},
		},
	}
}

// Configure takes the provider's clients.
func (l *edgeDeploymentList) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	l.clients = clients.FromProviderData(req.ProviderData, &resp.Diagnostics)
}

// List lists the deployments. If listing fails part way, it returns no results.
func (l *edgeDeploymentList) List(ctx context.Context, req fwlist.ListRequest, stream *fwlist.ListResultsStream) {
	var diags diag.Diagnostics
	config := definition.FieldsOf(req.Config.Raw)
	client, ready := l.clients.ReadyIEF(&diags)
	if !ready {
		stream.Results = fwlist.ListResultsStreamDiagnostics(diags)
		return
	}
	scope := scopeIn(config, client, &diags)
	filter := filterIn(config, scope.Version, &diags)
	if !diags.HasError() {
		found, err := client.List(ctx, scope, filter, int(max(req.Limit, 0)))
		if err == nil {
			stream.Results = func(push func(fwlist.ListResult) bool) {
				for i := range found {
					d := &found[i]
					result := req.NewListResult(ctx)
					result.DisplayName = d.Name
					result.Diagnostics.Append(saveIdentity(ctx, result.Identity, d.ID, scope.InstanceID)...)
					if req.IncludeResource {
						result.Resource.Raw = refreshed(scope, d, deployment.Null())
					}
					if !push(result) {
						return
					}
				}
			}
			return
		}
		clients.AddError(&diags, "Unable to list edge deployments", err)
	}
	stream.Results = fwlist.ListResultsStreamDiagnostics(diags)
}
