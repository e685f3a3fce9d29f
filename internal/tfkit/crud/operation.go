package crud

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
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
	// InCluster reports after Update whether it was made through the Kubernetes API, which keeps
	// what the KusciaAPI does not carry. nil: it was not.
	InCluster func() bool
	// Before is remembered if it is unknown whether the request was carried out, and After once
	// it was; Adopted is for an object that a create has adopted, nil: only its wait knows After.
	Before, After, Adopted Memory
	// IfUnknown is the state after an update with an unknown outcome.
	IfUnknown definition.Value
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

func (op Operation[W]) madeInCluster() bool { return op.InCluster != nil && op.InCluster() }

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

// prepare is Spec.Prepare for an object without rules of its own: what the change is follows from
// the plan, and what it does from the calls of the API.
func (o *Object[W]) prepare(ctx context.Context, c *run.Run, change Change[W], diags *diag.Diagnostics) Operation[W] {
	if change.Prior.IsNull() {
		return o.prepareCreate(ctx, c, change, diags)
	}
	return o.prepareUpdate(ctx, c, change, diags)
}

func (o *Object[W]) prepareCreate(ctx context.Context, c *run.Run, change Change[W], diags *diag.Diagnostics) Operation[W] {
	op := Operation[W]{Planned: change.Value, Desired: o.Definition.WithSecrets(change.Value, change.Config, change.Prior, change.Prior)}
	op.Waits = o.enablesWait(change.Value)
	diags.Append(o.refuseUnsent(change.Value, change.Config, change.Prior, change.Prior)...)
	wire, more := o.Request(op.Desired, change.Config)
	op.Create = wire
	if diags.Append(more...); diags.HasError() || !o.Server.Ready(c, diags) {
		return op
	}
	if CheckReferences(ctx, c, InApply, o.newReferences(&change), diags); !diags.HasError() {
		op.After = o.remember(ctx, c, &change, diags)
	}
	return op
}

// prepareUpdate prepares an update, which sends nothing if only attributes change that are not
// sent, and then may have to wait for a rollout that was not observed.
func (o *Object[W]) prepareUpdate(ctx context.Context, c *run.Run, change Change[W], diags *diag.Diagnostics) Operation[W] {
	if len(change.Sent) == 0 {
		o.complete(&change, diags)
	}
	op := Operation[W]{Planned: change.Value, Desired: change.Value, Before: change.Memory, After: change.Memory}
	op.Waits = o.waitsInUpdate(&change)
	if len(change.Sent) == 0 && !op.Waits {
		op.Planned = o.Definition.Filled(change.Value, change.Prior)
		return op
	}
	if !o.Server.Ready(c, diags) {
		return op
	}
	u := &update[W]{id: change.ID, planned: change.Value, prior: change.Prior, config: change.Config, sent: change.Sent}
	wire, ok := o.desired(ctx, c, u, diags)
	if op.Desired = u.desired; !ok {
		return op
	}
	if len(change.Sent) == 0 {
		o.compareResumed(ctx, c, u, diags)
		return op
	}
	if CheckReferences(ctx, c, InApply, o.newReferences(&change), diags); diags.HasError() {
		return op
	}
	if op.After = o.remember(ctx, c, &change, diags); diags.HasError() {
		return op
	}
	op.Planned, op.Before, op.IfUnknown = change.Value, op.After, o.stateIfUnknown(u)
	op.Update = func(ctx context.Context) (definition.Value, error) {
		err := o.sendUpdate(ctx, c, u, wire, change.Before)
		return u.desired, err
	}
	op.InCluster = func() bool { return u.inCluster }
	return op
}

// compareResumed compares an object with the state before a wait for it.
func (o *Object[W]) compareResumed(ctx context.Context, c *run.Run, u *update[W], diags *diag.Diagnostics) {
	if !o.CompareFirst {
		return
	}
	found, err := o.api(c, u.prior).Query(ctx, u.id)
	if err == nil {
		_, _, err = o.compare(u, found, false)
	}
	if err != nil {
		o.fail(ctx, c, diags, "Unable to update "+o.Title, err)
	}
}

// differences are the attributes in which a response differs from a desired object.
func (o *Object[W]) differences(desired definition.Value, id ID, found *W, memory Memory) []path.Path {
	if o.Differences != nil {
		return o.Differences(desired, found, memory)
	}
	return o.Definition.Differences(desired, o.valueOf(id, o.current(found, memory), desired))
}

// refreshedFrom returns the state that follows from a response, and what is remembered.
func (o *Object[W]) refreshedFrom(ctx context.Context, c *run.Run, w Watched[W], found *W, diags *diag.Diagnostics) (definition.Value, Memory) {
	if o.Refresh != nil {
		return o.Refresh(ctx, c, w, found, diags)
	}
	return o.Definition.Refreshed(o.valueOf(w.ID, o.current(found, w.Memory), w.Planned), w.Planned), o.observed(ctx, c, w, found)
}
