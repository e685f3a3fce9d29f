package faulttest_test

import (
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
)

// TestFailedUpdate makes updates fail in every way, and checks the next plan.
func TestFailedUpdate(t *testing.T) {
	t.Parallel()
	const address = "kuscia_serving.one"
	of := func(replicas int) configuration {
		return configuration{images: []imageSpec{{name: "app", tag: "1"}}, servings: []servingSpec{
			duo("one").with(func(s *servingSpec) { s.parties[0].replicas, s.model = replicas, string(rune('a'+replicas)) }),
		}, timeout: "4s"}
	}
	for name, test := range map[string]struct {
		fail func(b *testbed)
		says []string
		// then are the changes of the next plan, before anything else.
		then string
		// heals is set if the next plan is empty as soon as the pods run.
		heals bool
	}{
		"refused": {
			fail: func(b *testbed) {
				b.server.Inject(sandbox.Fault{Kind: sandbox.FaultCode, Path: "serving/update", Code: 11603, Message: "no room for it"})
			},
			says: []string{"Unable to update serving", `"one"`, "11603", "no room for it"}, then: "update " + address,
		},
		"done and reported as failed": {
			fail: func(b *testbed) {
				b.server.Inject(sandbox.Fault{Kind: sandbox.FaultCode, Path: "serving/update", AfterEffect: true, Code: 11603, Message: "something after it"})
			},
			says: []string{"Unable to update serving", `"one"`}, then: "update " + address, // the new pods look like the old ones, and their start was not observed
		},
		"stored and not rolled out": {
			fail: func(b *testbed) { must(b.server.PauseRollout("one", true)) },
			says: []string{"was updated but does not run", "The new specification is stored", "another controller has paused the rollout", "DOMAIN", "DESIRED"}, then: "update " + address, heals: true,
		},
		"changed by another writer": {
			fail: func(b *testbed) {
				b.terraform.log.watch(func(line string) {
					// The response to the update has arrived, and the wait has
					// not started yet.
					if strings.Contains(line, `"KusciaAPI call"`) && strings.Contains(line, `"operation":"serving/update"`) {
						must(b.server.MutateServing("one", func(s *sandbox.ServingSpec) { four := int32(4); s.Parties[1].Replicas = &four }))
					}
				})
			},
			says: nil, then: "update " + address,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newTestbed(t, sandbox.Options{})
			b.checkConverges(t, of(1))
			if o := b.apply(t, of(1)); !o.ok() { // restore the short time limit
				t.Fatal(o.text())
			}
			test.fail(b)
			b.terraform.done = nil
			o := b.terraform.apply(of(2).resources()...)
			b.terraform.log.watch(nil)
			if o.ok() {
				t.Error("the update was reported as done")
			}
			for _, want := range test.says {
				if !strings.Contains(o.text(), want) {
					t.Errorf("the error does not contain %q:\n%s", want, o.text())
				}
			}
			if object := b.terraform.state[address]; object == nil || object.tainted {
				t.Error("the serving is not in the state, or tainted")
			}
			b.server.ClearFaults()
			if next, _ := b.terraform.plan(of(2).resources()...); !next.ok() || next.changes() != test.then {
				t.Errorf("the next plan is to %q, want %q: %s", next.changes(), test.then, next.text())
			}
			_ = b.server.PauseRollout("one", false)
			if test.heals {
				b.waitRunning(t)
				if next, _ := b.terraform.plan(of(2).resources()...); !next.ok() || next.changes() != "" {
					t.Errorf("when the pods run, the next plan is to %q: %s", next.changes(), next.text())
				}
			}
			b.checkConverges(t, of(2))
			b.checkNoSecrets(t, o.text())
		})
	}
}
