package faulttest_test

import (
	"maps"
	mathrand "math/rand/v2"
	"slices"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// TestRandomUnknown plans random configurations, and edits of them, while some
// values are unknown, and applies them with the values known. The plan
// succeeds, the apply does what it shows, and the next plan is empty.
func TestRandomUnknown(t *testing.T) {
	t.Parallel()
	eachSeed(t, 4, 100, func(t *testing.T, seed uint64) {
		g := generator{mathrand.New(mathrand.NewPCG(seed, 1))}
		b := newTestbed(t, sandbox.Options{Autonomy: "alice"})
		randomSequence{before: func(config generatedConfig) bool { return b.checkApplyOfUnknown(t, g, config) }}.run(t, b, g)
	})
}

// checkApplyOfUnknown plans with some values unknown, and applies with all
// values known.
func (b *testbed) checkApplyOfUnknown(t *testing.T, g generator, generated generatedConfig) bool {
	t.Helper()
	hidden := true
	var resources []resource
	for _, r := range generated.resources() {
		known := r.config
		seed := g.Uint64()
		r.config = func(value func(address, attribute string) any) attrs {
			config := known(value)
			if hidden {
				// The same values in each call of a plan.
				config, _ = generator{mathrand.New(mathrand.NewPCG(seed, 2))}.hideIn(config).(attrs)
			}
			return config
		}
		resources = append(resources, r)
	}
	o, changes := b.terraform.plan(resources...)
	if !o.ok() {
		t.Errorf("a plan with unknown values: %s\n%s", o.text(), generated.objectsIn(o.errors))
		return false
	}
	hidden = false
	b.terraform.applyPlan(o, changes)
	if !o.ok() {
		t.Errorf("an apply whose plan had unknown values (%s): %s\n%s", o.changes(), o.text(), generated.objectsIn(o.errors))
	}
	return o.ok()
}

// hide replaces some values by unknown values.
func (g generator) hide(value any) any {
	if value != nil && g.chance(15) {
		return protocol.Unknown{}
	}
	return g.hideIn(value)
}

// hideIn replaces some values inside of a value by unknown values.
func (g generator) hideIn(value any) any {
	switch value := value.(type) {
	case attrs:
		out := attrs{}
		for _, name := range slices.Sorted(maps.Keys(value)) {
			out[name] = g.hide(value[name])
		}
		return out
	case []any:
		out := make([]any, len(value))
		for i := range value {
			out[i] = g.hide(value[i])
		}
		return out
	}
	return value
}
