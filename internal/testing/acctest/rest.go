package acctest

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// RESTProvider simulates a generic REST provider: its restapi_object sends the
// text in data to create a serving, and stores it in its state.
func (e *Env) RESTProvider() func() (tfprotov6.ProviderServer, error) {
	return providerserver.NewProtocol6WithError(&restProvider{e})
}

type restProvider struct{ env *Env }

func (*restProvider) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "restapi"
}

func (*restProvider) Schema(context.Context, provider.SchemaRequest, *provider.SchemaResponse) {}

func (*restProvider) Configure(context.Context, provider.ConfigureRequest, *provider.ConfigureResponse) {
}

func (*restProvider) DataSources(context.Context) []func() datasource.DataSource { return nil }

func (p *restProvider) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{func() resource.Resource { return &restObject{p.env} }}
}

type restObject struct{ env *Env }

type restModel struct {
	ID   types.String `tfsdk:"id"`
	Path types.String `tfsdk:"path"`
	Data types.String `tfsdk:"data"`
}

func (*restObject) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = "restapi_object"
}

func (*restObject) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "An object behind a REST API.",
		Attributes: map[string]schema.Attribute{
			"id":   schema.StringAttribute{MarkdownDescription: "Identifier of the object.", Computed: true},
			"path": schema.StringAttribute{MarkdownDescription: "Path of the API.", Required: true},
			"data": schema.StringAttribute{MarkdownDescription: "The object as JSON.", Required: true},
		},
	}
}

func (r *restObject) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var object restModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &object)...)
	var request kuscia.CreateServingRequest
	if err := json.Unmarshal([]byte(object.Data.ValueString()), &request); err != nil {
		resp.Diagnostics.AddError("data", err.Error())
		return
	}
	if err := r.env.API.CreateServing(ctx, &request); err != nil {
		resp.Diagnostics.AddError("create", err.Error())
		return
	}
	object.ID = types.StringValue(request.ServingID)
	resp.Diagnostics.Append(resp.State.Set(ctx, &object)...)
}

func (*restObject) Read(context.Context, resource.ReadRequest, *resource.ReadResponse) {}

func (*restObject) Update(_ context.Context, _ resource.UpdateRequest, resp *resource.UpdateResponse) {
	resp.Diagnostics.AddAttributeError(path.Root("data"), "update", "not needed by any test")
}

func (r *restObject) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var object restModel
	resp.Diagnostics.Append(req.State.Get(ctx, &object)...)
	if err := r.env.API.DeleteServing(ctx, object.ID.ValueString()); err != nil {
		resp.Diagnostics.AddError("delete", err.Error())
	}
}
