package serving

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// NewDataSource returns the data source kuscia_serving.
func NewDataSource() datasource.DataSource {
	return &servingDataSource{crud.NewBaseDataSource("serving", dataSourceSchema)}
}

var _ datasource.DataSourceWithConfigure = (*servingDataSource)(nil)

type servingDataSource struct{ crud.BaseDataSource }

// shown are the attributes of a serving as Kuscia reports it, with its status. Kuscia reports the
// resources of each container and not the image that pods run.
var shown = definition.New(definition.Schema{PartOf: rules.Definition, Attributes: append(rules.Reported(),
	definition.Attribute{Name: "status", Type: definition.Object, Presence: definition.Computed, Attributes: statusAttributes, Description: "What Kuscia observes of the serving."},
)})

func dataSourceSchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "One serving: its specification as Kuscia reports it, and its status. The read fails if the serving does not exist; use `kuscia_serving_status` if it may not exist.",
		Attributes: shown.DataSourceAttributes(map[string]schema.Attribute{
			attrServingID: schema.StringAttribute{
				MarkdownDescription: "ID of the serving.",
				Required:            true,
				Validators:          []validator.String{tfvalue.Matches(party.RFC1123Label, party.RFC1123LabelRule)},
			},
		}),
	}
}

// Read reads the serving.
func (d *servingDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	id := definition.StringAt(req.Config.Raw, attrServingID)
	if !d.Run.ReadyKuscia(&resp.Diagnostics) {
		return
	}
	response, err := d.Run.Kuscia.QueryServing(ctx, id)
	switch {
	case errors.Is(err, kuscia.ErrNotFound):
		message.AddAttributeError(&resp.Diagnostics, path.Root(attrServingID), "Serving does not exist", withNotFoundHint(id, err))
		return
	case err != nil:
		message.AddAttributeError(&resp.Diagnostics, path.Root(attrServingID), "Unable to read serving", err)
		return
	}
	read, _ := rules.FromResponse(rules.ByID(id), response, rules.Private{}, rules.TemplateReplicas(d.Run.AppImages.Lookup(ctx)))
	tree := definition.TreeOf(read.Value())
	tree["status"] = statusTree(response.Status)
	resp.State.Raw = shown.Encode(tree)
}
