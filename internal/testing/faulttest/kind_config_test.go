package faulttest_test

import (
	"context"
	"strings"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// configKind is configuration entries.
var configKind = objectKind{
	typeName: "kuscia_config", path: "config", plural: "configs",
	config: func(o objectSpec, _ configuration) attrs {
		return attrs{"key": "key-" + o.name, "value": configValue(o)}
	},
	stored: func(b *testbed, o objectSpec) string {
		value, _ := b.server.ConfigValue("key-" + o.name)
		return value
	},
	desired: configValue,

	edit: func(ctx context.Context, api *kuscia.Client, o objectSpec) error {
		if err := api.UpdateConfig(ctx, kuscia.ConfigEntry{Key: "key-" + o.name, Value: "drift"}); err != nil {
			return err
		}
		for { // reads come from a cache
			if got, err := api.QueryConfig(ctx, "key-"+o.name); err != nil || got == "drift" {
				return err
			}
			time.Sleep(10 * time.Millisecond)
		}
	},
	remove: func(ctx context.Context, api *kuscia.Client, o objectSpec) error {
		return api.DeleteConfig(ctx, "key-"+o.name)
	},
}

func init() { registerKind(configKind) }

func configValue(o objectSpec) string { return strings.Repeat(plantedKey, o.n) }
