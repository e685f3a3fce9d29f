package crud

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/fastpath"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// consistencyPause is the poll interval while an eventually consistent server
// may return stale responses.
const consistencyPause = 100 * time.Millisecond

// refreshed reads an object for a refresh, or returns the response that a
// shortcut has already fetched. Whether an object is ready is not known from a list.
func (o *Object[W]) refreshed(ctx context.Context, c *run.Run, id ID, state definition.Value, flags Flags) (*W, error) {
	if flags.NotReady {
		found, err := o.api(c, state).Query(ctx, id)
		if err == nil {
			o.recordExisting(c, id)
		}
		return found, err
	}
	if found, ok := fastpath.PrefetchedOf[*W](ctx, o.prefetchedKey(id)); ok {
		return found.Response, found.Err
	}
	return o.read(ctx, c, id, state)
}

// prefetchedKey identifies an object among those of the same wire type.
func (o *Object[W]) prefetchedKey(id ID) string { return o.TypeName + "/" + id.String() }

// explanation returns what a not-found error knows about the cause. An import
// or a refresh shows it, since otherwise the user would only learn that the
// object does not exist.
func explanation(err error) string {
	var explained interface{ Explanation() string }
	if errors.As(err, &explained) {
		return explained.Explanation()
	}
	return ""
}

// staleDelay is how long any server may return a stale response after a write:
// one with several API servers or a cache in front of it.
const staleDelay = 2 * time.Second

// readAfterWrite reads an object after a write. It polls until the response
// matches the desired values or the delay is over, and returns the last response.
func (o *Object[W]) readAfterWrite(ctx context.Context, c *run.Run, w Watched[W]) (*W, error) {
	began := time.Now()
	for {
		found, err := o.api(c, w.Desired).Query(ctx, w.ID)
		if err == nil && len(o.differences(w.Desired, w.ID, found, w.Memory)) == 0 {
			return found, nil
		}
		if time.Since(began) >= max(o.ConsistencyDelay, cmp.Or(o.StaleDelay, staleDelay)) || !wait.Sleep(ctx, consistencyPause) {
			return found, err
		}
	}
}

// delete deletes an object. An eventually consistent server may lose the
// request, so delete repeats it until the object does not exist any more.
func (o *Object[W]) delete(ctx context.Context, c *run.Run, id ID, state definition.Value, before *W, diags *diag.Diagnostics) error {
	began := time.Now()
	for {
		err := o.api(c, state).deleteObject(ctx, id, before, diags)
		if o.ConsistencyDelay == 0 {
			return err
		}
		if err != nil && !o.Server.Errors.NotFound(err) {
			return err
		}
		_, err = o.awaitDeleted(ctx, c, id, state, time.Now())
		if o.Server.Errors.NotFound(err) {
			return nil
		}
		switch {
		case errors.Is(ctx.Err(), context.Canceled):
			return message.DeletionCancelled(wait.Ended(ctx))
		case time.Since(began) >= 2*o.ConsistencyDelay, ctx.Err() != nil:
			return notDeletedError{o.named(id), err}
		}
	}
}

func (a API[W]) deleteObject(ctx context.Context, id ID, before *W, diags *diag.Diagnostics) error {
	if a.DeleteObject != nil {
		return a.DeleteObject(ctx, before, diags)
	}
	return a.Delete(ctx, id)
}

// awaitDeleted polls until an object does not exist any more, for at most half
// of the consistency delay.
func (o *Object[W]) awaitDeleted(ctx context.Context, c *run.Run, id ID, state definition.Value, began time.Time) (found *W, err error) {
	for {
		found, err = o.api(c, state).Query(ctx, id)
		if o.Server.Errors.NotFound(err) || time.Since(began) >= o.ConsistencyDelay/2 || !wait.Sleep(ctx, consistencyPause) {
			return found, err
		}
	}
}

// notDeletedError is returned if the object exists after successful delete
// requests.
type notDeletedError struct {
	object string
	cause  error
}

func (e notDeletedError) Unwrap() error { return e.cause }

func (e notDeletedError) Error() string {
	text := "the server accepted the request, but still has the " + e.object
	if e.cause != nil {
		text += "; a query failed: " + e.cause.Error()
	}
	return text
}
