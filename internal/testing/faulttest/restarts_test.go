package faulttest_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/short"
)

// series is a random history of a control plane that lags and stops, and of applies that are interrupted.
type series struct {
	*testbed

	random  *rand.Rand
	desired configuration
	// interrupted is set when the apply is stopped.
	interrupted atomic.Bool
	// log has the events, for failure messages.
	log []string
}

func (s *series) note(format string, args ...any) {
	s.log = append(s.log, fmt.Sprintf(format, args...))
}

// upTo is a random duration.
func (s *series) upTo(most time.Duration) time.Duration {
	return time.Duration(s.random.Int64N(int64(most)))
}

// edit changes a serving.
func (s *series) edit(i int, change func(*servingSpec)) {
	s.desired.servings = slices.Clone(s.desired.servings)
	s.desired.servings[i] = s.desired.servings[i].with(change)
	s.note("serving %d: %+v, images %+v", i, s.desired.servings[i], s.desired.images)
}

// editRandomly makes a random change of the configuration.
func (s *series) editRandomly() {
	s.desired.images = slices.Clone(s.desired.images)
	party := s.random.IntN(2)
	s.edit(s.random.IntN(len(s.desired.servings)), func(serving *servingSpec) {
		p := &serving.parties[party]
		switch s.random.IntN(5) {
		case 0:
			serving.model += "x"
		case 1:
			p.replicas = 1 + s.random.IntN(3)
		case 2:
			p.cpu = fmt.Sprintf("%dm", 100+s.random.IntN(400))
		case 3:
			p.image = []string{"app", "two", "three"}[s.random.IntN(3)]
		case 4:
			s.desired.images[s.random.IntN(3)].tag = fmt.Sprint(s.random.IntN(1000)) // a change of the first rolls servings with a trigger
		}
	})
}

// during does something at a random time for a random time; end awaits it.
func (s *series) during(begin, finish func()) (end func()) {
	after, away := s.upTo(2*time.Second), s.upTo(8*time.Second)
	s.note("after %s for %s", after, away)
	done := make(chan struct{})
	go func() {
		defer close(done)
		time.Sleep(after)
		begin()
		time.Sleep(away)
		finish()
	}()
	return func() { <-done }
}

// failing injects a fault into all requests for a time.
func (s *series) failing(f sandbox.Fault) (end func()) {
	f.Times = sandbox.Always
	return s.during(func() { s.server.ClearFaults(); s.server.Inject(f) }, s.server.ClearFaults)
}

// stopSoon presses Ctrl-C at a random time, unless the apply ends before.
func (s *series) stopSoon() (end func()) {
	timer := time.AfterFunc(s.upTo(3*time.Second), func() {
		s.interrupted.Store(true)
		s.terraform.stop()
	})
	return func() { timer.Stop() }
}

// events are events during an apply; each returns a function that ends it.
var events = map[string]func(s *series, t *testing.T) (end func()){
	"nothing": func(*series, *testing.T) func() { return func() {} },
	"restart": func(s *series, t *testing.T) func() {
		return s.during(func() { must(s.server.Pause()) }, func() { must(s.server.Resume(t.Context())) })
	},
	"API server": func(s *series, _ *testing.T) func() {
		return s.failing(sandbox.Fault{Kind: sandbox.FaultCode, Message: `Get "https://127.0.0.1:6443/apis": dial tcp 127.0.0.1:6443: connect: connection refused`})
	},
	"token": func(s *series, _ *testing.T) func() {
		return s.failing(sandbox.Fault{Kind: sandbox.FaultUnauthorized})
	},
	"clock": func(s *series, _ *testing.T) func() {
		return s.during(func() { s.server.Advance(time.Hour) }, func() { s.server.Advance(time.Minute) })
	},
	"Ctrl-C": func(s *series, _ *testing.T) func() { return s.stopSoon() },
	"killed": func(s *series, _ *testing.T) func() {
		before, stop := maps.Clone(s.terraform.state), s.stopSoon()
		return func() { stop(); s.terraform.state = before }
	},
}

// notRunning are the servings whose pods are not as configured, except those with a warning of it.
func (s *series) notRunning(o *outcome) (problems []string) {
	for _, serving := range s.desired.servings {
		told := slices.ContainsFunc(o.warnings, func(p problem) bool {
			return p.address == servingAddress(serving.id) &&
				(strings.Contains(p.summary, "may have another image") || strings.Contains(p.summary, "was not observed to start"))
		})
		if told {
			continue
		}
		if err := s.server.PodsRun(serving.id); err != nil {
			problems = append(problems, err.Error())
		}
	}
	return problems
}

// TestRestarts: with any combination of lag, outages and interrupts, a
// successful apply means that the new pods run, an empty plan means that the
// servings run, and nothing is lost.
func TestRestarts(t *testing.T) {
	t.Parallel()
	for range short.Count(2, 12) {
		seed := rand.Uint64N(1_000_000)
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			timing := sandbox.QuickTiming()
			timing.Start = 700 * time.Millisecond
			s := &series{testbed: newTestbed(t, sandbox.Options{Timing: timing, Seed: seed}), random: rand.New(rand.NewPCG(7, seed))}
			s.desired = configuration{
				images:   []imageSpec{{name: "app", tag: "1"}, {name: "two", tag: "1"}, {name: "three", tag: "3"}},
				servings: []servingSpec{duo("one").with(func(s *servingSpec) { s.redeploys = true }), duo("two")}, timeout: "20s",
			}
			s.checkConverges(t, s.desired)
			for range 3 {
				if s.step(t); t.Failed() {
					t.Fatal(strings.Join(s.log, "\n"))
				}
			}
			// All pods change: where the server already has what an apply updates, because the one before was
			// killed, no rollout starts, and the apply waits for servingstatus.StartTimeout.
			for i := range s.desired.servings {
				s.edit(i, func(serving *servingSpec) { serving.model += "-last" })
			}
			s.checkConverges(t, s.desired)
			if t.Failed() {
				t.Log(strings.Join(s.log, "\n"))
			}
		})
	}
}

// step applies a change during an event, and checks the apply and the next plan.
func (s *series) step(t *testing.T) {
	t.Helper()
	for range 1 + s.random.IntN(2) {
		s.editRandomly()
	}
	if s.random.IntN(2) == 0 {
		delay := s.upTo(4 * time.Second)
		s.note("the controllers lag by %s", delay)
		s.server.Inject(sandbox.Fault{Kind: sandbox.FaultLag, Delay: delay, Times: sandbox.Always})
	}
	names := slices.Sorted(maps.Keys(events))
	name := names[s.random.IntN(len(names))]
	s.note("apply: %s", name)
	s.interrupted.Store(false)
	end := events[name](s, t)
	s.desired.timeout = fmt.Sprintf("%ds", 4+s.random.IntN(16))
	o := s.apply(t, s.desired)
	if o.ok() && !s.interrupted.Load() {
		for _, problem := range s.notRunning(o) {
			t.Errorf("the apply succeeded although %s\n%s", problem, o.text())
		}
	}
	end()
	s.note("%v: %s", o.ok(), o.text())
	next, _ := s.terraform.plan(s.desired.resources()...)
	s.note("the next plan: %s", next.changes())
	if !next.ok() {
		t.Errorf("the next plan fails: %s", next.text())
	}
	if next.changes() == "" {
		for _, problem := range s.notRunning(next) {
			t.Errorf("the next plan is empty although %s", problem)
		}
	}
	s.server.ClearFaults()
}
