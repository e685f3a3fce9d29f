package datasource

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/movestate"
)

// source is what kuscia_domain_data_source says of itself.
var source = crud.New(crud.Spec[kuscia.DomainDataSource]{
	Type: "domain_data_source", Title: "data source",
	Schema: sourceSchema(),
	Identity: []crud.IdentityAttribute{
		{Name: attrDomainID, Description: "Domain that has the data source.", Problem: kuscia.CheckObjectID},
		{Name: attrDataSourceID, Description: "Id of the data source in the domain.", Problem: kuscia.CheckObjectID},
	},
	Kind:   movestate.DataSource,
	ToWire: toWire, FromWire: fromWire, Check: checkSource,
	API:          calls,
	BulkRead:     listing.BulkRead(),
	Guard:        keyExists,
	Unmanageable: seenFromMaster, Unreadable: unreadable,
})

var (
	lookup = source.NewDataSource("One data source of a domain, looked up by its id. It is an error if there is none. " +
		"How the data are reached is shown by the node of the domain alone, with keys and passwords, which are in the state then; a master shows none of it.")
	all    = source.NewListDataSource(listing)
	listed = source.NewListResourceOf(listing)
)

// calls are the calls for data sources.
func calls(c *clients.Clients) crud.API[kuscia.DomainDataSource] {
	return crud.API[kuscia.DomainDataSource]{
		Create: func(ctx context.Context, desired *kuscia.DomainDataSource) error {
			_, err := c.API.CreateDomainDataSource(ctx, request(desired))
			return err
		},
		Query: func(ctx context.Context, id crud.ID) (*kuscia.DomainDataSource, error) {
			return c.API.QueryDomainDataSource(ctx, keyOf(id))
		},
		Update: func(ctx context.Context, desired, before *kuscia.DomainDataSource) error {
			for _, body := range updates(desired, before) {
				if err := c.API.UpdateDomainDataSource(ctx, body); err != nil {
					return err
				}
			}
			return nil
		},
		Delete: func(ctx context.Context, id crud.ID) error { return c.API.DeleteDomainDataSource(ctx, keyOf(id)) },
	}
}

func keyOf(id crud.ID) kuscia.DomainDataSourceKey {
	return kuscia.DomainDataSourceKey{DomainID: id[0], DataSourceID: id[1]}
}

// seenFromMaster says that the answer is a master's, which does not show how
// the data are reached. Taken for what is there, it would be all drift.
func seenFromMaster(id crud.ID, found *kuscia.DomainDataSource) string {
	if found.Info != nil {
		return ""
	}
	return fmt.Sprintf("The endpoint is that of a master, which neither shows nor changes how data are reached. Use the endpoint of the node of %s, for instance with a provider alias.", id[0])
}

// unreadable is what is known of a data source that its node cannot show. Of one
// with a key it is that the configuration behind it is gone or no JSON: that is
// not in the state. Of one without information it is that it has none, and of one
// that had information before it came to have a key, that nobody knows which.
func unreadable(err error, state map[string]definition.Value) (known map[string]definition.Value, ok bool) {
	isImport := definition.TextOf(state[attrType]) == ""
	if isImport || !errors.Is(err, kuscia.ErrUnreadable) {
		return nil, false
	}
	if kuscia.HasNoInfo(err) || definition.TextOf(state[attrInfoKey]) == "" {
		state[attrInfoKey] = definition.TextValue("")
		for _, block := range []string{attrLocalFS, attrOSS, attrDatabase, attrODPS} {
			state[block] = tftypes.NewValue(state[block].Type(), nil)
		}
	}
	return state, true
}

// listing is how the data sources of a domain are found.
var listing = crud.Listing[kuscia.DomainDataSource]{
	Type: "domain_data_sources", Attribute: "data_sources",
	Description: "All data sources of a domain. The node of the domain shows how the data are reached, with keys and passwords, which are in the state then; a master shows none of it. " +
		"At the node, one data source that cannot be shown makes the list fail.",
	AttributeDescription: "The data sources, sorted by id.",
	QueryDescription: "Finds the data sources of a domain with `terraform query` (Terraform 1.14 or later), to import them in bulk. " +
		"Use the endpoint of the node of the domain: a master shows too little to manage them, and none is found there.",
	Filters: []crud.Filter{
		{Name: attrDomainID, Required: true, Description: "Domain that has the data sources.", Problem: kuscia.CheckObjectID},
	},
	Find: func(ctx context.Context, c *clients.Clients, values map[string]string) ([]kuscia.DomainDataSource, error) {
		found, err := c.API.ListDomainDataSources(ctx, values[attrDomainID])
		if errors.Is(err, kuscia.ErrUnreadable) {
			err = fmt.Errorf("one of the data sources cannot be shown by its node, and Kuscia answers for none; a master lists them all, without how they are reached: %w", err)
		}
		return found, err
	},
	ID: func(_ map[string]string, found *kuscia.DomainDataSource) crud.ID {
		return crud.ID{found.DomainID, found.DataSourceID}
	},
}
