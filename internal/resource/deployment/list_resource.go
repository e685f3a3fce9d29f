package deployment

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	fwlist "github.com/hashicorp/terraform-plugin-framework/list"
	listschema "github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

var _ fwlist.ListResourceWithConfigure = (*deploymentList)(nil)

// NewListResource returns the list resource kuscia_deployment, for
// `terraform query`.
func NewListResource() fwlist.ListResource { return &deploymentList{} }

type deploymentList struct{ clients *clients.Clients }

// Metadata sets the type name, which is that of the resource.
func (l *deploymentList) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_deployment"
}

// ListResourceConfigSchema describes the config block.
func (l *deploymentList) ListResourceConfigSchema(_ context.Context, _ fwlist.ListResourceSchemaRequest, resp *fwlist.ListResourceSchemaResponse) {
	resp.Schema = listschema.Schema{
		MarkdownDescription: "Finds KusciaDeployments with `terraform query` (Terraform 1.14 or later), to import them in bulk. These include servings that were created through the KusciaAPI.",
		Attributes: map[string]listschema.Attribute{
			attrLabelSelector: listschema.StringAttribute{Optional: true, MarkdownDescription: labelSelectorText},
			attrDomainID:      listschema.StringAttribute{Optional: true, MarkdownDescription: domainIDText},
		},
	}
}

// Configure takes the provider's clients.
func (l *deploymentList) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	l.clients = clients.FromProviderData(req.ProviderData, &resp.Diagnostics)
}

// List lists the deployments. If listing fails part way, it returns no results.
func (l *deploymentList) List(ctx context.Context, req fwlist.ListRequest, stream *fwlist.ListResultsStream) {
	var diags diag.Diagnostics
	client, ready := l.clients.ReadyKubernetes(&diags)
	if !ready {
		stream.Results = fwlist.ListResultsStreamDiagnostics(diags)
		return
	}
	config := definition.FieldsOf(req.Config.Raw)
	found, err := client.ListKusciaDeployments(ctx, definition.TextOf(config[attrLabelSelector]), definition.TextOf(config[attrDomainID]))
	if err != nil {
		clients.AddError(&diags, "Unable to list KusciaDeployments", err)
		stream.Results = fwlist.ListResultsStreamDiagnostics(diags)
		return
	}
	if req.Limit > 0 && int64(len(found)) > req.Limit {
		found = found[:req.Limit]
	}
	stream.Results = func(push func(fwlist.ListResult) bool) {
		for _, kd := range found {
			result := req.NewListResult(ctx)
			result.DisplayName = kd.Metadata.Name
			result.Diagnostics.Append(saveIdentity(ctx, result.Identity, kd.Metadata.Name)...)
			if req.IncludeResource {
				result.Resource.Raw = refreshed(kd, deployment.Null())
			}
			if !push(result) {
				return
			}
		}
	}
}
