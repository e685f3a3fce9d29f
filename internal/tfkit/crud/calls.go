package crud

import (
	"context"
	"errors"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/lifecycle"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// consistencyPause is the pause between two looks at a server whose answers may be
// older than a write.
const consistencyPause = 100 * time.Millisecond

// refreshed is an object as a refresh finds it, unless a shortcut has asked for
// it already.
func (o *Object[W]) refreshed(ctx context.Context, c *clients.Clients, id ID) (*W, error) {
	if found, ok := ctx.Value(prefetchedKey{}).(prefetched[W]); ok && found.typeName == o.TypeName && found.id == id.String() {
		return found.answer, found.err
	}
	return o.read(ctx, c, id)
}

// explanation is what an error for an object that does not exist has to say
// beyond that: an import or a refresh alone would tell the user nothing else.
func explanation(err error) string {
	var explained interface{ Explanation() string }
	if errors.As(err, &explained) {
		return explained.Explanation()
	}
	return ""
}

// readAfterWrite is the answer after a write: the first one that is as desired, else
// the last one within the time that the server may need.
func (o *Object[W]) readAfterWrite(ctx context.Context, c *clients.Clients, id ID, desired definition.Value) (definition.Value, error) {
	began := time.Now()
	for {
		found, err := o.API(c).Query(ctx, id)
		var answer definition.Value
		if err == nil {
			answer = o.answer(id, found)
			if len(o.Definition.Differences(desired, answer)) == 0 {
				return answer, nil
			}
		}
		if time.Since(began) >= o.ConsistencyDelay || !lifecycle.Pause(ctx, consistencyPause) {
			return answer, err
		}
	}
}

// delete removes an object. A server whose answers may be older than a write
// may lose the request, so that it is sent until the object is gone.
func (o *Object[W]) delete(ctx context.Context, c *clients.Clients, id ID) error {
	began := time.Now()
	for {
		err := o.API(c).Delete(ctx, id)
		if o.Server.Errors.NotFound(err) {
			err = nil
		}
		if err != nil || o.ConsistencyDelay == 0 {
			return err
		}
		_, err = o.awaitDeleted(ctx, c, id, time.Now())
		if o.Server.Errors.NotFound(err) {
			return nil
		}
		if time.Since(began) >= 2*o.ConsistencyDelay || ctx.Err() != nil {
			return stillThereError{o.named(id), err}
		}
	}
}

// awaitDeleted looks until an object is not there any more.
func (o *Object[W]) awaitDeleted(ctx context.Context, c *clients.Clients, id ID, began time.Time) (found *W, err error) {
	for {
		found, err = o.API(c).Query(ctx, id)
		if o.Server.Errors.NotFound(err) || time.Since(began) >= o.ConsistencyDelay/2 || !lifecycle.Pause(ctx, consistencyPause) {
			return found, err
		}
	}
}

// stillThereError says that a delete had no effect.
type stillThereError struct {
	object string
	cause  error
}

func (e stillThereError) Unwrap() error { return e.cause }

func (e stillThereError) Error() string {
	text := "the server accepted the request, and still has the " + e.object
	if e.cause != nil {
		text += ", as far as it could be asked: " + e.cause.Error()
	}
	return text
}
