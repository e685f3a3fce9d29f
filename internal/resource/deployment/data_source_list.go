package deployment

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

var _ datasource.DataSourceWithConfigure = (*deploymentsData)(nil)

// NewListDataSource returns the data source kuscia_deployments.
func NewListDataSource() datasource.DataSource {
	return &deploymentsData{crud.NewBaseDataSource("deployments", listDataSourceSchema)}
}

type deploymentsData struct{ crud.BaseDataSource }

// The filters of lists.
const (
	attrLabelSelector = "label_selector"
	attrDeployments   = "deployments"

	labelSelectorText = "Only KusciaDeployments that match this label selector, in the syntax of kubectl, for example `kuscia.secretflow/app-type=serving`, which those of the KusciaAPI have."
	domainIDText      = "Only KusciaDeployments with this domain among their parties."
)

func listDataSourceSchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "KusciaDeployments, including those of servings that were created through the KusciaAPI. All pages of the list are read. The provider block needs `kubernetes`.",
		Attributes: map[string]schema.Attribute{
			attrLabelSelector: schema.StringAttribute{Optional: true, MarkdownDescription: labelSelectorText, Validators: []validator.String{crud.ProblemValidator(attrLabelSelector, kube.SelectorProblem)}},
			attrDomainID:      schema.StringAttribute{Optional: true, MarkdownDescription: domainIDText},
			attrDeployments:   dataSourceDefinition.DataSourceList("The KusciaDeployments, by name."),
		},
	}
}

// Read lists the deployments.
func (d *deploymentsData) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	client, ready := d.Run.ReadyKubernetes(&resp.Diagnostics)
	if !ready {
		return
	}
	config := maps.Clone(definition.FieldsOf(req.Config.Raw))
	found, err := client.ListKusciaDeployments(ctx, definition.StringOf(config[attrLabelSelector]), definition.StringOf(config[attrDomainID]))
	if err != nil {
		message.AddError(&resp.Diagnostics, "Unable to list KusciaDeployments", err)
		return
	}
	values := make([]definition.Value, len(found))
	for i, kd := range found {
		values[i] = shownValue(ctx, client, kd)
	}
	config[attrDeployments] = tftypes.NewValue(tftypes.List{ElementType: dataSourceDefinition.Type()}, values)
	resp.State.Raw = tftypes.NewValue(resp.State.Schema.Type().TerraformType(ctx), config)
}
