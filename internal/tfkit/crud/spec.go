package crud

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/lifecycle"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/manifest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// Spec declares a resource. W is the wire type of the object.
type Spec[W any] struct {
	// Type is the resource type without the provider's name ("app_image");
	// Title is the name of the object in messages ("app image").
	Type, Title string
	// Schema declares the attributes. The computed attribute id is added.
	Schema definition.Schema
	// Identity is what identifies the object.
	Identity Identity

	// ToWire converts a planned object. It must read every attribute that is
	// sent, by name, and no other: every unknown or null value that it reads is
	// reported. nil: Steps.Prepare makes the requests.
	ToWire func(definition.Reader) *W
	// FromWire converts a response to values by attribute name. Identity
	// attributes that the server does not return may be left out.
	FromWire func(*W) definition.Tree
	// Responses is what else a response means.
	Responses Responses[W]

	// Server is the API that stores the objects; the zero value is the
	// KusciaAPI.
	Server Server
	// API returns the calls of the API. nil: Steps.API does.
	API func(*run.Run) API[W]
	// BulkRead reads many objects in one request, each as Query returns it. nil
	// if the API has no such call.
	BulkRead *BulkRead[W]
	// Needs is the API of the objects, which only some versions of Kuscia have; the zero value:
	// all have it. What their attributes need is declared by definition.Attribute.Since.
	Needs versions.Need
	// CustomResource is for objects with fields that the API does not carry, and adds
	// allow_removal_of. May be nil.
	CustomResource *manifest.CustomResource[W]

	// Checks are what the server allows.
	Checks Checks[W]
	// Writes is how the server carries out what is sent.
	Writes Writes[W]
	// Deletion is what a deletion does to other objects.
	Deletion Deletion
	// Rollout is for objects that start and run. May be nil.
	Rollout *Rollout[W]
	// Wait waits after a create if the configuration enables it. May be nil.
	Wait *Wait[W]
	// Planned publishes a planned object to the other resources of the same
	// plan, without the parts at some paths, which are unknown or cannot be converted. May be
	// nil.
	Planned func(c *run.Run, id ID, wire *W, without []path.Path)

	// Steps returns the steps of an object whose server has rules that no declaration
	// expresses. declared are those that follow from the rest of the Spec. nil: declared.
	Steps func(declared Steps[W]) Steps[W]
}

// Responses is what a response means, besides the values that Spec.FromWire makes of it. Each may
// be nil.
type Responses[W any] struct {
	// Convert replaces Spec.FromWire where the conversion depends on the object as the plan or
	// the state has it, which is null if there is none.
	Convert func(found *W, known definition.Value) definition.Tree
	// Partial reports that a response lacks attributes that Convert has taken from the
	// known object.
	Partial func(*W) bool
	// Unmanageable explains, as a sentence, why an existing object must not be
	// managed by a resource, for example because it is a copy of another one;
	// "" if it may be managed. Such an object is neither read into a state,
	// adopted nor listed; data sources show it.
	Unmanageable func(id ID, found *W) string
	// Deleting reports that the server is still deleting an object, which is then
	// neither changed nor adopted. nil: objects are deleted at once.
	Deleting func(*W) bool
	// Unreadable handles errors that mean that the object exists but cannot be
	// returned. It returns the state that a refresh keeps, with a warning, so
	// that a plan can repair the object. ok is false if the refresh has to
	// fail.
	Unreadable func(err error, state map[string]definition.Value) (known map[string]definition.Value, ok bool)
	// Gone adds what is to be said of an object in a state that does not exist any more. An
	// error keeps it in the state. It is also called before the object of a lost create is
	// looked up by API.Find.
	Gone func(ctx context.Context, c *run.Run, state definition.Value) diag.Diagnostics
}

// Server is an API that stores objects.
type Server struct {
	// Name is its name in messages.
	Name string
	// Errors classifies its errors.
	Errors lifecycle.Errors
	// Ready reports whether it can be called, and adds an error if not.
	Ready func(c *run.Run, diags *diag.Diagnostics) bool
	// Reached reports whether the plan of a change can be checked against it, and adds, once
	// in a run, why not. nil: the plan is not checked.
	Reached func(c *run.Run, ctx context.Context, diags *diag.Diagnostics) bool
}

// kusciaAPI is the default server.
var kusciaAPI = Server{Name: "Kuscia", Errors: clients.KusciaErrors, Ready: (*run.Run).ReadyKuscia, Reached: (*run.Run).ReachedKuscia}

// Cluster is the server of objects of the Kubernetes API.
var Cluster = Server{
	Name: "the cluster", Errors: clients.KubernetesErrors,
	Ready: func(c *run.Run, diags *diag.Diagnostics) bool {
		_, ready := c.ReadyKubernetes(diags)
		return ready
	},
	Reached: (*run.Run).ReachedKubernetes,
}

// BulkRead reads many objects in one request, each with the values that Query
// returns. A refresh uses it when it reads several objects of a group; an object that
// the response lacks, or that a failed wait left unready, is read with Query.
type BulkRead[W any] struct {
	// Group returns the scope of a request that contains the object, such as
	// its domain.
	Group func(id ID) string
	// Find returns all objects of a group.
	Find func(ctx context.Context, c *run.Run, group string) ([]W, error)
	// ID returns the identity of a returned object.
	ID func(group string, found *W) ID
}

// Checks are what the server allows. Each may be nil.
type Checks[W any] struct {
	// Object reports problems of an object that the server would silently ignore
	// or refuse only in the apply.
	Object func(*check.Checker, *W)
	// References are the objects to which an object refers, which a plan looks up.
	References func(*W) []Reference
	// Guard refuses a harmful change that the server would accept, or one whose
	// validity depends on the current objects of the server. It is called in
	// the plan of a change, and again right before the change is made.
	Guard func(ctx context.Context, c *run.Run, change Change[W]) diag.Diagnostics
}

// Writes is how the server carries out what is sent.
type Writes[W any] struct {
	// ReplaceAll is set for an API without updates: every change is a
	// replacement.
	ReplaceAll bool
	// LookupFirst is set for a server whose create overwrites an existing
	// object.
	LookupFirst bool
	// CompareFirst is set for a server with versions of objects: an update compares the
	// object with the state first, see Update.Compare.
	CompareFirst bool
	// ConsistencyDelay is how long an eventually consistent server may return
	// stale objects after a write; 0 means never.
	ConsistencyDelay time.Duration
	// StaleDelay is how long a read after a write may return the object from before it, as
	// with a cache in front of the server; 0 means staleDelay.
	StaleDelay time.Duration
	// AfterCreate waits for a short time for what the server adds to a new
	// object. It returns even if nothing is added. It is called after the state
	// is saved. May be nil.
	AfterCreate func(ctx context.Context, c *run.Run, id ID, created *W)
	// Done publishes that the object was created, updated or deleted. before
	// is the old object, nil for a create. May be nil.
	Done func(c *run.Run, id ID, before *W)
}

// consistencyPause is the poll interval while an eventually consistent server
// may return stale responses.
const consistencyPause = 100 * time.Millisecond

// staleDelay is how long any server may return a stale response after a write:
// one with several API servers or a cache in front of it.
const staleDelay = 2 * time.Second

// Deletion is what a deletion does to other objects, also that of a replacement.
type Deletion struct {
	// Meanwhile is what does not work while an object is replaced, until the new one is there, as a
	// sentence; "" if the reasons for a replacement tell it.
	Meanwhile string
	// UsedBy are the objects that use an object, about which the plan of its deletion warns.
	// May be nil.
	UsedBy *UsedBy
	// With is the object with which the server deletes this one. May be nil.
	With *DeletedWith
}

// UsedBy are the users of an object that the server deletes although it is used.
type UsedBy struct {
	// Find returns those that the servers show.
	Find func(ctx context.Context, c *run.Run, id ID) []run.User
	// Without is what happens to them, as a sentence.
	Without string
}

// DeletedWith declares that the server deletes this object together with
// another one, its parent. When a plan replaces the parent, it has to replace
// this object too, or the object would be missing after the apply. This object
// refers to its parent, so Terraform plans the parent first.
type DeletedWith struct {
	// TypeName is the resource type of the parent.
	TypeName string
	// ID returns the identity of the parent, from the attributes of this
	// object.
	ID func(attributes map[string]definition.Value) ID
	// Why explains the behavior of the server, as a sentence.
	Why string
}

// Rollout is what a resource adds whose objects start and run: a create and an update wait
// until they do, if wait_for_rollout is set, and rollout_complete is whether they were seen
// to.
type Rollout[W any] struct {
	// WaitText and CompleteText describe wait_for_rollout and rollout_complete, in Markdown.
	WaitText, CompleteText string
	// Timeouts are the default time limits, of an operation with its wait.
	Timeouts definition.Timeouts
	// Pace is the interval between two probes, if these do not wait themselves for what is new.
	Pace wait.Interval
	// Restarts reports whether changes of some attributes affect what runs. nil: any does.
	Restarts func(changed []path.Path) bool
	// Before returns what has to be remembered of the time before a request, and adds to the
	// planned object what the plan did not know. It is called right before a create or an update is
	// made, also one that sends nothing; after an error nothing is sent. May be nil.
	Before func(ctx context.Context, c *run.Run, change *Change[W], diags *diag.Diagnostics) Memory
	// Watch begins a wait. nil: Steps.Prepare does.
	Watch func(ctx context.Context, c *run.Run, w Watched[W]) Watch[W]
	// Runs reports, for a refresh, whether an object runs as the server has it. nil: Steps.Refresh
	// sets rollout_complete.
	Runs func(ctx context.Context, c *run.Run, w Watched[W], found *W) (bool, error)
	// Current returns what counts of a response, which may be from before the last update.
	// May be nil.
	Current func(found *W, memory Memory) *W
	// Correct returns what counts of a memory now, and whether that differs. May be nil.
	Correct func(memory Memory) (corrected Memory, differs bool)
	// Observe returns what is remembered after a refresh, or a read after a write, of what runs.
	// May be nil.
	Observe func(ctx context.Context, c *run.Run, w Watched[W], found *W) Memory
	// CheckMemory returns what is wrong with a stored memory: Decodes of its type.
	CheckMemory func(memory Memory) error
}

// attributes are the attributes of the wait.
func (r *Rollout[W]) attributes() []definition.Attribute {
	return []definition.Attribute{
		{Name: definition.AttrWaitForRollout, Type: definition.Bool, Presence: definition.Optional, Local: true, Default: true, Description: r.WaitText},
		{Name: definition.AttrRolloutComplete, Type: definition.Bool, Presence: definition.Computed, Local: true, Description: r.CompleteText},
	}
}
