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
	begin, end func(t *testing.T, s *sandbox.Sandbox)
	// says is in each error of the apply.
	says string
}

// failing is a stop by a fault of all requests.
func failing(says string, f sandbox.Fault) stop {
	f.Times = sandbox.Always
	return stop{
		begin: func(_ *testing.T, s *sandbox.Sandbox) { s.Inject(f) },
		end:   func(_ *testing.T, s *sandbox.Sandbox) { s.ClearFaults() },
		says:  says,
	}
}

// stops are the parts that can stop, by name.
var stops = map[string]stop{
	"KusciaAPI": {
		begin: func(_ *testing.T, s *sandbox.Sandbox) { must(s.Pause()) },
		end:   func(t *testing.T, s *sandbox.Sandbox) { must(s.Resume(t.Context())) },
		says:  "connection",
	},
	"API server": failing("connection refused", sandbox.Fault{Kind: sandbox.FaultCode, Message: `Get "https://127.0.0.1:6443/apis": dial tcp 127.0.0.1:6443: connect: connection refused`}),
	// The controllers do nothing for what changes in the meantime, and no apply fails.
	"controllers": failing("", sandbox.Fault{Kind: sandbox.FaultLag, Delay: 10 * time.Second}),
	"token":       failing("401", sandbox.Fault{Kind: sandbox.FaultUnauthorized}),
	"clock": {
		begin: func(_ *testing.T, s *sandbox.Sandbox) { s.Advance(time.Hour) },
		end:   func(_ *testing.T, s *sandbox.Sandbox) { s.Advance(time.Minute) },
	},
}

// manyServings is the number of servings of an apply during which something stops.
const manyServings = 60

// TestStopped: during an apply of many servings a part of the control plane stops, for
// times that a restart takes. Nothing is lost, an apply that succeeds has seen the new pods
// run, each resource has at most one error, which names the cause, and the next apply
// continues.
func TestStopped(t *testing.T) {
	t.Parallel()
	type row struct {
		stop
		lasts   time.Duration
		updates bool
	}
	rows := map[string]row{}
	for name, s := range stops {
		for _, lasts := range []time.Duration{4 * time.Second, 12 * time.Second, 25 * time.Second} {
			for _, updates := range []bool{false, true} {
				if testing.Short() && (updates || lasts > 4*time.Second) {
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
			desired := manyOf(manyServings, "a")
			if test.updates {
				b.checkConverges(t, desired)
				desired = manyOf(manyServings, "b")
			}
			done := make(chan struct{})
			go func() {
				defer close(done)
				b.awaitWrites(t, 10)
				test.begin(t, b.server)
				time.Sleep(test.lasts)
				test.end(t, b.server)
			}()
			b.server.ResetRequests()
			o := b.apply(t, desired)
			<-done
			checkStopped(t, b, o, desired, test.says)
			next, _ := b.terraform.plan(desired.resources()...)
			if !next.ok() || test.updates && strings.Contains(next.changes(), actionReplace) {
				t.Errorf("the next plan: %s\n%s", next.changes(), next.text())
			}
			b.checkConverges(t, desired)
		})
	}
}

// awaitWrites waits until servings have been created or updated.
func (b *testbed) awaitWrites(t *testing.T, count int) {
	t.Helper()
	for began := time.Now(); time.Since(began) < time.Minute; time.Sleep(5 * time.Millisecond) {
		writes := 0
		for _, r := range b.server.Requests() {
			if op := operationOf(r); op == "serving/create" || op == "serving/update" {
				writes++
			}
		}
		if writes >= count {
			return
		}
	}
	t.Error("there were too few writes")
}

// manyOf is a configuration of servings with a model.
func manyOf(count int, model string) configuration {
	c := configuration{images: []imageSpec{{name: "app", tag: "1"}}, timeout: "3m"}
	for i := range count {
		c.servings = append(c.servings, solo(fmt.Sprintf("s-%02d", i), "app").with(func(s *servingSpec) { s.model = model }))
	}
	return c
}

// checkStopped checks an apply during which something stopped.
func checkStopped(t *testing.T, b *testbed, o *outcome, desired configuration, says string) {
	t.Helper()
	failed := map[string]bool{}
	for _, p := range o.errors {
		if failed[p.address] {
			t.Errorf("%s has two errors: %s", p.address, o.text())
		}
		failed[p.address] = true
		if says == "" || !strings.Contains(p.summary+p.detail, says) {
			t.Errorf("the error does not say %q: %s: %s: %s", says, p.address, p.summary, p.detail)
		}
	}
	unseen := func(id string) bool {
		return slices.ContainsFunc(o.warnings, func(p problem) bool {
			return p.address == servingAddress(id) && strings.Contains(p.summary, "was not observed to start")
		})
	}
	for _, s := range desired.servings {
		address := servingAddress(s.id)
		if err := b.server.PodsRun(s.id); err != nil && !failed[address] && !unseen(s.id) && !failed[imageAddress("app")] {
			t.Errorf("%s has no error although %v", address, err)
		}
		if b.terraform.state[address] == nil && exists(b.server, address) {
			t.Errorf("%s exists and is not in the state", address)
		}
	}
	t.Logf("%d errors of %d servings", len(o.errors), len(desired.servings))
}

// TestAppImageChangedAfterPlan: between the plan and the apply another client changes the app
// image of a serving. The apply refuses what can never run, and otherwise ends when the pods
// run as the app image is now.
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
		"tag, update":     {change: func(i *kuscia.AppImage) { i.Image.Tag = "9" }, updates: true},
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
			if o := b.apply(t, desired); !o.ok() {
				t.Errorf("the next apply: %s", o.text())
			} else if err := b.server.PodsRun("s"); err != nil && test.says != "" { // a change of the app image alone reaches no pods
				t.Error(err)
			}
		})
	}
}
