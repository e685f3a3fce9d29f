package crud

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// Steps are what a plan, an apply and a refresh do with an object. A resource with steps of its own
// embeds the declared ones, and calls them for the rest.
type Steps[W any] interface {
	// API returns the calls for an object, which is that of a plan or the state.
	API(c *run.Run, object definition.Value) API[W]
	// Validate reports what is invalid in a configuration, whatever the state.
	Validate(config definition.Value) diag.Diagnostics
	// Plan returns from with the plan, and with the checks of it.
	Plan(ctx context.Context, c *run.Run, from Planned) Planned
	// Prepare checks a create or an update right before it is made, also one that may have nothing
	// to send, and returns it; after an error nothing is sent.
	Prepare(ctx context.Context, c *run.Run, change Change[W], diags *diag.Diagnostics) Operation[W]
	// Read reads an object for a refresh. unchanged is set, without a query, if the refresh
	// certainly changes nothing.
	Read(ctx context.Context, c *run.Run, w Watched[W]) (found *W, unchanged bool, err error)
	// ReadsAs reports whether a response leaves the state and what is remembered unchanged, without
	// diagnostics.
	ReadsAs(ctx context.Context, c *run.Run, w Watched[W], found *W) bool
	// Refresh returns the state that follows from a response, and what is remembered.
	Refresh(ctx context.Context, c *run.Run, w Watched[W], found *W, diags *diag.Diagnostics) (definition.Value, Memory)
	// Differences are the attributes in which a response differs from a desired object.
	Differences(desired definition.Value, id ID, found *W, memory Memory) []path.Path
	// UnmanagedDifferences returns what else differs in an object that a create may adopt.
	UnmanagedDifferences(ctx context.Context, c *run.Run, desired definition.Value, found *W) []path.Path
}

// Operation is a create or an update that was checked and is about to be made.
type Operation[W any] struct {
	// Planned is the planned object, with values that only the apply knows. Desired is it with
	// its write-only values.
	Planned, Desired definition.Value
	// Create is the object to create.
	Create *W
	// RetryFor is how long a create whose response was lost is repeated; 0: as lifecycle does.
	RetryFor time.Duration
	// Update sends an update; nil: nothing is sent.
	Update func(ctx context.Context) (Sent, error)
	// Before is remembered if it is unknown whether the request was carried out, and After once
	// it was; Adopted is for an object that a create has adopted, nil: only its wait knows After.
	Before, After, Adopted Memory
	// IfUnknown is the state after an update with an unknown outcome.
	IfUnknown definition.Value
	// Watch begins the wait until the object runs, once the request was sent; nil: the operation
	// does not wait.
	Watch func(ctx context.Context, w Watched[W]) Watch[W]
	// Context adds to the context of all its requests, and of its wait, for example secrets that
	// no error may contain. May be nil.
	Context func(ctx context.Context) context.Context
	// End is called when the operation has ended. May be nil.
	End func()
}

// Sent is an update that was sent.
type Sent struct {
	// Desired is Operation.Desired as it was sent, which may have values of the object that the
	// update was compared with.
	Desired definition.Value
	// InCluster is set if it was made through the Kubernetes API, which keeps what the KusciaAPI
	// does not carry.
	InCluster bool
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

func (op Operation[W]) waits() bool { return op.Watch != nil }

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
