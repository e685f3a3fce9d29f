package faulttest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// stop is something of a control plane that stops during an apply, for a time.
type stop struct {
	begin, end func(t *testing.T)
	// says is in each error of the apply; "" if none may fail.
	says string
}

// stoppedApply is an apply during which something stops, on any server.
type stoppedApply struct {
	stop
	lasts     time.Duration
	terraform *terraform
	desired   []resource
	// updates is set if all desired resources are in the state.
	updates bool
	// writes is the number of objects that have been written, and after how many of them
	// something stops.
	writes func() int
	after  int
	// exists reports whether the object of a resource exists.
	exists func(address string) bool
	// notRunning is why an object is not as desired, or does not run.
	notRunning func(address string) error
	// converge applies again, and checks the result.
	converge func()
}

// run applies while something stops. Nothing is lost, an apply that succeeds has seen the
// new pods run, each resource has at most one error, which names the cause, and the next
// apply continues.
func (a stoppedApply) run(t *testing.T) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		a.awaitWrites(t)
		a.begin(t)
		time.Sleep(a.lasts)
		a.end(t)
	}()
	o := a.terraform.applyChecked(t, a.desired)
	<-done
	a.check(t, o)
	next, _ := a.terraform.plan(a.desired...)
	if !next.ok() || a.updates && strings.Contains(next.changes(), actionReplace) {
		t.Errorf("the next plan: %s\n%s", next.changes(), next.text())
	}
	a.converge()
	if t.Failed() {
		t.Logf("the apply printed:\n%s", o.text())
	}
}

// awaitWrites waits until enough objects are written.
func (a stoppedApply) awaitWrites(t *testing.T) {
	t.Helper()
	for began := time.Now(); time.Since(began) < time.Minute; time.Sleep(5 * time.Millisecond) {
		if a.writes() >= a.after {
			return
		}
	}
	t.Error("there were too few writes")
}

// check checks the apply.
func (a stoppedApply) check(t *testing.T, o *outcome) {
	t.Helper()
	failed := map[string]bool{}
	for _, p := range o.errors {
		if failed[p.address] {
			t.Errorf("%s has two errors: %s", p.address, o.text())
		}
		failed[p.address] = true
		if a.says == "" || !strings.Contains(p.summary+p.detail, a.says) {
			t.Errorf("the error does not say %q: %s: %s: %s", a.says, p.address, p.summary, p.detail)
		}
	}
	// skipped reports whether the apply did not come to a resource.
	skipped := func(r resource) bool {
		return slices.ContainsFunc(r.after, func(address string) bool { return failed[address] })
	}
	unseen := func(address string) bool {
		return slices.ContainsFunc(o.warnings, func(p problem) bool {
			return p.address == address && strings.Contains(p.summary, "was not observed to start")
		})
	}
	for _, r := range a.desired {
		if err := a.notRunning(r.address); err != nil && !failed[r.address] && !skipped(r) && !unseen(r.address) {
			t.Errorf("%s has no error although %v", r.address, err)
		}
		if a.terraform.state[r.address] == nil && a.exists(r.address) {
			t.Errorf("%s exists and is not in the state", r.address)
		}
	}
	for address := range a.terraform.state {
		if !failed[address] && !a.exists(address) {
			t.Errorf("%s is in the state and does not exist", address)
		}
	}
	t.Logf("%d errors of %d changes", len(o.errors), len(o.actions))
}

// failing is a stop by a fault of all requests.
func failing(s *sandbox.Sandbox, says string, f sandbox.Fault) stop {
	f.Times = sandbox.Always
	return stop{
		begin: func(*testing.T) { s.Inject(f) },
		end:   func(*testing.T) { s.ClearFaults() },
		says:  says,
	}
}

// stops are the parts of a sandbox that can stop, by name.
var stops = map[string]func(s *sandbox.Sandbox) stop{
	"KusciaAPI": func(s *sandbox.Sandbox) stop {
		return stop{
			begin: func(*testing.T) { must(s.Pause()) },
			end:   func(t *testing.T) { must(s.Resume(t.Context())) },
			says:  "connection",
		}
	},
	"API server": func(s *sandbox.Sandbox) stop {
		return failing(s, "connection refused", sandbox.Fault{Kind: sandbox.FaultCode, Message: `Get "https://127.0.0.1:6443/apis": dial tcp 127.0.0.1:6443: connect: connection refused`})
	},
	// The controllers do nothing for what changes in the meantime, and no apply fails.
	"controllers": func(s *sandbox.Sandbox) stop {
		return failing(s, "", sandbox.Fault{Kind: sandbox.FaultLag, Delay: 10 * time.Second})
	},
	"token": func(s *sandbox.Sandbox) stop {
		return failing(s, "401", sandbox.Fault{Kind: sandbox.FaultUnauthorized})
	},
	"clock": func(s *sandbox.Sandbox) stop {
		return stop{begin: func(*testing.T) { s.Advance(time.Hour) }, end: func(*testing.T) { s.Advance(time.Minute) }}
	},
}

// stopTimes are the times that a restart takes.
var stopTimes = []time.Duration{4 * time.Second, 12 * time.Second, 25 * time.Second}

// TestStopped: during an apply of many servings a part of the control plane stops, for
// times that a restart takes.
func TestStopped(t *testing.T) {
	t.Parallel()
	const many = 60
	type row struct {
		stop    func(s *sandbox.Sandbox) stop
		lasts   time.Duration
		updates bool
	}
	rows := map[string]row{}
	for name, s := range stops {
		for _, lasts := range stopTimes {
			for _, updates := range []bool{false, true} {
				if testing.Short() && (updates || lasts > stopTimes[0]) {
					continue // updates whose start was not observed take 90 s
				}
				rows[fmt.Sprintf("%s for %s, update %t", name, lasts, updates)] = row{s, lasts, updates}
			}
		}
	}
	for name, test := range acctest.Sample(t, 2, rows) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			timing := sandbox.QuickTiming()
			timing.Start = 700 * time.Millisecond
			b := newTestbed(t, sandbox.Options{Timing: timing})
			desired := manyOf(many, "a")
			if test.updates {
				b.checkConverges(t, desired)
				desired = manyOf(many, "b")
			}
			b.compareChanges(t, desired)
			b.server.ResetRequests()
			stoppedApply{
				stop: test.stop(b.server), lasts: test.lasts, updates: test.updates,
				terraform: b.terraform, desired: desired.resources(), writes: b.servingWrites, after: 10,
				exists: func(address string) bool { return exists(b.server, address) },
				notRunning: func(address string) error {
					if id, is := strings.CutPrefix(address, servingAddress("")); is {
						return b.server.PodsRun(id)
					}
					return nil
				},
				converge: func() { b.checkConverges(t, desired) },
			}.run(t)
		})
	}
}

// servingWrites counts the creates and updates of servings.
func (b *testbed) servingWrites() (count int) {
	for _, r := range b.server.Requests() {
		if op := operationOf(r); op == "serving/create" || op == "serving/update" {
			count++
		}
	}
	return count
}

// manyOf is a configuration of servings with a model. Where a client comes to look at a serving
// only every 10 s, a start that it misses is waited for as after an outage, again and again.
func manyOf(count int, model string) configuration {
	c := configuration{images: []imageSpec{{name: "app", tag: "1"}}, timeout: "8m"}
	for i := range count {
		c.servings = append(c.servings, solo(fmt.Sprintf("s-%02d", i), "app").with(func(s *servingSpec) { s.model = model }))
	}
	return c
}

// TestAppImageChangedAfterPlan: between the plan and the apply another client changes the app
// image of a serving. The apply refuses what can never run, and another image than the planned
// one, and otherwise ends when the pods run as the app image is now.
func TestAppImageChangedAfterPlan(t *testing.T) {
	t.Parallel()
	image := func(change func(*kuscia.AppImage)) kuscia.AppImage {
		i := kuscia.AppImage{
			Name: "other", Image: kuscia.AppImageInfo{Name: "example/app", Tag: "1"},
			DeployTemplates: []kuscia.DeployTemplate{{Name: "app", Replicas: 1, Containers: []kuscia.Container{{Name: "main", Ports: []kuscia.ContainerPort{{Name: "service", Scope: "Domain"}}}}}},
		}
		if change != nil {
			change(&i)
		}
		return i
	}
	for name, test := range map[string]struct {
		change  func(i *kuscia.AppImage)
		deleted bool
		updates bool
		says    string // in the error; "" for an apply that succeeds
	}{
		"tag, create":     {change: func(i *kuscia.AppImage) { i.Image.Tag = "9" }},
		"tag, update":     {change: func(i *kuscia.AppImage) { i.Image.Tag = "9" }, updates: true, says: "App image was changed after the plan"},
		"deleted, create": {deleted: true, says: "other"},
		"deleted, update": {deleted: true, updates: true, says: "other"},
		"role, create":    {change: func(i *kuscia.AppImage) { i.DeployTemplates[0].Role = "server" }},
		"role, update":    {change: func(i *kuscia.AppImage) { i.DeployTemplates[0].Role = "server" }, updates: true},
		"port, create":    {change: func(i *kuscia.AppImage) { i.DeployTemplates[0].Containers[0].Ports[0].Name = "new" }},
		"port, update":    {change: func(i *kuscia.AppImage) { i.DeployTemplates[0].Containers[0].Ports[0].Name = "new" }, updates: true, says: "port"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			timing := sandbox.QuickTiming()
			timing.Start = 700 * time.Millisecond
			b := newTestbed(t, sandbox.Options{Timing: timing})
			must(b.server.PutAppImage(image(nil)))
			desired := configuration{servings: []servingSpec{solo("s", "other")}, timeout: "20s"}
			if test.updates {
				if o := b.apply(t, desired); !o.ok() {
					t.Fatal(o.text())
				}
				desired.servings = []servingSpec{solo("s", "other").with(func(s *servingSpec) { s.model = "b" })}
			}
			b.compareChanges(t, desired)
			o, changes := b.terraform.plan(desired.resources()...)
			if !o.ok() {
				t.Fatal(o.text())
			}
			// The other client.
			if test.deleted {
				must(b.server.RemoveAppImage("other"))
			} else {
				must(b.server.PutAppImage(image(test.change)))
			}
			b.terraform.applyPlan(o, changes)
			switch err := b.server.PodsRun("s"); {
			case test.says == "" && (!o.ok() || err != nil):
				t.Errorf("%v\n%s", err, o.text())
			case test.says != "" && (len(o.errors) != 1 || !strings.Contains(o.text(), test.says)):
				t.Errorf("the errors are\n%s", o.text())
			case test.says != "" && !test.updates && (b.terraform.state[servingAddress("s")] != nil || exists(b.server, servingAddress("s"))):
				t.Error("the serving was created")
			}
			must(b.server.PutAppImage(image(nil)))
			if o := b.apply(t, desired.within("3m")); !o.ok() { // a start that is not observed takes 90 s
				t.Errorf("the next apply: %s", o.text())
			} else if err := b.server.PodsRun("s"); err != nil && test.says != "" { // a change of the app image alone reaches no pods
				t.Error(err)
			}
		})
	}
}
