package faulttest_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// TestChangedByOthers: another client changes or deletes an object between a plan and its
// apply. The apply does what was planned or reports the conflict, and the next apply converges.
func TestChangedByOthers(t *testing.T) {
	t.Parallel()
	for _, kind := range kindsOf("") {
		for _, change := range []string{"update ", "delete "} {
			for what, write := range map[string]func(objectKind) externalWrite{
				"changed": func(k objectKind) externalWrite { return k.edit }, "deleted": func(k objectKind) externalWrite { return k.remove },
			} {
				if write(kind) == nil {
					continue
				}
				t.Run(fmt.Sprint(change, kind.plural, " ", what), func(t *testing.T) {
					t.Parallel()
					testCase := scenarios[change+kind.plural](1)
					b, c := newTestbedOf(t, testCase, 0), testCase.desired.within("1m")
					o, changes := b.terraform.plan(c.resources()...)
					if !o.ok() {
						t.Fatal(o.text())
					}
					if err := write(kind)(t.Context(), newClient(t, b.server), objectSpec{kind, objectNames[0], 1}); err != nil && !errors.Is(err, kuscia.ErrNotFound) {
						t.Fatal(err)
					}
					b.compareChanges(t, c)
					b.terraform.applyPlan(o, changes)
					o.checkErrors(t)
					b.checkConverges(t, c)
				})
			}
		}
	}
}
