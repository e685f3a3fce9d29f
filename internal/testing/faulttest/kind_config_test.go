package faulttest_test

import (
	"strings"
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
}

func init() { registerKind(configKind) }

func configValue(o objectSpec) string { return strings.Repeat(plantedKey, o.n) }
