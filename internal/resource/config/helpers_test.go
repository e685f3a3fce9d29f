package config

import (
	"maps"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/sandboxtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

type tree = definition.Tree

// bench is the resource with a sandbox.
type bench struct{ *sandboxtest.Resource }

// newBench returns a bench whose sandbox shows the given share of writes with a
// delay.
func newBench(t *testing.T, stale float64) *bench {
	t.Helper()
	retry := func(c *kuscia.Config) { c.MaxRetries = 2 }
	return &bench{sandboxtest.NewResource(t, entry, sandbox.Options{StaleConfig: stale}, retry)}
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
