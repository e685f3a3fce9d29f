package faulttest_test

import (
	"maps"
	mathrand "math/rand/v2"
	"slices"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// TestRandomUnknown plans drawn configurations, and edits of them, while some of
// the values are not known yet, and applies them with the values: the plan is
// made, the apply does what it says, and the next plan is empty.
func TestRandomUnknown(t *testing.T) {
	t.Parallel()
	eachSeed(t, 4, 100, func(t *testing.T, seed uint64) {
		a := artist{mathrand.New(mathrand.NewPCG(seed, 1))}
		b := newTestbed(t, sandbox.Options{Autonomy: "alice"})
		var d drawing
		for range 3 {
			before := d
			d = a.whole(before)
			if !b.appliesLater(t, a, d) || !b.takes(t, d, before) {
				return
			}
		}
	})
}

// appliesLater plans with some values unknown, and applies with all of them.
func (b *testbed) appliesLater(t *testing.T, a artist, d drawing) bool {
	t.Helper()
	hidden := true
	var resources []resource
	for _, r := range d.resources() {
		known := r.config
		seed := a.Uint64()
		r.config = func(value func(address, attribute string) any) attrs {
			config := known(value)
			if hidden {
				// The same ones in each look of a plan.
				config, _ = artist{mathrand.New(mathrand.NewPCG(seed, 2))}.hideIn(config).(attrs)
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

// hide makes some values unknown.
func (a artist) hide(value any) any {
	if value != nil && a.chance(15) {
		return protocol.Unknown{}
	}
	return a.hideIn(value)
}

// hideIn makes some values in another one unknown.
func (a artist) hideIn(value any) any {
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
