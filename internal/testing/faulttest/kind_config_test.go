package faulttest_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
)

// configKind is configuration entries.
var configKind = objectKind{
	typeName: "kuscia_config", path: "config", plural: "configs",
	config: func(o objectSpec, _ string) attrs { return attrs{"key": "key-" + o.name, "value": configValue(o)} },
	stored: func(server *sandbox.Sandbox, o objectSpec) string {
		value, _ := server.ConfigValue("key-" + o.name)
		return value
	},
	desired: configValue,

	generate: func(g generator, _ generatedConfig, add func(generatedResource)) {
		g.some(generatedEntries, add, func(i int) generatedResource { return g.entry(fmt.Sprint("entry-", i)) })
	},
	identity: []string{"key"},
	moveRequest: func(value stateValue) attrs {
		return attrs{"data": []any{attrs{"key": value("key")}}}
	},
	all: func(server *sandbox.Sandbox) (values string) {
		for i := range generatedEntries {
			value, _ := server.ConfigValue(fmt.Sprint("key.entry-", i))
			values += value
		}
		return values
	},

	edit: changeValue,
	remove: func(ctx context.Context, api *kuscia.Client, value stateValue) error {
		return api.DeleteConfig(ctx, value("key"))
	},
	drift: func(config attrs) externalWrite {
		if config["value"] == nil || isSourceInfo(config) {
			return nil // the data sources that use it would change too
		}
		return changeValue
	},
}

func init() { registerKind(configKind) }

// changeValue changes an entry, and waits until reads, which come from a cache, return
// the new value.
func changeValue(ctx context.Context, api *kuscia.Client, value stateValue) error {
	const drift = `{"endpoint":"drift"}`
	if err := api.UpdateConfig(ctx, kuscia.ConfigEntry{Key: value("key"), Value: drift}); err != nil {
		return err
	}
	for {
		if got, err := api.QueryConfig(ctx, value("key")); err != nil || got == drift {
			return err
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func configValue(o objectSpec) string { return strings.Repeat(plantedKey, o.n) }

// generatedEntries is the maximum number of generated entries.
const generatedEntries = 3

func (g generator) entry(name string) generatedResource {
	config := attrs{"key": "key." + name}
	g.setSecret(config, "value", pick(g, g.text(), `{"endpoint":"db:1","user":"u","password":"p"}`))
	return generatedResource{"kuscia_config", name, config}
}

// isSourceInfo reports whether the value of an entry is a valid info of a data
// source. A write-only value does not count: with an unchanged version, the entry
// keeps the value that it has.
func isSourceInfo(config attrs) bool {
	text, _ := config["value"].(string)
	return strings.HasPrefix(text, "{\"endpoint")
}

// sourceInfos are the names of such entries.
func (c generatedConfig) sourceInfos() []string {
	return slices.DeleteFunc(c.names(configKind.typeName), func(name string) bool { return !isSourceInfo(c[configKind.typeName+"."+name].config) })
}
