package crud

import (
	"context"
	"errors"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// Delete deletes the object; an object that no longer exists is not an error.
func (r *Resource[W]) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	o := r.object
	if !o.Server.Ready(r.Run, &resp.Diagnostics) {
		return
	}
	flags := loadFlags(ctx, req.Private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	ctx, cancel := o.limited(ctx, req.State.Raw, definition.OnDelete)
	defer cancel()
	id, deletes := r.idToDelete(ctx, req.State.Raw, flags, &resp.Diagnostics)
	if !deletes {
		return
	}
	if resp.Diagnostics.Append(o.guard(ctx, r.Run, o.change(o.Definition.Null(), req.State.Raw, o.Definition.Null(), nil, true))...); resp.Diagnostics.HasError() {
		return
	}
	before, _ := o.wire(req.State.Raw, o.Definition.Null())
	defer o.countWrite(r.Run, id, before)()
	err := o.delete(ctx, r.Run, id, req.State.Raw, before, &resp.Diagnostics)
	if err == nil || o.Server.Errors.NotFound(err) {
		r.Run.Release(o.messageObject(id, req.State.Raw))
	}
	switch {
	case o.Server.Errors.NotFound(err):
		if o.Responses.Gone != nil {
			resp.Diagnostics.Append(o.Responses.Gone(ctx, r.Run, req.State.Raw)...)
		}
	case err != nil:
		o.fail(ctx, r.Run, &resp.Diagnostics, message.NotDeletedSummary(o.Title, err), err)
	}
}

// idToDelete returns the id of the object to delete; deletes is false if there is none, or if
// a create of this run has adopted it.
func (r *Resource[W]) idToDelete(ctx context.Context, state definition.Value, flags Flags, diags *diag.Diagnostics) (id ID, deletes bool) {
	o := r.object
	id, _ = o.Identity.of(state)
	if flags.isCreateUnknown(state) {
		// A refresh would have decided whose the object is.
		found, err := o.lostCreate(ctx, r.Run, id, state, "was not deleted", diags)
		if err != nil {
			o.fail(ctx, r.Run, diags, "Unable to read "+o.Title+" before deleting it", err)
		}
		if found == nil {
			return nil, false
		}
		id, _ = o.Identity.of(o.valueOf(id, found, state))
	}
	return id, !r.Run.KeepsAdopted(diags, o.messageObject(id, state))
}

// delete deletes an object. An eventually consistent server may lose the
// request, so delete repeats it until the object does not exist any more.
func (o *Object[W]) delete(ctx context.Context, c *run.Run, id ID, state definition.Value, before *W, diags *diag.Diagnostics) error {
	began := time.Now()
	for {
		err := o.steps.API(c, state).deleteObject(ctx, id, before, diags)
		if o.Writes.ConsistencyDelay == 0 {
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
			return message.DeletionCanceled(wait.Ended(ctx))
		case time.Since(began) >= 2*o.Writes.ConsistencyDelay, ctx.Err() != nil:
			return notDeletedError{o.named(id), err}
		}
	}
}

// awaitDeleted polls until an object does not exist any more, for at most half
// of the consistency delay.
func (o *Object[W]) awaitDeleted(ctx context.Context, c *run.Run, id ID, state definition.Value, began time.Time) (found *W, err error) {
	for {
		found, err = o.steps.API(c, state).Query(ctx, id)
		if o.Server.Errors.NotFound(err) || time.Since(began) >= o.Writes.ConsistencyDelay/2 || !wait.Sleep(ctx, consistencyPause) {
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
