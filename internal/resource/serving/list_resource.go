package serving

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	listschema "github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/model"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/refresh"
)

var _ list.ListResourceWithConfigure = (*servingList)(nil)

// NewListResource returns the list resource kuscia_serving, for
// `terraform query`.
func NewListResource() list.ListResource { return &servingList{} }

type servingList struct{ clients *clients.Clients }

// listConfig is the config block of a list block.
type listConfig struct {
	LabelSelector types.String `tfsdk:"label_selector"`
	DomainID      types.String `tfsdk:"domain_id"`
}

// Metadata sets the type name, which is that of the listed resource.
func (l *servingList) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_serving"
}

// ListResourceConfigSchema describes the config block.
func (l *servingList) ListResourceConfigSchema(_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse) {
	notEmpty := []validator.String{stringvalidator.LengthAtLeast(1)}
	resp.Schema = listschema.Schema{
		MarkdownDescription: "Finds servings with `terraform query` (Terraform 1.14 or later), to import them in bulk.\n\n" +
			"The KusciaAPI cannot list servings. They are found by their KusciaDeployments, so the provider block needs `kubernetes` for the cluster of this Kuscia. " +
			"With `include_resource`, and for `-generate-config-out`, each serving that was found is queried through the KusciaAPI.",
		Attributes: map[string]listschema.Attribute{
			"label_selector": listschema.StringAttribute{
				Optional: true, Validators: notEmpty,
				MarkdownDescription: "Only servings whose KusciaDeployment matches this label selector, in the syntax of kubectl.",
			},
			"domain_id": listschema.StringAttribute{
				Optional: true, Validators: notEmpty,
				MarkdownDescription: "Only servings with this domain among their parties.",
			},
		},
	}
}

// Configure takes the provider's clients.
func (l *servingList) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	l.clients = clients.FromProviderData(req.ProviderData, &resp.Diagnostics)
}

// List finds the servings. A list that fails halfway returns no results.
func (l *servingList) List(ctx context.Context, req list.ListRequest, stream *list.ListResultsStream) {
	var diags diag.Diagnostics
	found := l.find(ctx, req, &diags)
	if diags.HasError() {
		stream.Results = list.ListResultsStreamDiagnostics(diags)
		return
	}
	stream.Results = func(push func(list.ListResult) bool) {
		if len(diags) > 0 && !push(list.ListResult{Diagnostics: diags}) {
			return
		}
		for _, f := range found {
			result := req.NewListResult(ctx)
			result.DisplayName = f.id
			result.Diagnostics.Append(result.Identity.Set(ctx, identity{types.StringValue(f.id)})...)
			if f.state != nil {
				result.Diagnostics.Append(result.Resource.Set(ctx, f.state.Encode())...)
			}
			if !push(result) {
				return
			}
		}
	}
}

// foundServing is a serving that was found, with its state if it was requested.
type foundServing struct {
	id    string
	state *model.Serving
}

// find queries the cluster for the servings and, if their states are requested,
// Kuscia for each serving.
func (l *servingList) find(ctx context.Context, req list.ListRequest, diags *diag.Diagnostics) (found []foundServing) {
	var config listConfig
	diags.Append(req.Config.Get(ctx, &config)...)
	if diags.HasError() {
		return nil
	}
	client, ready := l.clients.ReadyKubernetes(diags)
	if !ready || req.IncludeResource && !l.clients.Ready(diags) {
		return nil
	}
	selector := kube.LabelAppType + "=" + kube.AppTypeServing
	if more := config.LabelSelector.ValueString(); more != "" {
		selector += "," + more
	}
	all, err := client.ListKusciaDeployments(ctx, selector, config.DomainID.ValueString())
	if err != nil {
		clients.AddError(diags, "Unable to list servings", err)
		return nil
	}
	for _, kd := range all {
		if req.Limit > 0 && int64(len(found)) == req.Limit {
			break
		}
		one := foundServing{id: kd.Metadata.Name}
		if req.IncludeResource {
			one.state, err = l.imported(ctx, one.id)
		}
		switch {
		case errors.Is(err, kuscia.ErrNotFound): // deleted meanwhile
		case unreadableWithoutImage(err), errors.Is(err, kuscia.ErrNotAParty):
			diags.AddWarning("Serving "+one.id+" cannot be read", err.Error()+"\n\nIt is not listed.")
		case err != nil:
			clients.AddError(diags, "Unable to read serving "+one.id, err)
			return nil
		default:
			found = append(found, one)
		}
	}
	return found
}

// imported is the state of a serving after an import.
func (l *servingList) imported(ctx context.Context, id string) (*model.Serving, error) {
	response, err := l.clients.API.QueryServing(ctx, id)
	if err != nil {
		return nil, err
	}
	prior := model.Serving{}
	prior.ServingID = types.StringValue(id)
	state, _ := refresh.Read(prior, response, model.Private{Imported: true}, sourcesOf(ctx, l.clients, id))
	return &state, nil
}
