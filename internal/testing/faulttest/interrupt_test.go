package faulttest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
)

// slowStart is a sandbox whose pods start later than any wait.
func slowStart() sandbox.Options {
	timing := sandbox.QuickTiming()
	timing.Start = time.Hour
	return sandbox.Options{Timing: timing}
}

// startPods makes the pods of such a sandbox start, until the test ends.
func (b *testbed) startPods(t *testing.T) {
	t.Helper()
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		ticker := time.NewTicker(20 * time.Millisecond)
		defer ticker.Stop()
		for {
			select {
			case <-stop:
				return
			case <-ticker.C:
				b.server.Advance(time.Hour)
			}
		}
	}()
	t.Cleanup(func() { close(stop); <-stopped })
}

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

func statusPath() string { return "/api/v1/serving/status/batchQuery" }

// TestInterrupt presses Ctrl-C at every stage: the apply ends soon, the error
// describes the state, and the next apply continues.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	before := configuration{images: []imageSpec{{name: "app", tag: "1"}}, servings: []servingSpec{duo("one")}}
	updated := before
	updated.servings = []servingSpec{before.servings[0].with(func(s *servingSpec) { s.parties[0].replicas = 2 })}
	polled := func(b *testbed) func() bool { return func() bool { return b.server.Count(statusPath()) >= 2 } }
	asked := func(path string) func(b *testbed) func() bool {
		return func(b *testbed) func() bool { return func() bool { return b.server.Count("/api/v1/"+path) >= 1 } }
	}
	hang := func(path string, after bool) *sandbox.Fault {
		return &sandbox.Fault{Kind: sandbox.FaultTimeout, Path: path, AfterEffect: after}
	}

	for name, test := range map[string]struct {
		initial *configuration
		desired configuration
		fault   *sandbox.Fault
		when    func(b *testbed) func() bool
		// says is the expected text of the error.
		says string
		// then are the changes of the next plan.
		then string
	}{
		"create wait":         {desired: before, when: polled, says: "was cancelled after", then: "replace kuscia_serving.one"},
		"create with effect":  {desired: before, fault: hang("serving/create", true), when: asked("serving/create"), says: "marked as tainted", then: "replace kuscia_serving.one"},
		"create not answered": {desired: before, fault: hang("serving/create", false), when: asked("serving/create"), says: "", then: ""},
		"update wait":         {initial: &before, desired: updated, when: polled, says: "was cancelled after", then: ""},
		"update with effect":  {initial: &before, desired: updated, fault: hang("serving/update", true), when: asked("serving/update"), says: "stopped", then: ""},
		"update not answered": {initial: &before, desired: updated, fault: hang("serving/update", false), when: asked("serving/update"), says: "stopped", then: "update kuscia_serving.one"},
		"delete with effect":  {initial: &before, desired: configuration{images: before.images}, fault: hang("serving/delete", true), when: asked("serving/delete"), says: "stopped", then: ""},
		"delete not answered": {initial: &before, desired: configuration{images: before.images}, fault: hang("serving/delete", false), when: asked("serving/delete"), says: "stopped", then: "delete kuscia_serving.one"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newTestbed(t, slowStart())
			if test.initial != nil {
				noWait := *test.initial
				noWait.servings = []servingSpec{noWait.servings[0].with(func(s *servingSpec) { s.noWait = true })}
				for _, c := range []configuration{noWait, *test.initial} { // the second only enables the wait
					if o := b.apply(t, c.within("1m")); !o.ok() {
						t.Fatal(o.text())
					}
					b.server.Advance(2 * time.Hour)
				}
				b.server.ResetRequests()
			}
			if test.fault != nil {
				b.server.Inject(*test.fault)
			}
			end := b.terraform.stopWhen(test.when(b))
			began := time.Now()
			o := b.apply(t, test.desired.within("1m"))
			end()
			if o.ok() || !strings.Contains(o.text(), test.says) {
				t.Errorf("the error does not contain %q: %s", test.says, o.text())
			}
			if took := time.Since(began); took > 30*time.Second {
				t.Errorf("the apply continued for %s", took)
			}
			b.server.ClearFaults()
			b.startPods(t)
			b.waitRunning(t)
			if test.then != "" {
				if o, _ := b.terraform.plan(test.desired.within("1m").resources()...); o.changes() != test.then {
					t.Errorf("the next plan is to %q, want %q", o.changes(), test.then)
				}
			}
			b.checkConverges(t, test.desired)
			b.checkNoSecrets(t, o.text())
			if t.Failed() {
				t.Log(o.text())
			}
		})
	}
}

// TestReplaceSameID replaces a serving with the same id while Kuscia is still
// removing the old Deployments; if all parties have roles, Kuscia adopts them
// instead of refusing.
func TestReplaceSameID(t *testing.T) {
	t.Parallel()
	for name, roles := range map[string][2][2]string{
		"without roles": {{"", ""}, {"", ""}},
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
				of := func(i int, prefix string) configuration {
					c := configuration{images: []imageSpec{{name: "app", tag: "1"}}, servings: []servingSpec{duo("one").with(func(s *servingSpec) {
						s.parties[0].role, s.parties[1].role, s.parties[0].prefix = roles[i][0], roles[i][1], prefix
					})}}
					return c
				}
				b.checkConverges(t, of(0, "first"))
				b.checkConverges(t, of(1, "second"))
				if image, err := b.server.DeployedImage("one", "alice", roles[1][0]); err != nil || image != "example/app:1" {
					t.Errorf("after the replacement alice runs %q, %v", image, err)
				}
				b.checkConverges(t, configuration{})
			})
		}
	}
}
