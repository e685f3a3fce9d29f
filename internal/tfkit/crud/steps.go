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
	// Refresh returns the state that follows from a response, and what is remembered.
	Refresh(ctx context.Context, c *run.Run, w Watched[W], found *W, diags *diag.Diagnostics) (definition.Value, Memory)
	// Differences are the attributes in which a response differs from a desired object.
	Differences(desired definition.Value, id ID, found *W, memory Memory) []path.Path
	// UnmanagedDifferences returns what else differs in an object that a create may adopt.
	UnmanagedDifferences(ctx context.Context, c *run.Run, desired definition.Value, found *W) []path.Path
}

// API has the calls for one kind of object. They return the errors of the
// client. An error for an object that does not exist may have a method
// Explanation() string, whose text is shown to the user.
type API[W any] struct {
	Create func(ctx context.Context, desired *W) error
	Query  func(ctx context.Context, id ID) (*W, error)
	// Update changes an object to the desired values. before is the old object,
	// without write-only values. It is not called if Writes.ReplaceAll is set.
	Update func(ctx context.Context, desired, before *W) error
	Delete func(ctx context.Context, id ID) error
	// CreateObject and Find replace Create for a server that chooses the id of an object, and
	// may create two from one request that is repeated: CreateObject returns what was
	// created, and Find the objects that may be that of a request, by its name.
	CreateObject func(ctx context.Context, desired *W) (*W, error)
	Find         func(ctx context.Context, desired *W) ([]*W, error)
	// UpdateObject replaces Update if an update depends on what changes.
	UpdateObject func(ctx context.Context, update Update[W]) error
	// DeleteObject replaces Delete if a delete depends on the object in the state,
	// which is before. It may add warnings.
	DeleteObject func(ctx context.Context, before *W, diags *diag.Diagnostics) error
	// Read replaces Query in a refresh. May be nil.
	Read func(ctx context.Context, id ID) (*W, error)
}

func (a API[W]) deleteObject(ctx context.Context, id ID, before *W, diags *diag.Diagnostics) error {
	if a.DeleteObject != nil {
		return a.DeleteObject(ctx, before, diags)
	}
	return a.Delete(ctx, id)
}

// Update is an update of an object.
type Update[W any] struct {
	ID ID
	// Desired is the planned object, Before the one in the state, without write-only values.
	Desired, Before *W
	// Sent are the changed attributes that have to be sent.
	Sent []path.Path
	// Compare compares an object with the state, right before the update writes to the
	// version of it that was read. An object that another client has changed since the plan
	// is an error. done is set for an object that is already as planned, since the response
	// to an earlier write was lost; again is set for all but the first attempt. desired is
	// the planned object, with the write-only values of the one that was read where their
	// version has not changed.
	Compare func(found *W, again bool) (desired *W, done bool, err error)
}

// Planned is the plan of an object that is not deleted.
type Planned struct {
	definition.Plan

	// Config is the configuration, with strings that only an imported state has, Prior the
	// state, which is null for a create.
	Config, Prior definition.Value
	// Memory is what the Rollout remembers.
	Memory Memory
	// Imported is set until the first update after an import.
	Imported bool
	// Destroys is set if the apply destroys a live object before it creates the planned one.
	Destroys bool
	// CrossCheck adds errors and warnings that depend on other plans of the run, or on the way from
	// the prior state, once all else of the plan is known, also if nothing changes. May be nil.
	CrossCheck func(ctx context.Context, c *run.Run, planned Planned) diag.Diagnostics
	// MayEndOtherwise reports whether no plan knows if the rollout will be complete, as where a
	// wait may end with Progress.Paused. nil: each knows.
	MayEndOtherwise func(c *run.Run, planned Planned) bool
}

// Moment is when the references of the plan are checked.
func (p Planned) Moment() Moment {
	if p.Destroys {
		return InReplacement
	}
	return InPlan
}

// existing is the object that a plan changes, as far as it is known.
func (p Planned) existing() definition.Value {
	if p.Prior.IsNull() {
		return p.Planned
	}
	return p.Prior
}

// crossCheck calls CrossCheck.
func (p Planned) crossCheck(ctx context.Context, c *run.Run) diag.Diagnostics {
	if p.CrossCheck == nil {
		return nil
	}
	return p.CrossCheck(ctx, c, p)
}

// Change is a change of an object, in the plan or right before it is made in
// the apply.
type Change[W any] struct {
	// ID is nil if the plan of a create does not know it.
	ID ID
	// Desired is the planned object, nil for a delete. Before is the object in
	// the state, nil for a create.
	Desired, Before *W
	// Found is the current object, nil if it is not known: it is read in an apply if
	// Responses.Deleting is set.
	Found *W
	// Sent are the changed attributes of an update that have to be sent.
	Sent []path.Path
	// Value is Desired as a value, Prior Before. Config is the configuration.
	Value, Prior, Config definition.Value
	// Imported is set until the first update after an import.
	Imported bool
	// NotReady is set if an earlier update was not seen to be ready.
	NotReady bool
	// Memory is what the Rollout remembers.
	Memory Memory
	// Unknown are the unknown values of Desired. There are none in the apply.
	Unknown *definition.Unconvertible
	// InApply is set in the apply, right before the change is made; otherwise the
	// change is planned.
	InApply bool
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

// Watched is an object that a wait or a refresh looks at.
type Watched[W any] struct {
	ID ID
	// Planned is the saved or the refreshed state, and Desired that with its write-only
	// values.
	Planned, Desired definition.Value
	Memory           Memory
	// Created is set if the wait is for an object that this apply has created, Resumed if
	// this apply has sent nothing.
	Created, Resumed bool
	// Updated is set if the wait is for an update, of this apply or of an earlier one.
	Updated bool
	// IsDesired reports whether a response has the desired values.
	IsDesired func(found *W) bool
	// Imported is set until the first update after an import.
	Imported bool
	// query reads the object after its wait; nil: the API does.
	query func(ctx context.Context, id ID) (*W, error)
	// Stale is what a Wait knows of the state from before an update, or nil.
	Stale *stale
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

// Watch looks at what an object runs.
type Watch[W any] struct {
	// Probe looks once. An error is one of the query, which is repeated.
	Probe func(ctx context.Context) (Progress, error)
	// End ends the wait and completes the progress of the last probe, whose Text is in the error of a
	// wait without a result. err is why it has none, or nil. May be nil.
	End func(ctx context.Context, last Progress, err error) Progress
	// Query reads the object once the wait has ended; nil: API.Query does.
	Query func(ctx context.Context, id ID) (*W, error)
}

// Progress is what a probe has seen.
type Progress struct {
	// Done is set if the object runs as desired.
	Done bool
	// Paused is set if another client holds the rollout: the wait ends, and the rollout is
	// not complete. Warnings explain it.
	Paused bool
	// Failed is why the object will not run without a change, or nil.
	Failed error
	// Text describes the progress, for the log and errors.
	Text string
	// Details is more about a wait that has failed, in paragraphs that follow its error.
	Details string
	// Warnings are shown if the wait ends with this progress.
	Warnings diag.Diagnostics
	// Memory is what is remembered from now on; nil: as before.
	Memory Memory
}

// ended reports whether a wait ends with this progress.
func (p Progress) ended() bool { return p.Done || p.Paused || p.Failed != nil }
