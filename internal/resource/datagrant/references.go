package datagrant

import (
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
)

// references are the data of a grant, with their domain, and the grantee, which may be
// created later. Kuscia looks the data up with every update.
func references(g *grant) []crud.Reference {
	const refused = "It refuses a grant of data that it does not have (error code 11100)."
	grantee := crud.DomainReference(g.Data.GrantDomain, path.Root(attrGrantDomain), "It accepts the grant, which takes effect when the domain exists. Check the ID.")
	grantee.Accepted = true
	return []crud.Reference{
		crud.DomainReference(g.Data.DomainID, path.Root(attrDomainID), refused),
		{Kind: run.DomainDataObjects, ID: g.Data.DomainID + "/" + g.Data.DomainDataID, At: path.Root(attrDomainDataID), Without: refused, EachUpdate: true},
		grantee,
	}
}
