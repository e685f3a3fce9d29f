package faulttest_test

import (
	"errors"
	"maps"
	mathrand "math/rand/v2"
	"slices"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
)

// TestRandomExternalEdits changes and deletes objects between a plan and its
// apply, as another client does. The apply does what was planned or reports the
// conflict, and the next apply converges.
func TestRandomExternalEdits(t *testing.T) {
	t.Parallel()
	eachSeed(t, 2, 100, func(t *testing.T, seed uint64) {
		g := generator{mathrand.New(mathrand.NewPCG(seed, 4))}
		b := newTestbed(t, sandbox.Options{Autonomy: "alice", Seed: seed})
		randomSequence{before: func(config generatedConfig) bool { return b.checkApplyAfterExternalEdit(t, g, config) }}.run(t, b, g)
	})
}

// checkApplyAfterExternalEdit applies a plan after another client has changed
// objects.
func (b *testbed) checkApplyAfterExternalEdit(t *testing.T, g generator, config generatedConfig) bool {
	t.Helper()
	o, changes := b.terraform.plan(config.resources()...)
	if !o.ok() {
		t.Errorf("plan: %s", o.text())
		return false
	}
	for _, address := range slices.Sorted(maps.Keys(b.terraform.state)) {
		if g.chance(25) {
			if err := b.editExternally(t, g, b.terraform.state[address]); err != nil && !errors.Is(err, kuscia.ErrNotFound) && kuscia.CodeOf(err) != kuscia.CodeInvalid {
				t.Errorf("%s: %v", address, err)
			}
		}
	}
	b.terraform.applyPlan(o, changes)
	for _, p := range o.errors {
		if p.summary == providerFault || len(p.detail) < 20 {
			t.Errorf("apply (%s): %s\n%s", o.changes(), o.text(), config.objectsIn(o.errors))
			return false
		}
	}
	return true
}

// editExternally changes or deletes an object outside of Terraform.
func (b *testbed) editExternally(t *testing.T, g generator, o *object) error {
	t.Helper()
	kind := kindOfType(o.typeName)
	write := kind.edit
	if deleteIt := g.chance(40); deleteIt || write == nil {
		write = kind.remove
	}
	return write(t.Context(), newClient(t, b.server), valueIn(o))
}
