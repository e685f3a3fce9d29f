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
		a := generator{mathrand.New(mathrand.NewPCG(seed, 1))}
		b := newTestbed(t, sandbox.Options{Autonomy: "alice"})
		var d generatedConfig
		for range 3 {
			before := d
			d = a.whole(before)
			if !b.appliesLater(t, a, d) || !b.takes(t, d, before) {
				return
			}
		}
	})
}

// appliesLater plans with some values unknown, and applies with all values
// known.
func (b *testbed) appliesLater(t *testing.T, a generator, d generatedConfig) bool {
	t.Helper()
	hidden := true
	var resources []resource
	for _, r := range d.resources() {
		known := r.config
		seed := a.Uint64()
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
		t.Errorf("a plan with unknown values: %s\n%s", o.text(), d.of(o.errors))
		return false
	}
	hidden = false
	w := b.terraform.begin(o)
	for address, object := range b.terraform.state {
		w.known[address] = object.value
	}
	w.apply(changes)
	if !o.ok() {
		t.Errorf("an apply whose plan had unknown values (%s): %s\n%s", o.changes(), o.text(), d.of(o.errors))
	}
	return o.ok()
}

// hide replaces some values by unknown values.
func (a generator) hide(value any) any {
	if value != nil && a.chance(15) {
		return protocol.Unknown{}
	}
	return a.hideIn(value)
}

// hideIn replaces some values inside of a value by unknown values.
func (a generator) hideIn(value any) any {
	switch value := value.(type) {
	case attrs:
		out := attrs{}
		for _, name := range slices.Sorted(maps.Keys(value)) {
			out[name] = a.hide(value[name])
		}
		return out
	case []any:
		out := make([]any, len(value))
		for i := range value {
			out[i] = a.hide(value[i])
		}
		return out
	}
	return value
}
