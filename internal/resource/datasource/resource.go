package datasource

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/movestate"
)

// source is the specification of kuscia_domain_data_source.
var source = crud.New(crud.Spec[kuscia.DomainDataSource]{
	Type: "domain_data_source", Title: "data source",
	Schema: sourceSchema(),
	Identity: crud.Identity{
		Attributes: []crud.IdentityAttribute{
			{Name: attrDomainID, Description: "Domain that has the data source.", Problem: kuscia.CheckObjectID},
			{Name: attrDataSourceID, Description: "ID of the data source in the domain.", Problem: kuscia.CheckObjectID},
		},
		Moved: movestate.Kind{
			Request:  movestate.Request{IdentifyingAttribute: "datasource_id", ID: []string{"domain_id", "datasource_id"}},
			Manifest: movestate.Manifest{Group: kuscia.Group, Kind: "DomainDataSource", Namespaced: true},
		},
	},
	ToWire: toWire, FromWire: fromWire,
	Responses: crud.Responses[kuscia.DomainDataSource]{Unmanageable: returnedByMaster, Unreadable: unreadable},
	API:       calls,
	BulkRead:  listing.BulkRead(),
	Checks:    crud.Checks[kuscia.DomainDataSource]{Object: checkSource, References: references, Guard: guard},
})

var (
	lookup = source.NewDataSource("One data source of a domain, looked up by its ID. The plan fails if it does not exist. " +
		"Only the node of the domain returns the access information, including keys and passwords, which are then in the state; a master does not return it.")
	all    = source.NewListDataSource(listing)
	listed = source.NewListResource(listing)
)

// calls returns the API calls for data sources.
func calls(c *run.Run) crud.API[kuscia.DomainDataSource] {
	return crud.API[kuscia.DomainDataSource]{
		Create: func(ctx context.Context, desired *kuscia.DomainDataSource) error {
			_, err := c.Kuscia.CreateDomainDataSource(ctx, request(desired))
			return err
		},
		Query: func(ctx context.Context, id crud.ID) (*kuscia.DomainDataSource, error) {
			return c.Kuscia.QueryDomainDataSource(ctx, keyOf(id))
		},
		Update: func(ctx context.Context, desired, before *kuscia.DomainDataSource) error {
			for _, body := range updates(desired, before) {
				if err := c.Kuscia.UpdateDomainDataSource(ctx, body); err != nil {
					return err
				}
			}
			return nil
		},
		Delete: func(ctx context.Context, id crud.ID) error { return c.Kuscia.DeleteDomainDataSource(ctx, keyOf(id)) },
	}
}

func keyOf(id crud.ID) kuscia.DomainDataSourceKey {
	return kuscia.DomainDataSourceKey{DomainID: id[0], DataSourceID: id[1]}
}

// returnedByMaster reports that a response is from a master, which does not
// return how the data are accessed. Using it as the state would show drift in
// all of these attributes.
func returnedByMaster(id crud.ID, found *kuscia.DomainDataSource) string {
	if found.Info != nil {
		return ""
	}
	return fmt.Sprintf("The endpoint is that of a master, which can neither return nor change the access information. Use the endpoint of the node of %s, for example with a provider alias.", id[0])
}

// unreadable returns the state of a data source that its node cannot show. If
// it has a key, the configuration entry of the key is missing or not JSON; the
// state does not contain the entry and is unchanged. If the data source has no
// information, the new state has none either. If it had information before and
// now has a key, that key is unknown, and the new state has neither.
func unreadable(err error, state map[string]definition.Value) (known map[string]definition.Value, ok bool) {
	if !errors.Is(err, kuscia.ErrUnreadable) {
		return nil, false
	}
	if kuscia.HasNoInfo(err) || definition.StringOf(state[attrInfoKey]) == "" {
		state[attrInfoKey] = definition.StringValue("")
		for _, block := range []string{attrLocalFS, attrOSS, attrDatabase, attrODPS} {
			state[block] = tftypes.NewValue(state[block].Type(), nil)
		}
	}
	return state, true
}

// listing lists the data sources of a domain.
var listing = crud.Listing[kuscia.DomainDataSource]{
	Title: "data sources",
	Type:  "domain_data_sources", Attribute: "data_sources",
	Description: "All data sources of a domain. The node of the domain returns their access information, including keys and passwords, which are then in the state; a master does not return it. " +
		"At the node, the list fails if one data source cannot be returned.",
	Needs:                versions.Need{Feature: versions.DataSourceList, Instead: "name the data sources one by one, in import blocks or in data.kuscia_domain_data_source"},
	AttributeDescription: "The data sources, sorted by ID.",
	QueryDescription: "Finds the data sources of a domain with `terraform query` (Terraform 1.14 or later), to import them in bulk. " +
		"Use the endpoint of the node of the domain: a master does not return enough to manage them, so none is found there.",
	Filters: []crud.Filter{
		{Name: attrDomainID, Required: true, Description: "Domain that has the data sources.", Problem: kuscia.CheckObjectID},
	},
	Find: func(ctx context.Context, c *run.Run, values map[string]string, _ int64) ([]kuscia.DomainDataSource, error) {
		found, err := c.Kuscia.ListDomainDataSources(ctx, values[attrDomainID])
		if errors.Is(err, kuscia.ErrUnreadable) {
			err = fmt.Errorf("the node cannot return one of the data sources, so Kuscia returns none; a master lists all of them, without access information: %w", err)
		}
		return found, err
	},
	ID: func(_ map[string]string, found *kuscia.DomainDataSource) crud.ID {
		return crud.ID{found.DomainID, found.DataSourceID}
	},
}
