package domaindata

import (
	"context"
	"fmt"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/movestate"
)

// domainData defines kuscia_domain_data.
var domainData = crud.New(crud.Spec[kuscia.DomainData]{
	Type: "domain_data", Title: "domain data",
	Schema: dataSchema(),
	Identity: crud.Identity{
		Attributes: []crud.IdentityAttribute{
			{Name: attrDomainID, Description: "Domain that owns the data.", Problem: kuscia.CheckObjectID},
			{Name: attrDomainDataID, Description: "ID of the data in the domain.", Problem: kuscia.CheckObjectID},
		},
		Moved: movestate.Kind{
			Request:  movestate.Request{IdentifyingAttribute: "relative_uri", ID: []string{"domain_id", "domaindata_id"}, References: []string{"datasource_id"}},
			Manifest: movestate.Manifest{Group: kuscia.Group, Kind: "DomainData", Namespaced: true},
		},
	},
	ToWire: toWire, FromWire: fromWire,
	Responses: crud.Responses[kuscia.DomainData]{Unmanageable: isCopy},
	API:       calls, CustomResource: customResource,
	BulkRead: listing.BulkRead(),
	Checks:   crud.Checks[kuscia.DomainData]{Object: checkData, References: references, Guard: warnReaders},
	// The server treats a create of existing data as an update.
	Writes: crud.Writes[kuscia.DomainData]{LookupFirst: true},
})

var (
	lookup = domainData.NewDataSource("One domain data object, looked up by its domain and ID. The plan fails if it does not exist. Copies of data that other domains have granted are found too; `author` is their owner.")
	all    = domainData.NewListDataSource(listing)
	listed = domainData.NewListResource(listing)
)

// calls are the API calls for domain data.
func calls(c *run.Run) crud.API[kuscia.DomainData] {
	return crud.API[kuscia.DomainData]{
		Create: func(ctx context.Context, desired *kuscia.DomainData) error {
			_, err := c.Kuscia.CreateDomainData(ctx, request(desired))
			return err
		},
		Query: func(ctx context.Context, id crud.ID) (*kuscia.DomainData, error) {
			return c.Kuscia.QueryDomainData(ctx, keyOf(id))
		},
		Update: func(ctx context.Context, desired, _ *kuscia.DomainData) error {
			return c.Kuscia.UpdateDomainData(ctx, request(desired))
		},
		Delete: func(ctx context.Context, id crud.ID) error { return c.Kuscia.DeleteDomainData(ctx, keyOf(id)) },
	}
}

func keyOf(id crud.ID) kuscia.DomainDataKey {
	return kuscia.DomainDataKey{DomainID: id[0], DomainDataID: id[1]}
}

// isCopy returns an error text if data is a copy that another domain has
// granted.
func isCopy(id crud.ID, found *kuscia.DomainData) string {
	if found.Author == "" || found.Author == id[0] {
		return ""
	}
	return fmt.Sprintf("It is the copy of data that %s has granted to %s: Kuscia creates and deletes it with the grant, and reverts changes.", httpapi.Text(found.Author), id[0])
}
