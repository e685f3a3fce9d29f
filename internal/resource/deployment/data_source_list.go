package deployment

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

var _ datasource.DataSourceWithConfigure = (*deploymentsData)(nil)

// NewListDataSource returns the data source kuscia_deployments.
func NewListDataSource() datasource.DataSource { return &deploymentsData{} }

type deploymentsData struct{ clients *clients.Clients }

// The filters of lists.
const (
	attrLabelSelector = "label_selector"
	attrDeployments   = "deployments"

	labelSelectorText = "Only KusciaDeployments with these labels, as kubectl takes them, for example `kuscia.secretflow/app-type=serving`, which those of the KusciaAPI have."
	domainIDText      = "Only KusciaDeployments with this domain among their parties."
)

// Metadata names the data source.
func (d *deploymentsData) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_deployments"
}

// Schema describes the data source.
func (d *deploymentsData) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "KusciaDeployments, those of servings that were made through the KusciaAPI included. All pages of the list are read. The provider block needs `kubernetes`.",
		Attributes: map[string]schema.Attribute{
			attrLabelSelector: schema.StringAttribute{Optional: true, MarkdownDescription: labelSelectorText},
			attrDomainID:      schema.StringAttribute{Optional: true, MarkdownDescription: domainIDText},
			attrDeployments:   shown.DataSourceList("The KusciaDeployments, by name."),
		},
	}
}

// Configure takes the provider's clients.
func (d *deploymentsData) Configure(_ context.Context, req datasource.ConfigureRequest, resp *datasource.ConfigureResponse) {
	d.clients = clients.FromProviderData(req.ProviderData, &resp.Diagnostics)
}

// Read lists the deployments.
func (d *deploymentsData) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	client, ready := d.clients.ReadyKubernetes(&resp.Diagnostics)
	if !ready {
		return
	}
	config := maps.Clone(definition.FieldsOf(req.Config.Raw))
	found, err := listed(ctx, client, definition.TextOf(config[attrLabelSelector]), definition.TextOf(config[attrDomainID]))
	if err != nil {
		clients.AddError(&resp.Diagnostics, "Unable to list KusciaDeployments", err)
		return
	}
	values := make([]definition.Value, len(found))
	for i, kd := range found {
		values[i] = shownValue(ctx, client, kd)
	}
	config[attrDeployments] = tftypes.NewValue(tftypes.List{ElementType: shown.Type()}, values)
	resp.State.Raw = tftypes.NewValue(resp.State.Schema.Type().TerraformType(ctx), config)
}

// listed are all deployments that the filters let pass, by name.
func listed(ctx context.Context, client *kube.Client, labelSelector, domainID string) ([]*kube.KusciaDeployment, error) {
	list, err := client.List(ctx, kube.KusciaDeployments, kube.ListOptions{Namespace: kube.CrossDomain, LabelSelector: labelSelector})
	if err != nil {
		return nil, err //nolint:wrapcheck // the client's errors say what was asked
	}
	var found []*kube.KusciaDeployment
	for i := range list.Items {
		kd, err := decoded(&list.Items[i])
		if err != nil {
			return nil, err
		}
		has := func(p kube.KusciaDeploymentParty) bool { return p.DomainID == domainID }
		if domainID == "" || slices.ContainsFunc(kd.Spec.Parties, has) {
			found = append(found, kd)
		}
	}
	slices.SortFunc(found, func(a, b *kube.KusciaDeployment) int { return strings.Compare(a.Metadata.Name, b.Metadata.Name) })
	return found, nil
}
