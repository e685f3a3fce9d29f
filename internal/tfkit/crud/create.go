package crud

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/lifecycle"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// Create creates the object, saves it as planned, waits until it runs, and reads it back.
func (r *Resource[W]) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	o := r.object
	planned := o.Definition.Derived(o.Definition.Generated(req.Plan.Raw))
	ctx, cancel := o.limited(ctx, planned, definition.OnCreate)
	defer cancel()
	change := o.change(planned, o.Definition.Null(), req.Config.Raw, nil, true)
	if o.checkNeeds(ctx, r.Run, change, &resp.Diagnostics); resp.Diagnostics.HasError() {
		return
	}
	op := o.steps.Prepare(ctx, r.Run, *change, &resp.Diagnostics)
	defer op.end()
	if resp.Diagnostics.HasError() {
		return
	}
	planned, ctx = op.Planned, op.with(ctx)
	id, _ := o.Identity.of(planned)
	defer func() { o.recordInState(r.Run, resp.State.Raw) }()
	defer o.countWrite(r.Run, id, nil)()

	claimed := r.Run.Claim(o.messageObject(id, planned))
	creation := o.creation(ctx, r.Run, id, op)
	creation.AdoptExisting = r.Run.Adopts(claimed)
	created := lifecycle.Result{Outcome: lifecycle.NotCreated, Err: &lifecycle.AlreadyExistsError{}}
	if !claimed.Creating { // the server may not have the other one yet, and would create both
		created = creation.Do(ctx)
	}
	if created.Outcome == lifecycle.NotCreated && r.Run.AddUnsupported(ctx, &resp.Diagnostics, "Unable to create "+o.Title, created.Err, o.Needs) {
		r.Run.Release(claimed)
		return
	}
	response := o.Definition.Null()
	if creation.made != nil {
		response = o.valueOf(id, creation.made, planned)
		id, _ = o.Identity.of(response)
	}
	claimed.ImportID = o.messageObject(id, planned).ImportID // the server may have chosen it
	if !r.Run.AddCreateResult(&resp.Diagnostics, claimed, created) {
		return
	}
	resp.State.Raw = o.beforeWait(o.Definition.Filled(planned, response), o.Definition.Null(), op.waits())
	known, saved := op.remembered(created.Outcome == lifecycle.Adopted)
	o.saveMemory(ctx, resp.Private, saved, &resp.Diagnostics)
	w := Watched[W]{ID: id, Planned: planned, Desired: op.Desired, Memory: known, Created: created.Outcome == lifecycle.Created}
	unknown := created.Outcome == lifecycle.Unknown
	if !unknown || !o.Identity.isChosenByServer() { // an identity cannot be changed later
		resp.Diagnostics.Append(o.saveIdentity(ctx, resp.Identity, id)...)
	}
	if unknown {
		// Nobody else has an object with a generated id.
		if _, configured := o.Identity.of(req.Plan.Raw); configured || o.Identity.isChosenByServer() {
			resp.State.Raw = markCreateUnknown(o.Definition, resp.State.Raw)
			resp.Diagnostics.Append(Flags{CreateUnknown: true}.save(ctx, resp.Private, Flags{})...)
		}
		return
	}
	if created.Outcome == lifecycle.Adopted && o.CustomResource != nil {
		resp.Diagnostics.Append(Flags{HiddenFields: true}.save(ctx, resp.Private, Flags{})...)
	}
	if o.Writes.AfterCreate != nil {
		o.Writes.AfterCreate(ctx, r.Run, id, op.Create)
	}
	r.finish(ctx, w, createdObject, op, &resp.State, resp.Private, &resp.Diagnostics)
}

// creation is a create.
type creation[W any] struct {
	lifecycle.Create[*W]

	// made is what was created or found, if the server chooses the id.
	made *W
}

// creation returns the create operation for package lifecycle. What is compared includes
// write-only values.
func (o *Object[W]) creation(ctx context.Context, c *run.Run, id ID, op Operation[W]) *creation[W] {
	api := o.steps.API(c, op.Desired)
	out := &creation[W]{Create: lifecycle.Create[*W]{
		Errors:       o.Server.Errors,
		LookupFirst:  o.Writes.LookupFirst,
		RetryTimeout: op.RetryFor,
		Send:         func(ctx context.Context) error { return api.Create(ctx, op.Create) },
		Lookup:       func(ctx context.Context) (*W, error) { return api.Query(ctx, id) },
		Differences: func(found *W) (different []string) {
			if why := o.unmanageable(id, found); why != "" {
				return []string{"what it is: " + strings.TrimRight(why, ".")}
			}
			if o.isDeleting(found) { // since the check before the create
				return []string{"what it is: an object that is being deleted"}
			}
			return texts(o.steps.Differences(op.Desired, id, found, nil))
		},
	}}
	out.StrictDifferences = func(found *W) []string {
		return append(out.Differences(found), texts(o.steps.UnmanagedDifferences(ctx, c, op.Desired, found))...)
	}
	if api.Find != nil {
		out.findByName(api, op.Create)
	}
	return out
}

// texts are paths in messages.
func texts(paths []path.Path) (all []string) {
	for _, at := range paths {
		all = append(all, at.String())
	}
	return all
}

// findByName makes a create one of a server that chooses the id. A second request could
// create a second object, so that it sends one at most. The objects of the name are looked up
// first, so that one that is found after a lost response is that of this create.
func (c *creation[W]) findByName(api API[W], wire *W) {
	var lost error
	c.LookupFirst, c.Errors.NotFound = true, func(err error) bool { return errors.Is(err, errNoneOfThatName) }
	c.Send = func(ctx context.Context) error {
		if lost != nil {
			return lost
		}
		made, err := api.CreateObject(ctx, wire)
		switch {
		case err == nil:
			c.made = made
		case c.Errors.OutcomeUnknown(err):
			lost = err
		}
		return err
	}
	c.Lookup = func(ctx context.Context) (*W, error) {
		found, err := api.Find(ctx, wire)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, errNoneOfThatName
		}
		like := slices.IndexFunc(found, func(one *W) bool { return len(c.Differences(one)) == 0 })
		c.made = found[max(like, 0)]
		return c.made, nil
	}
}

// errNoneOfThatName is returned if no object has the name of one that is created. A server
// that cannot list them, also with a 404, has not said so.
var errNoneOfThatName = errors.New("there is no object of this name")

// lostCreate returns the object of a create whose response was lost, nil if there is none that
// is certainly of this create: the only one of its id or name, and as in the state, without
// write-only values. It warns of another one, which was not touched, as what says.
func (o *Object[W]) lostCreate(ctx context.Context, c *run.Run, id ID, state definition.Value, what string, diags *diag.Diagnostics) (*W, error) {
	found, err := o.candidates(ctx, c, id, state, diags)
	if err != nil {
		return nil, err
	}
	isLike := func(one *W) bool { return len(o.steps.Differences(state, id, one, nil)) == 0 }
	like := slices.DeleteFunc(slices.Clone(found), func(one *W) bool { return !isLike(one) })
	if len(like) == 1 && (o.Responses.Partial == nil || !o.Responses.Partial(like[0])) && !o.Definition.UsesWriteOnly(state) {
		return like[0], nil
	}
	if others := slices.Concat(like, found); len(others) > 0 {
		otherID, _ := o.Identity.of(o.valueOf(id, others[0], state))
		if other := o.messageObject(otherID, state); !c.KeepsAdopted(diags, other) {
			message.AddNotCreated(diags, other, what)
		}
	}
	return nil, nil
}

// candidates returns the objects that may be that of a create whose response was lost.
func (o *Object[W]) candidates(ctx context.Context, c *run.Run, id ID, state definition.Value, diags *diag.Diagnostics) ([]*W, error) {
	if !o.Identity.isChosenByServer() {
		found, err := o.read(ctx, c, id, state)
		if o.Server.Errors.NotFound(err) {
			return nil, nil
		}
		return []*W{found}, err
	}
	if o.Responses.Gone != nil {
		if diags.Append(o.Responses.Gone(ctx, c, state)...); diags.HasError() {
			return nil, nil
		}
	}
	wire, _ := o.wire(state, o.Definition.Null())
	return o.steps.API(c, state).Find(ctx, wire)
}
