package crud_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// TestStaleResponses: stale responses are polled until they are current, and a lost
// delete is sent again.
func TestStaleResponses(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, false, func(s *crud.Spec[widget]) { s.Writes.ConsistencyDelay = 2 * time.Second })
		b.server.stale = 3
		state, said := b.Apply(t, b.configured(nil), b.None())
		if said != "" {
			t.Fatal(said)
		}
		state, said = b.Apply(t, b.configured(tree{"size": 7}), state)
		if size, _ := definition.NumberOf(definition.FieldsOf(state.Value)["size"]); said != "" || size != 7 {
			t.Errorf("after an update: %s %s", state.Value, said)
		}
		if gone, said := b.Delete(t, state); !gone.Value.IsNull() || said != "" {
			t.Errorf("after the delete: %s", said)
		}
	})
}

// TestNotFoundAfterWrite: an object that does not exist after its create or
// update is an error, one that cannot be queried is a warning.
func TestNotFoundAfterWrite(t *testing.T) {
	t.Parallel()
	b := newBench(t, false)
	missing := fmt.Errorf("query: %w", kuscia.ErrNotFound)
	b.server.onQuery = failing(missing)
	state, said := b.Apply(t, b.configured(nil), b.None())
	if state.Value.IsNull() || !strings.Contains(said, "ERROR") || !strings.Contains(said, `cannot return widget "alice/made-alice" afterwards`) {
		t.Errorf("create: state %s, diagnostics %s", state.Value, said)
	}
	b.server.onQuery = nil
	_, state = b.Read(t, state)
	b.server.onQuery = failing(missing)
	after, said := b.Apply(t, b.configured(tree{"size": 5}), state)
	if after.Value.IsNull() || !strings.Contains(said, "ERROR") {
		t.Errorf("update: state %s, diagnostics %s", after.Value, said)
	}
	b.server.onQuery = failing(errors.New("no answer"))
	if _, said = b.Apply(t, b.configured(tree{"size": 5}), state); strings.Contains(said, "ERROR") || !strings.Contains(said, "after the change") {
		t.Errorf("update with failed queries: diagnostics %s", said)
	}
}
