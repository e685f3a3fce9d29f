package domaindata

import (
	"context"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
)

// listing lists the data of a domain.
var listing = crud.Listing[kuscia.DomainData]{
	Title: "domain data",
	Type:  "domain_data_list", Attribute: "domain_data",
	Description: "All domain data of a domain, or those of a type or a vendor. The list of a domain that does not exist is empty. " +
		"The list includes copies of data that other domains have granted to this one; to exclude them: `[for d in data.kuscia_domain_data_list.NAME.domain_data : d if d.author == d.domain_id]`.",
	AttributeDescription: "The domain data in full, sorted by ID.",
	QueryDescription: "Finds the domain data of a domain with `terraform query` (Terraform 1.14 or later), to import them in bulk. " +
		"Copies of data that other domains have granted to it are not listed: they cannot be managed.",
	Filters: []crud.Filter{
		{Name: attrDomainID, Required: true, Description: "Domain that has the data.", Problem: kuscia.CheckObjectID},
		{Name: attrType, Description: "Only data of this `type`.", Problem: checkLabel},
		{Name: attrVendor, Description: "Only data of this `vendor`.", Problem: checkLabel},
	},
	Find: func(ctx context.Context, c *run.Run, values map[string]string, _ int64) ([]kuscia.DomainData, error) {
		return c.Kuscia.ListDomainData(ctx, kuscia.DomainDataFilter{DomainID: values[attrDomainID], Type: values[attrType], Vendor: values[attrVendor]})
	},
	ID: func(_ map[string]string, found *kuscia.DomainData) crud.ID {
		return crud.ID{found.DomainID, found.DomainDataID}
	},
}
