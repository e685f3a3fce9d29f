package crud

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// Fresh tells whether the state that a server reports is from after an update: its controllers write
// the state some time later, and until then an object may be ready as it was.
type Fresh[W any] struct {
	// Writes is how many times the controllers have to write the state after this update, until the
	// object is ready as it was changed: 0 if an object that was ready stays so.
	Writes func(before, desired *W) int
	// Mark is another text after each such write, and "" if it is not seen. It is stored, and so must
	// not have secrets.
	Mark func(ctx context.Context, c *clients.Clients, id ID) string
	// Pace is the longest time between two writes of an object that stays ready.
	Pace time.Duration
	// Lag is the time after which the state is new also if no write was seen.
	Lag time.Duration
}

// warnOfLimit warns in the plan of an update whose time limit may end before the server has written the
// state of the object as it was changed.
func (o *Object[W]) warnOfLimit(change *Change[W]) (diags diag.Diagnostics) {
	if o.Wait == nil || o.Wait.Fresh == nil || change.Before == nil || change.Desired == nil || len(change.Sent) == 0 || !o.enablesWait(change.Value) {
		return nil
	}
	fresh := o.Wait.Fresh
	writes, limit := fresh.Writes(change.Before, change.Desired), o.Definition.Timeout(change.Value, definition.OnUpdate)
	if least := time.Duration(writes+1) * fresh.Pace; writes > 1 && limit < least {
		diags.AddAttributeWarning(path.Root(definition.AttrTimeouts).AtName(string(definition.OnUpdate)), "Time limit may be too short", fmt.Sprintf(
			"%s.%s is %s. %s writes the state of a %s that stays ready every %s, and the wait after this change needs %d such writes. Increase it to %s or more, or set %s = false.",
			definition.AttrTimeouts, definition.OnUpdate, definition.ShortDuration(limit), clients.Capitalize(o.Server.Name), o.Title,
			definition.ShortDuration(fresh.Pace), writes, definition.ShortDuration(least), o.Wait.Attribute))
	}
	return diags
}

// stale is what is known of the state from before an update, as long as the server may still report
// it. It is in the private state while an object is not ready.
type stale struct {
	// Writes is how many more writes have to be seen, and Mark that of the last one.
	Writes int    `json:"writes"`
	Mark   string `json:"mark"`
	// Until is when the state is new in any case.
	Until time.Time `json:"until"`
}

// before returns what is known of the state before an update, nil if the state after it is new at
// once. earlier is that of an earlier update, which nobody has seen ready.
func (f *Fresh[W]) before(ctx context.Context, c *clients.Clients, change *Change[W], earlier *stale) *stale {
	if f == nil || len(change.Sent) == 0 {
		return earlier
	}
	writes := f.Writes(change.Before, change.Desired)
	if writes == 0 {
		return earlier
	}
	if earlier != nil {
		writes = max(writes, earlier.Writes)
	}
	return &stale{Writes: writes, Mark: f.Mark(ctx, c, change.ID)}
}

// sent is called once the update may have been carried out.
func (f *Fresh[W]) sent(s *stale) {
	if s != nil {
		s.Until = time.Now().Add(f.Lag)
	}
}

// look looks for a write. It is before the query whose response it is about.
func (f *Fresh[W]) look(ctx context.Context, c *clients.Clients, id ID, s *stale) {
	if f == nil || s == nil || s.Writes == 0 {
		return
	}
	if !time.Now().Before(s.Until) {
		s.Writes = 0
		return
	}
	mark := f.Mark(ctx, c, id)
	if mark == "" || mark == s.Mark {
		return
	}
	if s.Mark != "" {
		s.Writes--
	}
	s.Mark = mark
}

// judge returns whether an object that was reported as done is, with its state. One that was seen not
// to be ready is ready anew after that.
func (s *stale) judge(done bool, state string) (bool, string) {
	switch {
	case s == nil || s.Writes == 0:
	case !done:
		s.Writes = 0
	default:
		return false, state + ", which may be the state from before the update"
	}
	return done, state
}

// staleKey is its key in the private state of a Resource.
const staleKey = "stale"

func loadStale(ctx context.Context, from privateGetter, diags *diag.Diagnostics) *stale {
	value, more := from.GetKey(ctx, staleKey)
	diags.Append(more...)
	if len(value) == 0 {
		return nil
	}
	s := &stale{}
	if err := json.Unmarshal(value, s); err != nil {
		addDamaged(diags, fmt.Errorf("%s: %w", staleKey, err))
	}
	return s
}

// save saves it while the object is not ready. had is set if the private state has one.
func (s *stale) save(ctx context.Context, to privateSetter, unready, had bool) diag.Diagnostics {
	if !unready || s == nil || s.Writes == 0 {
		if !had {
			return nil
		}
		return to.SetKey(ctx, staleKey, nil)
	}
	value, err := json.Marshal(s)
	if err != nil {
		return nil
	}
	return to.SetKey(ctx, staleKey, value)
}
