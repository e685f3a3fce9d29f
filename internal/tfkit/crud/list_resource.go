package crud

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	fwlist "github.com/hashicorp/terraform-plugin-framework/list"
	listschema "github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// List declares a list resource: how to find objects for `terraform query`.
type List struct {
	// Type is the resource type without the provider's name.
	Type string
	// Description is Markdown; Filters are the attributes of the config block.
	Description string
	Filters     []Filter
	// Find returns at most Limit objects of the request (0: no limit). If it
	// adds an error, no results are shown.
	Find func(ctx context.Context, c *run.Run, req fwlist.ListRequest, diags *diag.Diagnostics) []Found
}

// Found is an object that a list has found.
type Found struct {
	DisplayName string
	Identity    map[string]string
	// SetResource sets the state of an import. It is called only if the request
	// includes the resource.
	SetResource func(ctx context.Context, to *tfsdk.Resource) diag.Diagnostics
}

// RawResource returns a Found.SetResource for a value.
func RawResource(state func() definition.Value) func(context.Context, *tfsdk.Resource) diag.Diagnostics {
	return func(_ context.Context, to *tfsdk.Resource) diag.Diagnostics {
		to.Raw = state()
		return nil
	}
}

// listResource is the list resource of a List.
type listResource struct {
	list List
	run  *run.Run
}

var _ fwlist.ListResourceWithConfigure = (*listResource)(nil)

// NewListResource returns the list resource.
func NewListResource(list List) func() fwlist.ListResource {
	return func() fwlist.ListResource { return &listResource{list: list} }
}

// Metadata returns the type name, which is that of the listed resource.
func (l *listResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + l.list.Type
}

// ListResourceConfigSchema describes the config block.
func (l *listResource) ListResourceConfigSchema(_ context.Context, _ fwlist.ListResourceSchemaRequest, resp *fwlist.ListResourceSchemaResponse) {
	filters := map[string]listschema.Attribute{}
	for _, f := range l.list.Filters {
		filters[f.Name] = listschema.StringAttribute{Required: f.Required, Optional: !f.Required, Validators: f.validators(), MarkdownDescription: f.Description}
	}
	resp.Schema = listschema.Schema{MarkdownDescription: l.list.Description, Attributes: filters}
}

// Configure sets the run.
func (l *listResource) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	l.run = run.FromProviderData(req.ProviderData, &resp.Diagnostics)
}

// List finds the objects. Without a value that is not known it would find too many.
func (l *listResource) List(ctx context.Context, req fwlist.ListRequest, stream *fwlist.ListResultsStream) {
	var diags diag.Diagnostics
	req.Limit = max(req.Limit, 0)
	filterValues(ctx, l.list.Filters, req.Config, &diags)
	var found []Found
	if !diags.HasError() {
		found = l.list.Find(ctx, l.run, req, &diags)
	}
	if diags.HasError() {
		stream.Results = fwlist.ListResultsStreamDiagnostics(diags)
		return
	}
	if req.Limit > 0 && int64(len(found)) > req.Limit {
		found = found[:req.Limit]
	}
	stream.Results = func(push func(fwlist.ListResult) bool) {
		if len(diags) > 0 && !push(fwlist.ListResult{Diagnostics: diags}) {
			return
		}
		for _, f := range found {
			result := req.NewListResult(ctx)
			result.DisplayName = f.DisplayName
			result.Diagnostics.Append(SaveIdentity(ctx, result.Identity, f.Identity)...)
			if req.IncludeResource {
				result.Diagnostics.Append(f.SetResource(ctx, result.Resource)...)
			}
			if !push(result) {
				return
			}
		}
	}
}
