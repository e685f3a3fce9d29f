package config

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/movestate"
)

// consistencyDelay is how long a node may respond from a cache that does not have a write
// yet. At most 0.2 s were observed (Kuscia v1.1); a node under load may take
// longer.
const consistencyDelay = 5 * time.Second

// entry defines kuscia_config.
var entry = crud.New(crud.Spec[kuscia.ConfigEntry]{
	Type: "config", Title: "configuration entry",
	Schema: entrySchema(),
	Identity: crud.Identity{
		Attributes: []crud.IdentityAttribute{{Name: attrKey, Description: "Key of the entry.", Problem: checkKey}},
		Moved: movestate.Kind{
			Request: movestate.Request{Elements: "data", IdentifyingAttribute: "key", ID: []string{"key"}},
		},
	},
	ToWire: toWire, FromWire: fromWire,
	API:    calls,
	Checks: crud.Checks[kuscia.ConfigEntry]{Object: checkEntry},
	Writes: crud.Writes[kuscia.ConfigEntry]{ConsistencyDelay: consistencyDelay},
	Needs:  versions.Need{Feature: versions.ConfigAPI, Instead: "remove kuscia_config"},
})

var lookup = entry.NewDataSource("One configuration entry of the node at the endpoint, looked up by its key. The plan fails if it does not exist or its value is empty: Kuscia does not distinguish the two. " +
	"The value is in the state.")

// calls are the API calls for entries.
func calls(c *run.Run) crud.API[kuscia.ConfigEntry] {
	return crud.API[kuscia.ConfigEntry]{
		Create: func(ctx context.Context, desired *kuscia.ConfigEntry) error { return create(ctx, c.Kuscia, desired) },
		Query: func(ctx context.Context, id crud.ID) (*kuscia.ConfigEntry, error) {
			value, err := c.Kuscia.QueryConfig(ctx, id[0])
			switch {
			case err != nil:
				return nil, err
			case value == "":
				// The response is the same for an empty value, which this
				// resource never writes.
				return nil, fmt.Errorf("configuration entry %q: %w", id[0], kuscia.ErrNotFound)
			}
			return &kuscia.ConfigEntry{Key: id[0], Value: value}, nil
		},
		Update: func(ctx context.Context, desired, _ *kuscia.ConfigEntry) error {
			return c.Kuscia.UpdateConfig(ctx, *desired)
		},
		Delete: func(ctx context.Context, id crud.ID) error { return c.Kuscia.DeleteConfig(ctx, id[0]) },
	}
}

// create creates an entry. Kuscia refuses the key of an entry with an empty
// value, which it returns as if it did not exist; an update sets its value.
func create(ctx context.Context, api *kuscia.Client, desired *kuscia.ConfigEntry) error {
	err := api.CreateConfig(ctx, *desired)
	if !errors.Is(err, kuscia.ErrExists) {
		return err
	}
	if value, queryErr := api.QueryConfig(ctx, desired.Key); queryErr != nil || value != "" {
		return err
	}
	return api.UpdateConfig(ctx, *desired)
}
