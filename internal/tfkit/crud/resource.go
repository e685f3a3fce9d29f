package crud

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/fastpath"
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
		r.object.planDelete(ctx, r.Run, req.State.Raw, &resp.Diagnostics)
		resp.Diagnostics.Append(r.object.guard(ctx, r.Run, r.object.change(req.Plan.Raw, req.State.Raw, req.Config.Raw, nil, false))...)
		return
	}
	r.object.recordInState(r.Run, req.State.Raw)
	flags := loadFlags(ctx, req.Private, &resp.Diagnostics)
	if flags.NeverRead && !req.State.Raw.IsNull() {
		id, _ := r.object.Identity.of(req.State.Raw)
		movestate.AddNeverRead(&resp.Diagnostics, r.object.Title, r.object.named(id), r.object.Server.Name)
		return
	}
	written := flags.withImportedSecrets(r.object.Definition, req.Config.Raw, req.State.Raw)
	config, missing := r.object.keepSecrets(written, req.State.Raw)
	resp.Diagnostics.Append(missing...)
	next := flags
	next.HiddenFields = flags.HiddenFields && !req.State.Raw.IsNull() // a replacement is a new object
	resp.Diagnostics.Append(next.save(ctx, resp.Private, flags)...)
	flags.checkReplacement(r.object.Definition, r.object.Title, config, req.State.Raw, &resp.Diagnostics)
	if !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(r.object.CheckChange(config, req.State.Raw)...)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	from := Planned{Config: config, Prior: req.State.Raw, Memory: r.object.loadMemory(ctx, req.Private, &resp.Diagnostics), Imported: flags.Imported}
	from = r.object.Plan(ctx, r.Run, from)
	if len(from.Replaces) == 0 && r.object.isDeletedByParentReplacement(r.Run, req.State.Raw) {
		r.object.planReplacement(&from.Plan)
	}
	resp.Diagnostics.Append(r.object.planFields(ctx, r.Run, &from, flags)...)
	plan := from.Plan
	from.Destroys = r.object.recordReplaced(r.Run, req.State.Raw, plan)
	resp.Plan.Raw = plan.Planned
	AddReplacements(resp, r.object.Title, r.object.Deletion.Meanwhile, plan.Replaces)
	for _, hidden := range r.object.Definition.SensitiveChanges(req.State.Raw, plan) {
		resp.Diagnostics.AddAttributeWarning(hidden.Path, "Sensitive JSON text changes",
			fmt.Sprintf("%s, not only white space or the order of keys. Keys and values are sensitive, so no plan shows them.", hidden.Changes))
	}
	r.object.publishPlanned(r.Run, plan.Planned)
	resp.Diagnostics.Append(from.crossCheck(ctx, r.Run)...)
	resp.Diagnostics.Append(r.checkOnServers(ctx, from, written, resp.Diagnostics.HasError())...)
}

// checkOnServers checks a planned change against the servers. written is the configuration with
// the values that its write-only attributes have, hasErrors is set if the plan fails anyway.
func (r *Resource[W]) checkOnServers(ctx context.Context, from Planned, written definition.Value, hasErrors bool) (diags diag.Diagnostics) {
	switch {
	case from.Prior.IsNull() || len(from.Sent) > 0 && len(from.Replaces) == 0:
		var refused diag.Diagnostics
		change := r.object.change(from.Planned, from.Prior, from.Config, from.Memory, false)
		change.Sent = from.Sent
		r.object.checkReferences(ctx, r.Run, from.Moment(), r.object.newReferences(change), &refused)
		if !hasErrors {
			r.object.checkNeeds(ctx, r.Run, change, &refused)
		}
		refused.Append(r.object.guard(ctx, r.Run, change)...)
		refused.Append(r.object.warnOfLimit(change)...)
		refused.Append(r.object.checkUnsent(ctx, r.Run, written, from.Planned, from.Prior)...)
		return check.WithResumeDestroy(refused)
	case len(from.Replaces) > 0:
		// Terraform plans the new object next, which warns of what the server accepts.
		null := r.object.Definition.Null()
		made := r.object.change(from.Planned, null, from.Config, nil, false)
		r.object.checkReferences(ctx, r.Run, InReplacement, required(r.object.newReferences(made)), &diags)
		diags = check.WithResumeDestroy(diags)
		diags.Append(r.object.guard(ctx, r.Run, r.object.change(null, from.Prior, from.Config, nil, false))...)
	}
	return diags
}

// Read updates the state from the server. Values with the same meaning keep the
// spelling of the state.
func (r *Resource[W]) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	o := r.object
	if !o.Server.Ready(r.Run, &resp.Diagnostics) {
		return
	}
	id, _ := o.Identity.of(req.State.Raw)
	// The framework requires the identity also for a deleted resource.
	resp.Diagnostics.Append(o.saveIdentity(ctx, resp.Identity, id)...)
	flags := loadFlags(ctx, req.Private, &resp.Diagnostics)
	memory, corrected := o.corrected(o.loadMemory(ctx, req.Private, &resp.Diagnostics))
	if resp.Diagnostics.HasError() {
		return
	}
	o.recordHiddenFields(r.Run, id, flags)
	since := loadStale(ctx, req.Private, &resp.Diagnostics)
	o.lookAgain(ctx, r.Run, id, flags, since)
	found, err := r.readObject(ctx, id, req.State.Raw, flags, &resp.Diagnostics)
	switch {
	case err == nil && found == nil:
		if !resp.Diagnostics.HasError() {
			resp.State.RemoveResource(ctx)
		}
		return
	case err != nil:
		if known, ok := o.unreadable(err, req.State.Raw); ok && !flags.NeverRead {
			resp.State.Raw = known
			message.AddWarning(&resp.Diagnostics, "Unable to read "+o.Title,
				fmt.Errorf("the state keeps its values, and changes by other clients are not detected: %w", err))
			return
		}
		o.fail(ctx, r.Run, &resp.Diagnostics, "Unable to read "+o.Title, err)
		return
	}
	if why := o.unmanageable(id, found); why != "" {
		resp.Diagnostics.AddAttributeError(o.Identity.lastPath(), message.Capitalize(o.Title)+" cannot be managed here",
			message.Capitalize(o.named(id))+": "+why+fmt.Sprintf("\n\nNothing was changed. Look it up with the data source %s instead; if it is in the state, remove it with terraform state rm.", o.TypeName))
		return
	}
	if o.isDeleting(found) {
		message.AddWarning(&resp.Diagnostics, message.Capitalize(o.Title)+" is being deleted",
			fmt.Errorf("%s exists until its finalizers are removed. The first plan after that creates it again", o.named(id)))
	}
	resp.Diagnostics.Append(o.warnOfImport(ctx, r.Run, id, req.State.Raw, flags)...)
	stillNotReady := flags.NotReady && o.addNotReady(&resp.Diagnostics, id, req.State.Raw, found, since)
	w := Watched[W]{ID: id, Planned: req.State.Raw, Memory: memory, Imported: flags.Imported}
	state, memory := o.steps.Refresh(ctx, r.Run, w, found, &resp.Diagnostics)
	known := flags.afterRead(o.Definition, state)
	known.NotReady = stillNotReady
	resp.Diagnostics.Append(known.save(ctx, resp.Private, flags)...)
	resp.Diagnostics.Append(since.save(ctx, resp.Private, stillNotReady, since != nil)...)
	if corrected || !bytes.Equal(memory, w.Memory) {
		o.saveMemory(ctx, resp.Private, memory, &resp.Diagnostics)
	}
	w.Planned, w.Memory = state, memory
	if o.Identity.isChosenByServer() {
		w.ID, _ = o.Identity.of(w.Planned)
		resp.Diagnostics.Append(o.saveIdentity(ctx, resp.Identity, w.ID)...)
	}
	resp.State.Raw = o.refreshRollout(ctx, r.Run, w, found, req.State.Raw, &resp.Diagnostics)
}

// readObject reads an object for a refresh. It returns nil for one that does not exist, and
// adds what is to be said of it.
func (r *Resource[W]) readObject(ctx context.Context, id ID, state definition.Value, flags Flags, diags *diag.Diagnostics) (*W, error) {
	o := r.object
	if flags.CreateUnknown || o.Identity.isChosenByServer() && flags.isCreateUnknown(state) {
		return o.lostCreate(ctx, r.Run, id, state, "was removed from the state", diags)
	}
	found, err := o.refreshed(ctx, r.Run, id, state, flags)
	if !o.Server.Errors.NotFound(err) {
		return found, err
	}
	if o.Responses.Gone != nil {
		diags.Append(o.Responses.Gone(ctx, r.Run, state)...)
	}
	if why := explanation(err); why != "" {
		diags.AddWarning(message.Capitalize(o.Title)+" does not exist", fmt.Sprintf("%s: %s", message.Capitalize(o.named(id)), why))
	}
	return nil, nil // there is none
}

// unreadable returns the state of an object that exists but cannot be read.
func (o *Object[W]) unreadable(err error, state definition.Value) (known definition.Value, ok bool) {
	if o.Responses.Unreadable == nil || err == nil {
		return state, false
	}
	fields, ok := o.Responses.Unreadable(err, maps.Clone(definition.FieldsOf(state)))
	if !ok {
		return state, false
	}
	return tftypes.NewValue(state.Type(), fields), true
}

func (o *Object[W]) fail(ctx context.Context, c *run.Run, diags *diag.Diagnostics, summary string, err error) {
	o.addError(ctx, c, diags, summary, err, o.Needs)
}

func (o *Object[W]) addError(ctx context.Context, c *run.Run, diags *diag.Diagnostics, summary string, err error, needs versions.Need) {
	if !c.AddUnsupported(ctx, diags, summary, err, needs) {
		message.AddError(diags, summary, err)
	}
}

// countWrite records the start of a write, and the returned function its end.
func (o *Object[W]) countWrite(c *run.Run, id ID, before *W) (end func()) {
	c.CountWrite()
	return func() {
		c.CountWrite()
		c.ForgetReferenced(o.TypeName, id.String())
		if o.Writes.Done != nil {
			o.Writes.Done(c, id, before)
		}
	}
}

// refreshed reads an object for a refresh, or returns the response that a
// shortcut has already fetched. Whether an object is ready is not known from a list.
func (o *Object[W]) refreshed(ctx context.Context, c *run.Run, id ID, state definition.Value, flags Flags) (*W, error) {
	if flags.NotReady {
		found, err := o.steps.API(c, state).Query(ctx, id)
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
