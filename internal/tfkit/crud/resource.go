package crud

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/lifecycle"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/movestate"
)

// Resource implements the Terraform resource of an object.
type Resource[W any] struct {
	BaseResourceWithIdentity
	movestate.KindsSetter

	object *Object[W]
}

// NewResource returns the resource.
func (o *Object[W]) NewResource() resource.Resource {
	return &Resource[W]{BaseResourceWithIdentity: NewBaseResourceWithIdentity(&o.kind), object: o}
}

// ModifyPlan plans the whole resource and replaces the framework's proposal.
func (r *Resource[W]) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if req.Plan.Raw.IsNull() {
		r.object.planDelete(ctx, r.Clients, req.State.Raw, &resp.Diagnostics)
		resp.Diagnostics.Append(r.object.guard(ctx, r.Clients, req.Plan.Raw, req.State.Raw, false)...)
		return
	}
	r.object.recordInState(r.Clients, req.State.Raw)
	flags := loadFlags(ctx, req.Private, &resp.Diagnostics)
	if flags.Unread && !req.State.Raw.IsNull() {
		id, _ := r.object.idOf(req.State.Raw)
		movestate.AddUnread(&resp.Diagnostics, clients.Capitalize(r.object.named(id)), r.object.Server.Name)
		return
	}
	config, next := flags.WithImportedSecrets(r.object.Definition, req.Config.Raw, req.State.Raw)
	next.Unseen = flags.Unseen && !req.State.Raw.IsNull() // a replacement is a new object
	resp.Diagnostics.Append(next.save(ctx, resp.Private, flags)...)
	resp.Diagnostics.Append(r.object.CheckPlan(config, req.State.Raw)...)
	flags.CheckReplacement(r.object.Definition, r.object.Title, config, req.State.Raw, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	plan := r.object.plan(config, req.State.Raw, flags.Imported)
	if len(plan.Replaces) == 0 && r.object.isDeletedByParentReplacement(r.Clients, req.State.Raw) {
		r.object.planReplacement(&plan)
	}
	r.object.recordReplaced(r.Clients, req.State.Raw, plan)
	resp.Plan.Raw = plan.Planned
	AddReplacements(resp, r.object.Title, plan.Replaces)
	r.object.publishPlanned(r.Clients, plan.Planned)
	switch {
	case req.State.Raw.IsNull() || len(plan.Sent) > 0 && len(plan.Replaces) == 0:
		var refused diag.Diagnostics
		r.object.checkReferences(ctx, r.Clients, plan.Planned, req.State.Raw, &refused)
		refused.Append(r.object.guard(ctx, r.Clients, plan.Planned, req.State.Raw, false)...)
		resp.Diagnostics.Append(check.WithResumeDestroy(refused)...)
		resp.Diagnostics.Append(r.object.warnUnseen(r.Clients, flags, plan.Planned, req.State.Raw)...)
	case len(plan.Replaces) > 0:
		resp.Diagnostics.Append(r.object.guard(ctx, r.Clients, r.object.Definition.Null(), req.State.Raw, false)...)
	}
}

// Create creates the object, saves it as planned, and then reads it back.
func (r *Resource[W]) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	o := r.object
	planned := o.Definition.Derived(o.Definition.Generated(req.Plan.Raw))
	desired := o.Definition.WithSecrets(planned, req.Config.Raw, o.Definition.Null(), o.Definition.Null())
	wire, diags := o.Request(desired, req.Config.Raw)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() || !o.Server.Ready(r.Clients, &resp.Diagnostics) {
		return
	}
	id, _ := o.idOf(planned)
	if resp.Diagnostics.Append(o.guard(ctx, r.Clients, planned, o.Definition.Null(), true)...); resp.Diagnostics.HasError() {
		return
	}
	defer func() { o.recordInState(r.Clients, resp.State.Raw) }()
	defer o.countWrite(r.Clients, id, nil)()

	created := o.creation(r.Clients, id, wire, desired).Do(ctx)
	if created.Outcome == lifecycle.NotCreated && r.Clients.AddUnsupported(ctx, &resp.Diagnostics, "Unable to create "+o.named(id), created.Err, o.MinimumVersion) {
		return
	}
	if !r.Clients.AddCreateResult(&resp.Diagnostics, o.messageObject(id), created) {
		return
	}
	resp.Diagnostics.Append(o.saveIdentity(ctx, resp.Identity, id)...)
	resp.State.Raw = o.Definition.Filled(planned, o.Definition.Null())
	if created.Outcome == lifecycle.Unknown {
		// Nobody else has an object with a generated id.
		if _, configured := o.idOf(req.Plan.Raw); configured {
			resp.State.Raw = MarkUncertain(o.Definition, resp.State.Raw)
			resp.Diagnostics.Append(Flags{Uncertain: true}.save(ctx, resp.Private, Flags{})...)
		}
		return
	}
	if o.AfterCreate != nil {
		o.AfterCreate(ctx, r.Clients, id, wire)
	}
	r.readBackCreated(ctx, id, planned, desired, &resp.State, &resp.Diagnostics)
	if o.Wait != nil && !resp.Diagnostics.HasError() {
		r.wait(ctx, id, o.Wait.create(), planned, desired, &resp.State, &resp.Diagnostics)
	}
}

// creation returns the create operation for package lifecycle. desired includes
// write-only values, so that they are compared as well.
func (o *Object[W]) creation(c *clients.Clients, id ID, wire *W, desired definition.Value) lifecycle.Create[*W] {
	api := o.API(c)
	return lifecycle.Create[*W]{
		Errors:        o.Server.Errors,
		AdoptExisting: c.AdoptExisting,
		LookupFirst:   o.LookupFirst,
		Send:          func(ctx context.Context) error { return api.Create(ctx, wire) },
		Lookup:        func(ctx context.Context) (*W, error) { return api.Query(ctx, id) },
		Differences: func(found *W) (different []string) {
			if why := o.unmanageable(id, found); why != "" {
				return []string{"what it is: " + strings.TrimRight(why, ".")}
			}
			if o.isDeleting(found) { // since the check before the create
				return []string{"what it is: an object that is being deleted"}
			}
			for _, at := range o.Definition.Differences(desired, o.valueOf(id, found)) {
				different = append(different, at.String())
			}
			return different
		},
	}
}

// Read updates the state from the server. Values with the same meaning keep the
// spelling of the state.
func (r *Resource[W]) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	o := r.object
	if !o.Server.Ready(r.Clients, &resp.Diagnostics) {
		return
	}
	id, _ := o.idOf(req.State.Raw)
	// The framework requires the identity also for a deleted resource.
	resp.Diagnostics.Append(o.saveIdentity(ctx, resp.Identity, id)...)
	flags := loadFlags(ctx, req.Private, &resp.Diagnostics)
	found, err := o.refreshed(ctx, r.Clients, id, flags)
	switch {
	case o.Server.Errors.NotFound(err):
		if why := explanation(err); why != "" {
			resp.Diagnostics.AddWarning(clients.Capitalize(o.named(id))+" does not exist", why)
		}
		resp.State.RemoveResource(ctx)
		return
	case err != nil:
		if known, ok := o.unreadable(err, req.State.Raw); ok {
			resp.State.Raw = known
			clients.AddWarning(&resp.Diagnostics, clients.Capitalize(o.named(id))+" cannot be read",
				fmt.Errorf("the state keeps its values, and changes by other clients are not detected: %w", err))
			return
		}
		o.fail(ctx, r.Clients, &resp.Diagnostics, "Unable to read "+o.named(id), err)
		return
	}
	if why := o.unmanageable(id, found); why != "" {
		resp.Diagnostics.AddAttributeError(o.lastIdentityPath(), fmt.Sprintf("%s cannot be managed here", clients.Capitalize(o.named(id))),
			why+fmt.Sprintf("\n\nNothing was changed. Look it up with the data source %s instead; if it is in the state, remove it with terraform state rm.", o.TypeName))
		return
	}
	if o.isDeleting(found) {
		clients.AddWarning(&resp.Diagnostics, clients.Capitalize(o.named(id))+" is being deleted",
			errors.New("it exists until its finalizers are removed. The first plan after that creates it again"))
	}
	response := o.valueOf(id, found)
	if flags.Uncertain && !o.Definition.IsCreated(req.State.Raw, response) {
		clients.AddNotCreated(&resp.Diagnostics, o.messageObject(id), "was removed from the state")
		resp.State.RemoveResource(ctx)
		return
	}
	known := flags
	known.Uncertain, known.Unread = false, false
	known.Unready = flags.Unready && o.addUnready(&resp.Diagnostics, id, req.State.Raw, found)
	resp.Diagnostics.Append(known.save(ctx, resp.Private, flags)...)
	resp.State.Raw = o.Definition.Refreshed(response, req.State.Raw)
}

// Update sends the planned changes. If it fails, the prior state is kept, and
// the next plan shows the values on the server.
func (r *Resource[W]) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	o := r.object
	planned, prior, config := req.Plan.Raw, req.State.Raw, req.Config.Raw
	id, _ := o.idOf(prior)
	resp.Diagnostics.Append(o.saveIdentity(ctx, resp.Identity, id)...)
	flags := loadFlags(ctx, req.Private, &resp.Diagnostics)
	next := flags.AfterUpdate(o.Definition, config, planned)
	next.Unseen = o.keepsUnseen(flags, planned, prior)
	if !o.Definition.Sends(prior, planned) {
		resp.State.Raw = o.Definition.Filled(planned, prior)
		resp.Diagnostics.Append(next.save(ctx, resp.Private, flags)...)
		if flags.Unready && o.Server.Ready(r.Clients, &resp.Diagnostics) {
			r.waitAfterUpdate(ctx, id, planned, planned, next, resp)
		}
		return
	}
	if !o.Server.Ready(r.Clients, &resp.Diagnostics) {
		return
	}
	before, _ := o.wire(prior, o.Definition.Null())
	defer o.recordInState(r.Clients, prior)
	defer o.countWrite(r.Clients, id, before)()
	current := o.Definition.Null()
	if o.Definition.KeepsSecrets(planned, prior) {
		// An update contains the whole object. The version of a write-only
		// value has not changed, so the value on the server is sent again.
		found, err := o.API(r.Clients).Query(ctx, id)
		if err != nil {
			o.fail(ctx, r.Clients, &resp.Diagnostics, fmt.Sprintf("Unable to read %s before updating it", o.named(id)), err)
			return
		}
		current = o.valueOf(id, found)
	}
	desired := o.Definition.WithSecrets(o.Definition.OmitUnmanaged(planned, config), config, prior, current)
	wire, diags := o.Request(desired, config)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	if resp.Diagnostics.Append(o.guard(ctx, r.Clients, planned, prior, true)...); resp.Diagnostics.HasError() {
		return
	}
	if err := o.update(ctx, r.Clients, planned, wire, before); err != nil {
		o.fail(ctx, r.Clients, &resp.Diagnostics, "Unable to update "+o.named(id), err)
		if o.Server.Errors.OutcomeUnknown(err) && o.Definition.ChangesSecrets(planned, prior) {
			// The prior version may no longer match the value on the server.
			resp.State.Raw = o.Definition.InvalidateVersions(prior)
		}
		if o.Server.Errors.OutcomeUnknown(err) && o.waitsAfterUpdate() {
			unready := flags
			unready.Unready = true // it may have been carried out
			resp.Diagnostics.Append(unready.save(ctx, resp.Private, flags)...)
		}
		return
	}
	resp.State.Raw = o.Definition.Filled(planned, prior)
	r.readBack(ctx, id, planned, desired, &resp.State, &resp.Diagnostics)
	resp.Diagnostics.Append(next.save(ctx, resp.Private, flags)...)
	r.waitAfterUpdate(ctx, id, planned, desired, next, resp)
}

// update sends an update within its time limit, if it has one.
func (o *Object[W]) update(ctx context.Context, c *clients.Clients, planned definition.Value, desired, before *W) error {
	if o.waitsAfterUpdate() {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.Definition.Timeout(planned, definition.OnUpdate))
		defer cancel()
	}
	return o.API(c).Update(ctx, desired, before) //nolint:wrapcheck // the error describes the request
}

// waitAfterUpdate waits after an update, and saves whether the object was seen ready.
// There is no wait after an error.
func (r *Resource[W]) waitAfterUpdate(ctx context.Context, id ID, planned, desired definition.Value, flags Flags, resp *resource.UpdateResponse) {
	if !r.object.waitsAfterUpdate() {
		return
	}
	if !resp.Diagnostics.HasError() {
		r.wait(ctx, id, r.object.Wait.update(), planned, desired, &resp.State, &resp.Diagnostics)
	}
	next := flags
	next.Unready = resp.Diagnostics.HasError()
	resp.Diagnostics.Append(next.save(ctx, resp.Private, flags)...)
}

// Delete deletes the object; an object that no longer exists is not an error.
func (r *Resource[W]) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	o := r.object
	if !o.Server.Ready(r.Clients, &resp.Diagnostics) {
		return
	}
	id, _ := o.idOf(req.State.Raw)
	if r.Clients.KeepsAdopted(&resp.Diagnostics, o.messageObject(id)) {
		return
	}
	if resp.Diagnostics.Append(o.guard(ctx, r.Clients, o.Definition.Null(), req.State.Raw, true)...); resp.Diagnostics.HasError() {
		return
	}
	if loadFlags(ctx, req.Private, &resp.Diagnostics).IsUncertain(req.State.Raw) {
		// A refresh would have decided whose the object is.
		switch found, err := o.read(ctx, r.Clients, id); {
		case o.Server.Errors.NotFound(err):
			return
		case err != nil:
			o.fail(ctx, r.Clients, &resp.Diagnostics, fmt.Sprintf("Unable to read %s before deleting it", o.named(id)), err)
			return
		case !o.Definition.IsCreated(req.State.Raw, o.valueOf(id, found)):
			clients.AddNotCreated(&resp.Diagnostics, o.messageObject(id), "was not deleted")
			return
		}
	}
	before, _ := o.wire(req.State.Raw, o.Definition.Null())
	defer o.countWrite(r.Clients, id, before)()
	if o.Wait != nil && o.Wait.Timeouts.Delete > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.Definition.Timeout(req.State.Raw, definition.OnDelete))
		defer cancel()
	}
	if err := o.delete(ctx, r.Clients, id, before); err != nil {
		o.fail(ctx, r.Clients, &resp.Diagnostics, "Unable to delete "+o.named(id), err)
	}
}

// unreadable returns the state of an object that exists but cannot be read.
func (o *Object[W]) unreadable(err error, state definition.Value) (known definition.Value, ok bool) {
	if o.Unreadable == nil || err == nil {
		return state, false
	}
	fields, ok := o.Unreadable(err, maps.Clone(definition.FieldsOf(state)))
	if !ok {
		return state, false
	}
	return tftypes.NewValue(state.Type(), fields), true
}

func (o *Object[W]) fail(ctx context.Context, c *clients.Clients, diags *diag.Diagnostics, summary string, err error) {
	o.addError(ctx, c, diags, summary, err, o.MinimumVersion)
}

func (o *Object[W]) addError(ctx context.Context, c *clients.Clients, diags *diag.Diagnostics, summary string, err error, since clients.MinimumVersion) {
	if !c.AddUnsupported(ctx, diags, summary, err, since) {
		clients.AddError(diags, summary, err)
	}
}

// countWrite records the start of a write, and the returned function its end.
func (o *Object[W]) countWrite(c *clients.Clients, id ID, before *W) (end func()) {
	c.CountWrite()
	return func() {
		c.CountWrite()
		c.ForgetReferenced(o.TypeName, id.String())
		if o.AfterWrite != nil {
			o.AfterWrite(c, id, before)
		}
	}
}
