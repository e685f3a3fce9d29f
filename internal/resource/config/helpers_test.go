package config

import (
	"maps"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/sandboxtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

type tree = definition.Tree

// bench is the resource with a sandbox.
type bench struct{ *sandboxtest.Resource }

func newBench(t *testing.T) *bench {
	t.Helper()
	return &bench{sandboxtest.NewResource(t, entry, sandbox.Options{StaleConfig: -1})}
}

// configured returns an entry, modified by the changes.
func configured(with tree) definition.Value {
	out := tree{"key": "credentials"}
	maps.Copy(out, with)
	return entry.Definition.Encode(out)
}

func inClear(value string) definition.Value { return configured(tree{"value": value}) }

func hidden(value string, version int64) definition.Value {
	return configured(tree{"value_wo": value, "value_wo_version": version})
}

// stored returns the value on the node.
func (b *bench) stored() string {
	value, _ := b.Box.ConfigValue("credentials")
	return value
}
