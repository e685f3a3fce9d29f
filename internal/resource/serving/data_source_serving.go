package serving

import (
	"context"
	"errors"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/model"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/refresh"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/status"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// NewDataSource returns the data source kuscia_serving.
func NewDataSource() datasource.DataSource {
	return &servingDataSource{crud.NewBaseDataSource("serving", dataSourceSchema)}
}

var _ datasource.DataSourceWithConfigure = (*servingDataSource)(nil)

type servingDataSource struct{ crud.BaseDataSource }

type dataModel struct {
	ServingID          types.String       `tfsdk:"serving_id"`
	Initiator          types.String       `tfsdk:"initiator"`
	ServingInputConfig tfvalue.ConfigText `tfsdk:"serving_input_config"`
	Parties            types.Map          `tfsdk:"parties"`
	Endpoints          types.Map          `tfsdk:"endpoints"`
	Status             types.Object       `tfsdk:"status"`
}

func dataSourceSchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "One serving: its specification as Kuscia reports it, and its status. A serving that does not exist is an error; use `kuscia_serving_status` if it may not exist.",
		Attributes: map[string]schema.Attribute{
			"serving_id": schema.StringAttribute{
				MarkdownDescription: "ID of the serving.",
				Required:            true,
				Validators:          []validator.String{tfvalue.Matches(party.RFC1123Label, party.RFC1123LabelRule)},
			},
			"initiator": schema.StringAttribute{MarkdownDescription: "`domain_id` of the party that started the serving.", Computed: true},
			"serving_input_config": schema.StringAttribute{
				MarkdownDescription: "Configuration text of the application.",
				CustomType:          tfvalue.ConfigTextType{}, Computed: true,
			},
			"parties":   dataPartiesAttribute(),
			"endpoints": dataEndpointsAttribute(),
			"status": schema.SingleNestedAttribute{
				MarkdownDescription: "What Kuscia observes of the serving.",
				Computed:            true, CustomType: status.ObjectType, Attributes: status.Attributes(),
			},
		},
	}
}

func dataPartiesAttribute() schema.Attribute {
	text := func(description string) schema.Attribute {
		return schema.StringAttribute{MarkdownDescription: description, Computed: true}
	}
	quantity := func(description string) schema.Attribute {
		return schema.StringAttribute{MarkdownDescription: description, CustomType: tfvalue.QuantityType{}, Computed: true}
	}
	return schema.MapNestedAttribute{
		MarkdownDescription: "The parties. The key is `DOMAIN`, or `DOMAIN/ROLE` for a party with a role.",
		Computed:            true, CustomType: types.MapType{ElemType: dataPartyType},
		NestedObject: schema.NestedAttributeObject{CustomType: dataPartyType, Attributes: map[string]schema.Attribute{
			"domain_id":           text("Domain in which the party's pods run."),
			"role":                text("Role of the party."),
			"app_image":           text("Name of the app image."),
			"replicas":            schema.Int32Attribute{MarkdownDescription: "Desired number of pods; if it was never set, that of the app image's template.", Computed: true},
			"service_name_prefix": text("Prefix of the names of the party's Services."),
			"update_strategy": schema.SingleNestedAttribute{
				MarkdownDescription: "How pods are replaced by an update.",
				Computed:            true, CustomType: model.StrategyType,
				Attributes: map[string]schema.Attribute{
					"type":            text("`RollingUpdate` or `Recreate`."),
					"max_surge":       text("Pods above `replicas` during a rolling update."),
					"max_unavailable": text("Pods that may be missing during a rolling update."),
				},
			},
			model.AttrContainerResources: schema.MapNestedAttribute{
				MarkdownDescription: "CPU and memory of each container that has any, in canonical form. The key is the name of the container.",
				Computed:            true, CustomType: model.ContainerResourcesType,
				NestedObject: schema.NestedAttributeObject{CustomType: model.ResourcesType, Attributes: map[string]schema.Attribute{
					"min_cpu": quantity("CPU request."), "max_cpu": quantity("CPU limit."),
					"min_memory": quantity("Memory request."), "max_memory": quantity("Memory limit."),
				}},
			},
		}},
	}
}

// dataPartyType is a party as Kuscia reports it, with the resources of each
// container. Kuscia does not report the image that its pods run.
var dataPartyType = func() types.ObjectType {
	attributes := maps.Clone(model.PartyType.AttrTypes)
	delete(attributes, model.AttrResources)
	delete(attributes, model.AttrImage)
	return types.ObjectType{AttrTypes: attributes}
}()

func encodeReported(parties model.Parties) types.Map {
	elements := make(map[string]attr.Value, len(parties.Items))
	for _, p := range parties.Items {
		attributes := p.Attributes()
		delete(attributes, model.AttrResources)
		delete(attributes, model.AttrImage)
		elements[p.Name] = types.ObjectValueMust(dataPartyType.AttrTypes, attributes)
	}
	return types.MapValueMust(dataPartyType, elements)
}

func dataEndpointsAttribute() schema.Attribute {
	text := func(description string) schema.Attribute {
		return schema.StringAttribute{MarkdownDescription: description, Computed: true}
	}
	return schema.MapNestedAttribute{
		MarkdownDescription: "Addresses of the ports of all parties. The key is `DOMAIN/PORT`, or `DOMAIN/ROLE/PORT` for a party with a role.",
		Computed:            true, CustomType: model.EndpointsType,
		NestedObject: schema.NestedAttributeObject{CustomType: model.EndpointType, Attributes: map[string]schema.Attribute{
			"domain_id": text("Domain of the party."),
			"role":      text("Role of the party."),
			"port_name": text("Name of the port in the app image."),
			"scope":     text("`Cluster` or `Domain`."),
			"endpoint":  text("Address: `host:port` for scope `Domain`, a host for scope `Cluster`."),
		}},
	}
}

// Read reads the serving.
func (d *servingDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var config dataModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if resp.Diagnostics.HasError() || !d.Clients.ReadyKuscia(&resp.Diagnostics) {
		return
	}
	response, err := d.Clients.Kuscia.QueryServing(ctx, config.ServingID.ValueString())
	switch {
	case errors.Is(err, kuscia.ErrNotFound):
		clients.AddAttributeError(&resp.Diagnostics, path.Root("serving_id"), "Serving does not exist", withNotFoundHint(config.ServingID.ValueString(), err))
		return
	case err != nil:
		clients.AddAttributeError(&resp.Diagnostics, path.Root("serving_id"), "Unable to read serving", err)
		return
	}
	read, _ := refresh.FromResponse(model.Serving{Attributes: model.Attributes{ServingID: config.ServingID}}, response, model.Private{}, refresh.TemplateReplicas(d.Clients.AppImages.Lookup(ctx)))
	resp.Diagnostics.Append(resp.State.Set(ctx, &dataModel{
		ServingID: config.ServingID, Initiator: read.Initiator, ServingInputConfig: read.ServingInputConfig,
		Parties: encodeReported(read.Parties), Endpoints: read.Endpoints, Status: status.Encode(response.Status),
	})...)
}
