package crud_test

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// waitForToken enables a wait after the create.
func waitForToken(s *crud.Spec[widget]) {
	s.Wait = &crud.Wait[widget]{
		Attribute: "wait_for_token", Default: true, Description: "Wait.", Timeouts: definition.Timeouts{Create: time.Minute},
		Done: func(w *widget) (bool, string) { return w.token != "", "no token" },
	}
}

// TestWait: the state is saved before the wait, attributes that the server sets
// later are read after it, and a timeout reports the last response.
func TestWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, false, waitForToken)
		b.server.tokenAfter = 10
		state := b.ApplyWithoutWarnings(t, b.configured(nil), b.None())
		if state.Text("token") != "token" {
			t.Errorf("the state is %s", state.Value)
		}
		// A change of attributes that exist in the state only sends no request.
		b.ApplyWithoutWarnings(t, b.configured(tree{"wait_for_token": false, "timeouts": tree{"create": "2m"}}), state)
		if b.server.updates > 0 {
			t.Errorf("%d updates", b.server.updates)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, false, waitForToken)
		b.server.tokenAfter = 1000
		state, said := b.Apply(t, b.configured(tree{"timeouts": tree{"create": "5s"}}), b.None())
		if state.Value.IsNull() || !strings.Contains(said, "was not seen to be ready. Last seen: no token.\n\nThe wait ended: the timeout has passed") {
			t.Errorf("state %s, diagnostics %s", state.Value, said)
		}
		state, said = b.Apply(t, b.configured(tree{"domain_id": "bob", "wait_for_token": false}), b.None())
		if state.Value.IsNull() || said != "" {
			t.Errorf("state %s, diagnostics %s", state.Value, said)
		}
	})
}

// TestWaitAfterUpdate: after an update whose object nobody has seen ready, each refresh
// says so until it is ready.
func TestWaitAfterUpdate(t *testing.T) {
	t.Parallel()
	lost := lostResponse(t)
	for name, test := range map[string]struct {
		onUpdate func(b *bench) func(effect func()) error
		says     string
	}{
		"the wait fails": {says: "was updated but is not ready"},
		"the response is lost": {func(*bench) func(func()) error {
			return func(effect func()) error { effect(); return lost }
		}, "ERROR"},
		"it is not found": {func(b *bench) func(func()) error {
			return func(effect func()) error {
				effect()
				b.server.onQuery = failing(kuscia.ErrNotFound)
				return nil
			}
		}, "is not as planned"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t, false, waitForToken, func(s *crud.Spec[widget]) { s.Wait.Timeouts.Update = 5 * time.Second })
				state := b.ApplyWithoutWarnings(t, b.configured(nil), b.None())
				b.server.tokenAfter = 1000
				if test.onUpdate != nil {
					b.server.onUpdate = test.onUpdate(b)
				}
				state, said := b.Apply(t, b.configured(tree{"size": 5}), state)
				if !strings.Contains(said, test.says) {
					t.Fatal(said)
				}
				b.server.onUpdate, b.server.onQuery = nil, nil
				unready := func() {
					t.Helper()
					response, read := b.Read(t, state)
					if said := protocol.Messages(response.Diagnostics); !strings.Contains(said, "is not ready") || !strings.Contains(said, "no token") {
						t.Errorf("the refresh says %q", said)
					}
					state = read
				}
				unready()
				unready()
				// A change of the time limit alone waits again.
				config := b.configured(tree{"size": 5, "timeouts": tree{"update": "6s"}})
				if state, said = b.Apply(t, config, state); !strings.Contains(said, "increase timeouts.update, which is 6s") {
					t.Errorf("another time limit: %s", said)
				}
				unready()
				b.server.tokenAfter = 0
				response, ready := b.Read(t, state)
				if len(response.Diagnostics) > 0 {
					t.Error(protocol.Messages(response.Diagnostics))
				}
				b.CheckNoDrift(t, config, ready)
			})
		})
	}
}

// TestUnreadyInList: whether an object is ready is not decided by a list, which does not
// contain all that the wait asks for.
func TestUnreadyInList(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var b *bench
		b = newBench(t, false, waitForToken, func(s *crud.Spec[widget]) {
			s.Wait.Timeouts.Update = 5 * time.Second
			s.Wait.Done = func(w *widget) (bool, string) { return w.token != "" && w.note == "", "no token" }
			s.BulkRead = &crud.BulkRead[widget]{
				Group: func(id crud.ID) string { return id[0] },
				Find: func(context.Context, *run.Run, string) (all []widget, err error) {
					for _, w := range b.server.has {
						w.token, w.note = "token", "incomplete"
						all = append(all, w)
					}
					return all, nil
				},
				ID: func(_ string, w *widget) crud.ID { return crud.ID{w.domain, w.id} },
			}
		})
		var states []crudtest.State
		for i := range 5 {
			states = append(states, b.ApplyWithoutWarnings(t, b.configured(tree{"widget_id": fmt.Sprint("w", i)}), b.None()))
		}
		b.server.tokenAfter = 1000
		last, said := b.Apply(t, b.configured(tree{"widget_id": "w4", "size": 5}), states[4])
		if !strings.Contains(said, "is not ready") {
			t.Fatal(said)
		}
		b.server.tokenAfter = 0
		for range 2 { // the second time, the list is read before the last object
			for _, state := range states[:4] {
				b.Read(t, state)
			}
		}
		if response, _ := b.Read(t, last); len(response.Diagnostics) > 0 {
			t.Errorf("the refresh of a widget that is ready says %s", protocol.Messages(response.Diagnostics))
		}
	})
}

// TestLateStatus: after an update an object that was ready before may still be said to be ready. That
// counts once it was seen not to be, once the server has written its state as often as it has to, or
// after the time in which it has noticed. Until then each plan says that the object is not ready.
func TestLateStatus(t *testing.T) {
	t.Parallel()
	const lag = 20 * time.Second
	for name, test := range map[string]struct {
		// from and until are when the object is not ready, after the update.
		from, until time.Duration
		// needs is how many writes the update needs, and writes when the server makes them.
		needs           int
		writes          []time.Duration
		atLeast, atMost time.Duration
		says            string
		update          time.Duration
		interrupted     bool
	}{
		"nothing is written":     {needs: 1, atLeast: lag, atMost: lag + 2*time.Second},
		"it stays ready":         {atMost: time.Second},
		"written once":           {needs: 1, writes: []time.Duration{2 * time.Second}, atLeast: 2 * time.Second, atMost: 4 * time.Second, update: 5 * time.Second},
		"written in the update":  {needs: 1, writes: []time.Duration{0}, atMost: time.Second},
		"written twice":          {needs: 2, writes: []time.Duration{2 * time.Second, 8 * time.Second}, atLeast: 8 * time.Second, atMost: 10 * time.Second},
		"not written often":      {needs: 2, writes: []time.Duration{2 * time.Second}, update: 10 * time.Second, says: "Last seen: ready, which may be the state from before the update."},
		"not ready for a moment": {needs: 2, from: 2 * time.Second, until: 5 * time.Second, atLeast: 5 * time.Second, atMost: 7 * time.Second},
		"no longer ready":        {needs: 1, from: 5 * time.Second, until: time.Hour, says: "Last seen: no token."},
		"too short a time limit": {needs: 1, update: 10 * time.Second, says: "Last seen: ready, which may be the state from before the update."},
		"interrupted":            {needs: 1, interrupted: true, says: "the wait was canceled"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var updated time.Time
				written := func() (n int) {
					for _, at := range test.writes {
						if !updated.IsZero() && time.Since(updated) >= at {
							n++
						}
					}
					return n
				}
				b := newBench(t, false, waitForToken, func(s *crud.Spec[widget]) {
					s.Wait.Timeouts.Update = cmp.Or(test.update, time.Minute)
					s.Wait.Fresh = &crud.Fresh[widget]{
						Lag:    lag,
						Writes: func(_, _ *widget) int { return test.needs },
						Mark:   func(context.Context, *run.Run, crud.ID) string { return fmt.Sprint("mark ", written()) },
					}
					s.Wait.Done = func(*widget) (bool, string) {
						since := time.Since(updated)
						if !updated.IsZero() && since >= test.from && since < test.until {
							return false, "no token"
						}
						return true, "ready"
					}
				})
				state := b.ApplyWithoutWarnings(t, b.configured(nil), b.None())
				b.server.onUpdate = func(effect func()) error {
					updated = time.Now()
					effect()
					return nil
				}
				if test.interrupted {
					var cancel context.CancelFunc
					before := b.Context
					b.Context, cancel = context.WithCancel(before)
					time.AfterFunc(5*time.Second, cancel)
					defer cancel()
				}
				config, begin := b.configured(tree{"size": 5}), time.Now()
				next, said := b.Apply(t, config, state)
				took := time.Since(begin)
				if test.says == "" != (said == "") || !strings.Contains(said, test.says) || next.Value.Equal(state.Value) {
					t.Errorf("state %s, diagnostics %q", next.Value, said)
				}
				if test.says == "" && (took < test.atLeast || took > test.atMost) {
					t.Errorf("it took %s", took)
				}
				if test.says == "" || test.until > 0 {
					return
				}
				b.Context = t.Context()
				for range 2 {
					response, read := b.Read(t, next)
					if said := protocol.Messages(response.Diagnostics); !strings.Contains(said, "is not ready") || !strings.Contains(said, "may be the state from before the update") {
						t.Errorf("the refresh says %q", said)
					}
					next = read
				}
				time.Sleep(lag)
				response, read := b.Read(t, next)
				if len(response.Diagnostics) > 0 {
					t.Errorf("the last refresh says %q", protocol.Messages(response.Diagnostics))
				}
				b.CheckNoDrift(t, config, read)
			})
		})
	}
}

// TestRefusedWait: a wait survives a few seconds of refused requests, or of an
// object that is not visible yet. A longer refusal ends it, and so does Ctrl-C,
// which is not reported as a timeout.
func TestRefusedWait(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		err         error
		until       time.Duration
		interrupted bool
		says        string
		notSaid     string
	}{
		"refused for a while": {err: kuscia.ErrUnauthorized, until: 20 * time.Second},
		"not there for long":  {err: kuscia.ErrNotFound, until: 50 * time.Second},
		"refused":             {err: kuscia.ErrUnauthorized, until: time.Hour, says: "was created but is not ready", notSaid: "timeout"},
		"away":                {err: kuscia.ErrUnavailable, until: time.Hour, says: "The wait ended: the timeout has passed\nunavailable"},
		"interrupted":         {err: kuscia.ErrUnavailable, until: time.Hour, interrupted: true, says: "was created but the wait was canceled", notSaid: "1m"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t, false, waitForToken)
				b.server.tokenAfter = 3
				var cancel context.CancelFunc
				b.Context, cancel = context.WithCancel(b.Context)
				defer cancel()
				b.server.onCreate = func(effect func()) error {
					effect()
					from, until := time.Now().Add(10*time.Millisecond), time.Now().Add(test.until)
					b.server.onQuery = func() error {
						if now := time.Now(); now.Before(from) || now.After(until) {
							return nil
						}
						return test.err
					}
					if test.interrupted {
						time.AfterFunc(5*time.Second, cancel)
					}
					return nil
				}
				state, said := b.Apply(t, b.configured(nil), b.None())
				if state.Value.IsNull() || test.says == "" && said != "" || !strings.Contains(said, test.says) ||
					test.notSaid != "" && strings.Contains(said, test.notSaid) {
					t.Errorf("diagnostics %q, object in the state: %t", said, !state.Value.IsNull())
				}
			})
		})
	}
}
