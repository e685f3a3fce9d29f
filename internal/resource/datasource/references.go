package datasource

import (
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
)

// references are the domain and the configuration entry of a data source.
func references(source *kuscia.DomainDataSource) []crud.Reference {
	return []crud.Reference{
		crud.DomainReference(source.DomainID, path.Root(attrDomainID), "It refuses a data source of a domain that it does not have."),
		{
			Kind: run.ConfigObjects, ID: source.InfoKey, At: path.Root(attrInfoKey), EachUpdate: true,
			Without: "It refuses a new data source without the entry (error code 11800), and after an update could return neither this data source nor the others of its domain.",
		},
	}
}
