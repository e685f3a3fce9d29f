package crud

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	fwlist "github.com/hashicorp/terraform-plugin-framework/list"
	listschema "github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
)

// List declares how to find objects for `terraform query`.
type List[W any] struct {
	// Description is Markdown; Filters are the attributes of the config block.
	Description string
	Filters     map[string]listschema.Attribute
	// Find returns at most limit objects (0: no limit). If it fails, no results
	// are shown.
	Find func(ctx context.Context, c *clients.Clients, config tfsdk.Config, limit int64, diags *diag.Diagnostics) []W
	// ID returns the identity of a found object.
	ID func(config tfsdk.Config, found *W) ID
}

// ListResource is the list resource of an object.
type ListResource[W any] struct {
	object  *Object[W]
	list    List[W]
	clients *clients.Clients
}

// NewListResource returns the list resource.
func (o *Object[W]) NewListResource(list List[W]) func() fwlist.ListResource {
	return func() fwlist.ListResource { return &ListResource[W]{object: o, list: list} }
}

// Metadata returns the type name, which is that of the listed resource.
func (l *ListResource[W]) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + l.object.Type
}

// ListResourceConfigSchema describes the config block.
func (l *ListResource[W]) ListResourceConfigSchema(_ context.Context, _ fwlist.ListResourceSchemaRequest, resp *fwlist.ListResourceSchemaResponse) {
	resp.Schema = listschema.Schema{MarkdownDescription: l.list.Description, Attributes: l.list.Filters}
}

// Configure takes the provider's clients.
func (l *ListResource[W]) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	l.clients = clients.FromProviderData(req.ProviderData, &resp.Diagnostics)
}

// List finds the objects.
func (l *ListResource[W]) List(ctx context.Context, req fwlist.ListRequest, stream *fwlist.ListResultsStream) {
	var diags diag.Diagnostics
	var found []W
	if l.object.Server.Ready(l.clients, &diags) {
		found = l.list.Find(ctx, l.clients, req.Config, max(req.Limit, 0), &diags)
	}
	if diags.HasError() {
		stream.Results = fwlist.ListResultsStreamDiagnostics(diags)
		return
	}
	stream.Results = func(push func(fwlist.ListResult) bool) {
		for i := range found {
			if !push(l.listed(ctx, req, &found[i])) {
				return
			}
		}
	}
}

// listed is the result for one object: its identity and, if requested, the
// state of an import.
func (l *ListResource[W]) listed(ctx context.Context, req fwlist.ListRequest, found *W) fwlist.ListResult {
	o := l.object
	id := l.list.ID(req.Config, found)
	result := req.NewListResult(ctx)
	result.DisplayName = id.String()
	result.Diagnostics.Append(o.saveIdentity(ctx, result.Identity, id)...)
	if req.IncludeResource {
		result.Resource.Raw = o.Definition.Refreshed(o.answer(id, found), o.Definition.Null())
	}
	return result
}
