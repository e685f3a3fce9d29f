package domaindata

import (
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
)

// references are the domain and the data source of the data. Kuscia looks the data source up
// with every update.
func references(data *kuscia.DomainData) []crud.Reference {
	const refused = "It refuses data whose data source it does not have (error code 11806)."
	source := crud.Reference{
		Kind: run.DataSourceObjects, ID: data.DomainID + "/" + data.DataSourceID, At: path.Root("datasource_id"), Without: refused, EachUpdate: true,
	}
	if data.DataSourceID == kuscia.DefaultDataSource {
		source.Advice = "The node of a domain creates this data source on its first start: start the node, or set another data source."
	}
	return []crud.Reference{crud.DomainReference(data.DomainID, path.Root(attrDomainID), "It refuses data of a domain that it does not have."), source}
}
