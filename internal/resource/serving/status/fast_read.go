package status

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
)

// Shortcuts answer the reads of kuscia_serving_status.
type Shortcuts struct{}

// DataSourceType returns the type of the data source.
func (Shortcuts) DataSourceType() string { return "kuscia_serving_status" }

// FastRead is a shortcut for kuscia_serving_status: it returns the response in the
// form of the protocol. The framework takes 0.4 ms per serving to build the same
// from its own types. If ok is false, the framework reads with the returned
// context, which has an error that Kuscia has already returned.
func (Shortcuts) FastRead(ctx context.Context, c *clients.Clients, config map[string]any) (_ context.Context, response any, ok bool) {
	var unused diag.Diagnostics
	ids, ok := idsOf(config)
	if !ok || !c.ReadyKuscia(&unused) {
		return ctx, nil, false
	}
	all, err := statusesFor(ctx, c.Kuscia, ids)
	if err != nil {
		return context.WithValue(ctx, prefetchedKey{}, err), nil, false
	}
	return ctx, all.tree(ids), true
}

// idsOf returns the ids in a configuration if all are known and there are no
// other attributes than those known here.
func idsOf(config map[string]any) (ids []string, ok bool) {
	for _, name := range []string{"serving_ids", "servings", "missing_serving_ids", "all_available"} {
		if _, ok := config[name]; !ok {
			return nil, false
		}
	}
	list, ok := config["serving_ids"].([]any)
	if !ok || len(config) != 4 {
		return nil, false
	}
	ids = make([]string, len(list))
	for i, id := range list {
		if ids[i], ok = id.(string); !ok {
			return nil, false
		}
	}
	return ids, true
}
