package crud_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
)

// TestAdoptedIsNotDeleted: a create that adopts an object which the same run
// plans to delete, as a replacement with create_before_destroy does, prevents
// that delete. A later run may delete it.
func TestAdoptedIsNotDeleted(t *testing.T) {
	t.Parallel()
	b := newBench(t, true)
	config := b.configured(nil)
	earlier := crudtest.NewServer(t, b.object, &run.Run{})
	before := earlier.ApplyWithoutWarnings(t, config, b.None())
	after, said := b.Apply(t, config, b.None())
	if !strings.Contains(said, "existed and was adopted") {
		t.Fatalf("create: %s", said)
	}
	gone, said := b.Delete(t, before)
	if !gone.Value.IsNull() || strings.Contains(said, "ERROR") || !strings.Contains(said, "was not deleted") {
		t.Errorf("delete: state %s, diagnostics %s", gone.Value, said)
	}
	b.CheckNoDrift(t, config, after)

	other := crudtest.NewServer(t, b.object, &run.Run{})
	if _, said := other.Delete(t, after); said != "" || len(b.server.has) > 0 {
		t.Errorf("a later run: objects %v, diagnostics %s", b.server.has, said)
	}
}

// TestTwoResources: an object that this run creates is not adopted, and not created once more, by
// another resource, also before the server has it.
func TestTwoResources(t *testing.T) {
	t.Parallel()
	b := newBench(t, true)
	second := func(sends int) {
		t.Helper()
		creates := b.server.creates
		if second, said := b.Apply(t, b.configured(nil), b.None()); !second.Value.IsNull() || b.server.creates-creates != sends || !strings.Contains(said, "Widget \"alice/made-alice\" belongs to another resource: the same apply creates or adopts it") {
			t.Errorf("%d creates, state %s, diagnostics %s", b.server.creates-creates, second.Value, said)
		}
	}
	b.server.onCreate = func(effect func()) error {
		second(0)
		effect()
		return nil
	}
	first := b.ApplyWithoutWarnings(t, b.configured(nil), b.None())
	b.server.onCreate = nil
	second(1)
	if gone, said := b.Delete(t, first); !gone.Value.IsNull() || said != "" {
		t.Errorf("delete: state %s, diagnostics %s", gone.Value, said)
	}
	b.ApplyWithoutWarnings(t, b.configured(nil), b.None())
}

// TestLostCreate: after a lost response the object is looked up. If that fails,
// the object stays in the state until a read succeeds, which removes it if
// another client has created it.
func TestLostCreate(t *testing.T) {
	t.Parallel()
	b := newBench(t, false)
	lost := lostResponse(t)
	b.server.onCreate = func(effect func()) error { effect(); return lost }
	state := b.ApplyWithoutWarnings(t, b.configured(nil), b.None())
	if state.Text("title") != "title of alice" {
		t.Errorf("the state is %s", state.Value)
	}

	for name, ours := range map[string]bool{"ours": true, "somebody else's": false} {
		b := newBench(t, false)
		b.server.onCreate = func(effect func()) error { effect(); return lost }
		b.server.onQuery = failing(errors.New("forbidden"))
		config := b.configured(tree{"widget_id": "made-alice"})
		state, said := b.Apply(t, config, b.None())
		if state.Value.IsNull() || !strings.Contains(said, "Unknown whether") {
			t.Errorf("%s: state %s, diagnostics %s", name, state.Value, said)
		}
		b.server.onQuery = nil
		if !ours {
			w := b.server.has["alice/made-alice"]
			w.size = 99
			b.server.has["alice/made-alice"] = w
		}
		response, read := b.Read(t, state)
		if read.Value.IsNull() == ours {
			t.Errorf("%s: state after the next read: %s", name, read.Value)
		}
		if ours {
			b.CheckNoDrift(t, config, read)
		} else if said := protocol.Messages(response.Diagnostics); !strings.Contains(said, "was removed from the state") || !strings.Contains(said, `id = "alice/made-alice"`) {
			t.Errorf("%s: the read says %s", name, said)
		}
		// Without a refresh the delete decides.
		_, said = b.Delete(t, state)
		if _, left := b.server.has["alice/made-alice"]; left == ours || strings.Contains(said, "was not deleted") == ours {
			t.Errorf("%s: left by the delete: %t, diagnostics %s", name, left, said)
		}
	}
}

// TestLostCreateReplaced: the delete of a tainted object that Terraform replaces gets no
// private state.
func TestLostCreateReplaced(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		config      tree
		size        int64
		lost, stays bool
	}{
		"ours":                            {config: tree{"widget_id": "made-alice"}, lost: true},
		"somebody else's":                 {config: tree{"widget_id": "made-alice"}, lost: true, size: 99, stays: true},
		"changed, with a generated ID":    {lost: true, size: 99},
		"changed, and certainly created":  {config: tree{"widget_id": "made-alice"}, size: 99},
		"unchanged and certainly created": {config: tree{"widget_id": "made-alice"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, false)
			if test.lost {
				lost := lostResponse(t)
				b.server.onCreate = func(effect func()) error { effect(); return lost }
				b.server.onQuery = failing(errors.New("forbidden"))
			}
			state, _ := b.Apply(t, b.configured(test.config), b.None())
			b.server.onQuery = nil
			if test.size > 0 {
				w := b.server.has["alice/made-alice"]
				w.size = test.size
				b.server.has["alice/made-alice"] = w
			}
			// Nobody else has an object with a generated ID.
			if _, read := b.Read(t, state); test.config == nil && read.Value.IsNull() {
				t.Error("the object left the state")
			}
			state.Private = nil
			_, said := b.Delete(t, state)
			if _, left := b.server.has["alice/made-alice"]; left != test.stays || strings.Contains(said, "was not deleted") != test.stays {
				t.Errorf("left by the delete: %t, diagnostics %s", left, said)
			}
		})
	}
}

// TestLostCreateWithinDeleteTimeout: the time limit of a delete includes the lookup that
// decides whose the object is.
func TestLostCreateWithinDeleteTimeout(t *testing.T) {
	t.Parallel()
	var limited bool
	b := newBench(t, false, waitForToken, func(s *crud.Spec[widget]) {
		s.Wait.Timeouts.Delete = time.Minute
		api := s.API
		s.API = func(c *run.Run) crud.API[widget] {
			calls := api(c)
			query := calls.Query
			calls.Query = func(ctx context.Context, id crud.ID) (*widget, error) {
				_, limited = ctx.Deadline()
				return query(ctx, id)
			}
			return calls
		}
	})
	lost := lostResponse(t)
	b.server.onCreate = func(effect func()) error { effect(); return lost }
	b.server.onQuery = failing(errors.New("forbidden"))
	state, _ := b.Apply(t, b.configured(tree{"widget_id": "made-alice"}), b.None())
	b.server.onQuery, limited = nil, false
	if _, said := b.Delete(t, state); !limited || said != "" || len(b.server.has) > 0 {
		t.Errorf("the lookup is limited: %t, objects %v, diagnostics %s", limited, b.server.has, said)
	}
}

// TestConcurrentCreate: what a create does not find as it sent it leaves the state only if
// it is the same in a later read, when it is no answer of a server that lags.
func TestConcurrentCreate(t *testing.T) {
	t.Parallel()
	theirs, old := &widget{domain: "alice", id: "made-alice", title: "theirs"}, &widget{domain: "alice", id: "made-alice", title: "old"}
	for name, test := range map[string]struct {
		// first is read for three seconds, then last; nil is the object that was created.
		first, last *widget
		lastErr     error
		inState     string
		says        string
	}{
		"theirs":             {first: theirs, last: theirs, says: `id = "alice/made-alice"`},
		"a server that lags": {first: old, inState: "ours"},
		"changed again":      {first: old, last: theirs, inState: "theirs", says: "The returned values were saved"},
		"not read again":     {first: theirs, lastErr: errors.New("forbidden"), inState: "theirs", says: "The returned values were saved"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				b := newBench(t, false, func(s *crud.Spec[widget]) {
					s.Writes.ConsistencyDelay = 2 * time.Second
					api := s.API
					s.API = func(c *run.Run) crud.API[widget] {
						calls := api(c)
						query := calls.Query
						calls.Query = func(ctx context.Context, id crud.ID) (*widget, error) {
							played, err := test.last, test.lastErr
							if time.Since(began) < 3*time.Second {
								played, err = test.first, nil
							}
							if played == nil && err == nil {
								return query(ctx, id)
							}
							return played, err
						}
						return calls
					}
				})
				state, said := b.Apply(t, b.configured(tree{"title": "ours"}), b.None())
				if state.Value.IsNull() != (test.inState == "") || test.inState != "" && state.Text("title") != test.inState {
					t.Errorf("the state is %s", state.Value)
				}
				if !strings.Contains(said, test.says) || strings.Contains(said, "ERROR") != (test.says != "") {
					t.Errorf("it says %s", said)
				}
				if test.inState == "" && (!strings.Contains(said, "may have created") || strings.Contains(said, "does not store")) {
					t.Errorf("it says %s", said)
				}
			})
		})
	}
}
