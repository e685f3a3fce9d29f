package crud

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// Operation is a create or an update that was checked and is about to be made.
type Operation[W any] struct {
	// Planned is the planned object, with values that only the apply knows. Desired is it with
	// its write-only values.
	Planned, Desired definition.Value
	// Create is the object to create.
	Create *W
	// RetryFor is how long a create whose response was lost is repeated; 0: as lifecycle does.
	RetryFor time.Duration
	// Update sends an update, and returns Desired as it was sent, which may have values of the
	// object that the update was compared with; nil: nothing is sent.
	Update func(ctx context.Context) (desired definition.Value, err error)
	// Before is remembered if it is unknown whether the request was carried out, and After once
	// it was; Adopted is for an object that a create has adopted, nil: only its wait knows After.
	Before, After, Adopted Memory
	// Unsure is the state after an update with an unknown outcome.
	Unsure definition.Value
	// Waits is set if the operation waits until the object runs, and Target is what
	// Spec.Prepare passes to Rollout.Watch then.
	Waits  bool
	Target any
	// Context adds to the context of all its requests, and of its wait, for example secrets that
	// no error may contain. May be nil.
	Context func(ctx context.Context) context.Context
	// End is called when the operation has ended. May be nil.
	End func()
}

func (op Operation[W]) with(ctx context.Context) context.Context {
	if op.Context != nil {
		return op.Context(ctx)
	}
	return ctx
}

func (op Operation[W]) end() {
	if op.End != nil {
		op.End()
	}
}

// remembered returns what the wait after a create knows, and what is saved.
func (op Operation[W]) remembered(adopted bool) (known, saved Memory) {
	switch {
	case !adopted:
		return op.After, op.After
	case op.Adopted == nil:
		return op.After, nil
	}
	return op.Adopted, op.Adopted
}

// prepareCreate checks a create right before it is made.
func (o *Object[W]) prepareCreate(ctx context.Context, c *clients.Clients, planned, config definition.Value, diags *diag.Diagnostics) (op Operation[W]) {
	null := o.Definition.Null()
	if o.Prepare != nil {
		if !o.Server.Ready(c, diags) {
			return op
		}
		change := o.change(planned, null, nil, true)
		change.Config = config
		return o.Prepare(ctx, c, *change, diags)
	}
	op = Operation[W]{Planned: planned, Desired: o.Definition.WithSecrets(planned, config, null, null)}
	wire, more := o.Request(op.Desired, config)
	op.Create = wire
	if diags.Append(more...); diags.HasError() || !o.Server.Ready(c, diags) {
		return op
	}
	op.After, more = o.prepare(ctx, c, o.change(planned, null, nil, true))
	diags.Append(more...)
	op.Waits = o.Rollout != nil && definition.WaitsForRollout(planned)
	return op
}

// prepareUpdate checks an update right before it is made.
func (o *Object[W]) prepareUpdate(ctx context.Context, c *clients.Clients, u *update[W], diags *diag.Diagnostics) (op Operation[W]) {
	if o.Prepare != nil {
		change := o.change(u.planned, u.prior, u.memory, true)
		change.Config, change.Imported = u.config, u.flags.Imported
		return o.Prepare(ctx, c, *change, diags)
	}
	op.Planned = u.planned
	wire, ok := o.desired(ctx, c, u, diags)
	if !ok {
		return op
	}
	if len(u.sent) > 0 {
		change := o.change(u.planned, u.prior, u.memory, true)
		change.Sent = u.sent
		memory, more := o.prepare(ctx, c, change)
		if diags.Append(more...); diags.HasError() {
			return op
		}
		u.memory = memory
	}
	before, _ := o.wire(u.prior, o.Definition.Null())
	op.Before, op.After, op.Unsure = u.memory, u.memory, o.unsure(u)
	op.Update = func(ctx context.Context) (definition.Value, error) {
		err := o.sendUpdate(ctx, c, u, wire, before)
		return u.desired, err
	}
	op.Waits = u.waits
	return op
}

// differences are the attributes in which a response differs from a desired object.
func (o *Object[W]) differences(desired definition.Value, id ID, found *W, memory Memory) []path.Path {
	if o.Differences != nil {
		return o.Differences(desired, found, memory)
	}
	return o.Definition.Differences(desired, o.valueOf(id, o.current(found, memory), desired))
}

// refreshedFrom returns the state that follows from a response, and what is remembered.
func (o *Object[W]) refreshedFrom(ctx context.Context, c *clients.Clients, w Watched[W], found *W, diags *diag.Diagnostics) (definition.Value, Memory) {
	if o.Refresh != nil {
		return o.Refresh(ctx, c, w, found, diags)
	}
	return o.Definition.Refreshed(o.valueOf(w.ID, o.current(found, w.Memory), w.Planned), w.Planned), w.Memory
}
