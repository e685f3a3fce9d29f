package faulttest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// waitRunning waits until the pods of the serving run, if there is one.
func (b *testbed) waitRunning(t *testing.T) {
	t.Helper()
	const id = "one"
	for end := time.Now().Add(time.Minute); b.server.ServingExists(id); time.Sleep(20 * time.Millisecond) {
		err := b.server.PodsRun(id)
		if err == nil {
			return
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
}

// What a user changes in the tests of servings that do not get there, and a hanging request.
var (
	onlyImage = configuration{images: []imageSpec{{name: "app", tag: "1"}}}
	before    = configuration{images: onlyImage.images, servings: []servingSpec{duo("one")}}
	scaled    = configuration{images: onlyImage.images, servings: []servingSpec{duo("one").with(func(s *servingSpec) { s.parties[0].replicas = 2 })}}
	reworded  = configuration{images: onlyImage.images, servings: []servingSpec{scaled.servings[0].with(func(s *servingSpec) { s.model = "b" })}}
)

func hang(path string, afterEffect bool) sandbox.Fault {
	return sandbox.Fault{Kind: sandbox.FaultTimeout, Path: path, AfterEffect: afterEffect}
}

// slowStart is how long pods take to start where an apply is interrupted in its wait.
const slowStart = 4 * time.Second

// TestNextPlan: what an apply that fails or is interrupted says, and what the next plan changes.
func TestNextPlan(t *testing.T) {
	t.Parallel()
	const one, none, canceled = " kuscia_serving.one", "none", "was canceled after"
	for name, test := range map[string]struct {
		initial, desired configuration
		fault            sandbox.Fault
		// stopAt is the request that Ctrl-C follows, "" for none.
		stopAt string
		during func(b *testbed)
		says   []string
		// then are the changes of the next plan, and later those when the pods run; "" is any.
		then, later string
	}{
		"create wait":         {desired: before, stopAt: "serving/status/batchQuery", says: []string{canceled}, later: "replace" + one},
		"create with effect":  {desired: before, stopAt: "serving/create", fault: hang("serving/create", true), says: []string{"marked as tainted"}, later: "replace" + one},
		"create not answered": {desired: before, stopAt: "serving/create", fault: hang("serving/create", false)},
		"update wait":         {initial: before, desired: scaled, stopAt: "serving/status/batchQuery", says: []string{canceled}, later: none},
		"update with effect":  {initial: before, desired: scaled, stopAt: "serving/update", fault: hang("serving/update", true), says: []string{"stopped"}},
		"update not answered": {initial: before, desired: scaled, stopAt: "serving/update", fault: hang("serving/update", false), says: []string{"stopped"}, later: "update" + one},
		"delete with effect":  {initial: before, desired: onlyImage, stopAt: "serving/delete", fault: hang("serving/delete", true), says: []string{"stopped"}},
		"delete not answered": {initial: before, desired: onlyImage, stopAt: "serving/delete", fault: hang("serving/delete", false), says: []string{"stopped"}, later: "delete" + one},

		"refused": {
			initial: before, desired: reworded, fault: sandbox.Fault{Kind: sandbox.FaultCode, Path: "serving/update", Code: 11603, Message: "no room for it"},
			says: []string{"Unable to update serving", `"one"`, "11603", "no room for it"}, then: "update" + one,
		},
		// The new pods look like the old ones, and their start was not observed.
		"done and reported as failed": {
			initial: before, desired: reworded, fault: sandbox.Fault{Kind: sandbox.FaultCode, Path: "serving/update", AfterEffect: true, Code: 11603, Message: "something after it"},
			says: []string{"Unable to update serving", `"one"`}, then: "update" + one,
		},
		"stored and not rolled out": {
			initial: before, desired: reworded.within("4s"), during: func(b *testbed) { must(b.server.PauseRollout("one", true)) },
			says: []string{"was updated but does not run", "The new specification is stored", "another controller has paused the rollout", "DOMAIN", "DESIRED"}, then: "update" + one, later: none,
		},
		"changed by another writer": {
			initial: before, desired: reworded.within("4s"), then: "update" + one, during: func(b *testbed) {
				b.terraform.log.watch(func(line string) {
					// The response to the update has arrived, and the wait has not started yet.
					if strings.Contains(line, `"KusciaAPI call"`) && strings.Contains(line, `"operation":"serving/update"`) {
						must(b.server.MutateServing("one", func(s *sandbox.ServingSpec) { four := int32(4); s.Parties[1].Replicas = &four }))
					}
				})
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			start, end := time.Duration(0), func() {}
			if test.stopAt == "serving/status/batchQuery" {
				start = slowStart
			}
			b := newTestbedOf(t, scenario{initial: test.initial, desired: test.desired}, start)
			if test.fault.Kind != "" {
				b.server.Inject(test.fault)
			}
			if test.during != nil {
				test.during(b)
			}
			if test.stopAt != "" {
				end = b.terraform.stopWhen(func() bool { return b.server.Count("/api/v1/"+test.stopAt) > 0 })
			}
			if test.desired.timeout == "" {
				test.desired.timeout = "1m"
			}
			began := time.Now()
			o := b.apply(t, test.desired)
			end()
			b.terraform.log.watch(nil)
			if took := time.Since(began); o.ok() || took > 30*time.Second {
				t.Errorf("the apply ended after %s: %s", took, o.text())
			}
			protocol.Says(t, "the error", o.text(), test.says...)
			b.server.ClearFaults()
			expect := func(when, want string) {
				t.Helper()
				if next, _ := b.terraform.plan(test.desired.resources()...); want != "" && (!next.ok() || next.changes() != strings.TrimPrefix(want, none)) {
					t.Errorf("%s, the next plan is to %q, want %q: %s", when, next.changes(), want, next.text())
				}
			}
			expect("at once", test.then)
			_ = b.server.PauseRollout("one", false)
			b.waitRunning(t)
			expect("when the pods run", test.later)
			b.checkConverges(t, test.desired)
			b.checkNoSecrets(t, o.text())
		})
	}
}

// TestReplaceSameID replaces a serving with the same id while Kuscia is still
// removing the old Deployments; if all parties have roles, Kuscia adopts them
// instead of refusing.
func TestReplaceSameID(t *testing.T) {
	t.Parallel()
	for name, roles := range map[string][2][2]string{
		"without roles": {},
		"with roles":    {{"host", "guest"}, {"host", "guest"}},
		"roles swapped": {{"host", "guest"}, {"guest", "host"}},
		"roles dropped": {{"host", "guest"}, {"", ""}},
	} {
		for _, adopts := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				timing := sandbox.QuickTiming()
				timing.Cleanup = 700 * time.Millisecond
				b := newTestbed(t, sandbox.Options{Timing: timing, AdoptLeftovers: adopts})
				for i, prefix := range []string{"first", "second"} {
					b.checkConverges(t, configuration{images: onlyImage.images, servings: []servingSpec{duo("one").with(func(s *servingSpec) {
						s.parties[0].role, s.parties[1].role, s.parties[0].prefix = roles[i][0], roles[i][1], prefix
					})}})
				}
				if image, err := b.server.DeployedImage("one", "alice", roles[1][0]); err != nil || image != "example/app:1" {
					t.Errorf("after the replacement alice runs %q, %v", image, err)
				}
				b.checkConverges(t, configuration{})
			})
		}
	}
}
