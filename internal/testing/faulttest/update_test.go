package faulttest_test

import (
	"strings"
	"testing"
	"time"

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
			says: []string{"was updated but does not run", "The new specification is stored", "another controller has paused the rollout", "DOMAIN"}, then: "update " + address,
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
			b.checkConverges(t, of(2))
			b.checkNoSecrets(t, o.text())
		})
	}
}

// TestRolloutTimeout: the wait after an update times out because pods start
// late: the state equals Kuscia, and the next plan shows that the rollout is
// not complete until it is.
func TestRolloutTimeout(t *testing.T) {
	t.Parallel()
	b := newTestbed(t, slowStart())
	of := func(replicas int, wait bool, timeout string) configuration {
		return configuration{images: []imageSpec{{name: "app", tag: "1"}}, servings: []servingSpec{
			duo("one").with(func(s *servingSpec) { s.parties[0].replicas, s.noWait = replicas, !wait }),
		}, timeout: timeout}
	}
	for _, c := range []configuration{of(1, false, "1m"), of(1, true, "1m")} {
		if o := b.apply(t, c); !o.ok() {
			t.Fatal(o.text())
		}
		b.server.Advance(2 * time.Hour)
	}
	o := b.apply(t, of(2, true, "5s"))
	if o.ok() || !strings.Contains(o.text(), "was updated but does not run") || !strings.Contains(o.text(), "DESIRED") {
		t.Errorf("%s", o.text())
	}
	for _, want := range []string{"update kuscia_serving.one", ""} {
		if next, _ := b.terraform.plan(of(2, true, "5s").resources()...); !next.ok() || next.changes() != want {
			t.Errorf("the next plan is to %q, want %q", next.changes(), want)
		}
		b.server.Advance(2 * time.Hour)
		b.waitRunning(t)
	}
}
