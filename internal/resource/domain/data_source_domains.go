package domain

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	dsschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

var _ datasource.DataSourceWithConfigure = (*domainsDataSource)(nil)

// NewListDataSource returns the data source kuscia_domains.
func NewListDataSource() datasource.DataSource {
	return &domainsDataSource{crud.NewBaseDataSource("domains", domainsSchema)}
}

type domainsDataSource struct{ crud.BaseDataSource }

const (
	attrDomainIDs = "domain_ids"
	attrDomains   = "domains"
	attrMissing   = "missing_domain_ids"
)

// batched are the fields of a domain in a batch response, which lacks the others.
var batched = definition.New(definition.Schema{PartOf: domain.Definition, Attributes: []definition.Attribute{
	{Name: attrDomainID, Presence: definition.Computed, Description: "ID of the domain."},
	{Name: attrRole, Presence: definition.Computed, Description: "Empty for a domain of this cluster, `partner` for one that another cluster runs."},
	{Name: attrCert, Presence: definition.Computed, Description: "Certificate of the domain, base64 of PEM; empty if it has none."},
	nodesAttribute(),
}})

var texts = types.ListType{ElemType: types.StringType}

func domainsSchema() dsschema.Schema {
	return dsschema.Schema{
		MarkdownDescription: "Many domains by ID, with one request. IDs that Kuscia does not know are in `missing_domain_ids`. " +
			"Kuscia cannot list domains: the IDs must be known.",
		Attributes: map[string]dsschema.Attribute{
			attrDomainIDs: dsschema.ListAttribute{
				CustomType: texts, ElementType: types.StringType, Required: true,
				MarkdownDescription: "IDs of the domains. `master` is the cluster itself, with its CA certificate. With an empty list no request is sent.",
			},
			attrDomains: batched.DataSourceList("The domains that exist, in the order of the IDs. For a lookup by ID: `{ for d in data.kuscia_domains.NAME.domains : d.domain_id => d }`. Other attributes are in `data.kuscia_domain`."),
			attrMissing: dsschema.ListAttribute{
				CustomType: texts, ElementType: types.StringType, Computed: true,
				MarkdownDescription: "The IDs that Kuscia does not know, in the order of the IDs.",
			},
		},
	}
}

// Read reads the domains.
func (d *domainsDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	list := definition.At(req.Config.Raw, attrDomainIDs)
	var ids []string
	for i, element := range definition.ElementsOf(list) {
		at := path.Root(attrDomainIDs).AtListIndex(i)
		id := definition.StringOf(element)
		if problem := checkLookup(id); problem != "" {
			resp.Diagnostics.AddAttributeError(at, "Invalid domain_id", fmt.Sprintf("%s: %s", at, problem))
		}
		ids = append(ids, id)
	}
	if resp.Diagnostics.HasError() || len(ids) > 0 && !d.Run.ReadyKuscia(&resp.Diagnostics) {
		return
	}
	found, missing, err := lookUp(ids, func(ids []string) ([]kuscia.Domain, error) { return d.Run.Kuscia.BatchQueryDomains(ctx, ids) })
	if err != nil {
		message.AddError(&resp.Diagnostics, "Unable to read domains", err)
		return
	}
	domains, absent := make([]tftypes.Value, len(found)), make([]tftypes.Value, len(missing))
	for i := range found {
		domains[i] = batched.FromServer(fromWire(&object{Domain: found[i]}))
	}
	for i, id := range missing {
		absent[i] = definition.StringValue(id)
	}
	resp.State.Raw = tftypes.NewValue(resp.State.Schema.Type().TerraformType(ctx), map[string]tftypes.Value{
		attrDomainIDs: list,
		attrDomains:   tftypes.NewValue(tftypes.List{ElementType: batched.Type()}, domains),
		attrMissing:   tftypes.NewValue(tftypes.List{ElementType: tftypes.String}, absent),
	})
}

// lookUp reads many domains. A batch fails as a whole if one of its domains
// does not exist. It is then split in halves, so that a few missing domains
// among many cost few requests.
func lookUp(ids []string, query func([]string) ([]kuscia.Domain, error)) (found []kuscia.Domain, missing []string, err error) {
	if len(ids) == 0 {
		return nil, nil, nil
	}
	found, err = query(ids)
	switch {
	case !clients.KusciaErrors.NotFound(err):
		return found, nil, err
	case len(ids) == 1:
		return nil, ids, nil
	}
	half := len(ids) / 2
	found, missing, err = lookUp(ids[:half], query)
	if err != nil {
		return nil, nil, err
	}
	more, alsoMissing, err := lookUp(ids[half:], query)
	return append(found, more...), append(missing, alsoMissing...), err
}
