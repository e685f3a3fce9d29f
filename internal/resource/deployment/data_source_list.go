package deployment

import (
	"context"
	"fmt"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
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
			attrLabelSelector: schema.StringAttribute{Optional: true, MarkdownDescription: labelSelectorText},
			attrDomainID:      schema.StringAttribute{Optional: true, MarkdownDescription: domainIDText},
			attrDeployments:   dataSourceDefinition.DataSourceList("The KusciaDeployments, by name."),
		},
	}
}

// refusesSelector reports a text that is not a label selector: the API server names neither the
// attribute nor the text.
func refusesSelector(diags *diag.Diagnostics, selector string) bool {
	_, err := labels.Parse(selector)
	if err != nil {
		diags.AddAttributeError(path.Root(attrLabelSelector), "Invalid label_selector", check.WithPath(path.Root(attrLabelSelector), fmt.Sprintf(
			"%s is not a label selector in the syntax of kubectl: separate requirements by commas, for example \"app=glm,tier in (a,b)\".", tfvalue.Quote(selector))))
	}
	return err != nil
}

// Read lists the deployments.
func (d *deploymentsData) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	client, ready := d.Clients.ReadyKubernetes(&resp.Diagnostics)
	if !ready {
		return
	}
	config := maps.Clone(definition.FieldsOf(req.Config.Raw))
	if refusesSelector(&resp.Diagnostics, definition.StringOf(config[attrLabelSelector])) {
		return
	}
	found, err := client.ListKusciaDeployments(ctx, definition.StringOf(config[attrLabelSelector]), definition.StringOf(config[attrDomainID]))
	if err != nil {
		clients.AddError(&resp.Diagnostics, "Unable to list KusciaDeployments", err)
		return
	}
	values := make([]definition.Value, len(found))
	for i, kd := range found {
		values[i] = shownValue(ctx, client, kd)
	}
	config[attrDeployments] = tftypes.NewValue(tftypes.List{ElementType: dataSourceDefinition.Type()}, values)
	resp.State.Raw = tftypes.NewValue(resp.State.Schema.Type().TerraformType(ctx), config)
}
