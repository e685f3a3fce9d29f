package crud

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/movestate"
)

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

// Plan adds the planned values of an object.
func (o *Object[W]) Plan(ctx context.Context, c *run.Run, from Planned) Planned {
	from = o.steps.Plan(ctx, c, from)
	o.planRollout(c, &from)
	return from
}

// keepSecrets returns the configuration to plan from, in which write-only values are unknown that
// stay as the server has them, and refuses those that are null and cannot stay.
func (o *Object[W]) keepSecrets(config, state definition.Value) (kept definition.Value, diags diag.Diagnostics) {
	kept, missing := o.Definition.KeepSecrets(config, state)
	definition.RefuseMissingSecrets(o.Title, state.IsNull(), missing, &diags)
	return kept, diags
}

// publishPlanned publishes the planned object to the other resources of the same
// plan.
func (o *Object[W]) publishPlanned(c *run.Run, planned definition.Value) {
	id, known := o.Identity.of(planned)
	if c == nil {
		return
	}
	if !known {
		c.Objects.Record(o.TypeName, run.UnknownID, run.Planned)
		return
	}
	c.Objects.Record(o.TypeName, id.String(), run.Planned)
	if o.Planned == nil {
		return
	}
	wire, unconvertible := o.wire(planned, o.Definition.Null())
	o.Planned(c, id, wire, unconvertible.All())
}

// AddReplacements adds the replacements of a plan to its response, with a
// warning for each that needs an explanation. title is the name of the object in
// messages, and meanwhile what does not work until the new one is there, as a sentence, or "".
func AddReplacements(resp *resource.ModifyPlanResponse, title, meanwhile string, replaces []definition.Replacement) {
	for _, replaced := range replaces {
		resp.RequiresReplace = append(resp.RequiresReplace, replaced.Path)
		if why := strings.TrimSpace(replaced.Warning() + " " + meanwhile); why != "" {
			resp.Diagnostics.AddAttributeWarning(replaced.Path, message.Capitalize(title)+" is replaced", why)
		}
		meanwhile = ""
	}
}

// recordReplaced records that a plan replaces an object, and returns whether it does. The plan is
// either a replacement or, for an object that is tainted or replaced on request
// (-replace), the plan of a create although the object exists.
func (o *Object[W]) recordReplaced(c *run.Run, prior definition.Value, plan definition.Plan) bool {
	if c == nil {
		return false
	}
	from := prior
	if prior.IsNull() {
		from = plan.Planned
	}
	id, known := o.Identity.of(from)
	there := c.Objects.Is(o.TypeName, id.String(), run.Exists)
	replaces := known && (prior.IsNull() && there || !prior.IsNull() && len(plan.Replaces) > 0)
	if replaces {
		c.Objects.Record(o.TypeName, id.String(), run.Replaced)
	}
	return replaces
}

// isDeletedByParentReplacement reports whether the plan replaces the parent, and so deletes
// the object.
func (o *Object[W]) isDeletedByParentReplacement(c *run.Run, prior definition.Value) bool {
	if o.Deletion.With == nil || c == nil || prior.IsNull() {
		return false
	}
	id := o.Deletion.With.ID(definition.FieldsOf(prior))
	return c.Objects.Is(o.Deletion.With.TypeName, id.String(), run.Replaced)
}

// planReplacement turns a plan into a replacement. Terraform replaces only
// if a value changes, so the id becomes unknown.
func (o *Object[W]) planReplacement(plan *definition.Plan) {
	fields := maps.Clone(definition.FieldsOf(plan.Planned))
	fields[attrID] = definition.UnknownString()
	plan.Planned = tftypes.NewValue(plan.Planned.Type(), fields)
	plan.Unchanged = false
	plan.Replaces = append(plan.Replaces, definition.Replacement{Path: path.Root(attrID), Why: o.Deletion.With.Why})
}

// planDelete records the planned deletion of an object, and warns of its users that the plan does
// not delete.
func (o *Object[W]) planDelete(ctx context.Context, c *run.Run, prior definition.Value, diags *diag.Diagnostics) {
	if c == nil {
		return
	}
	id, _ := o.Identity.of(prior)
	c.RecordDestroyed(o.TypeName, id.String())
	if o.Deletion.UsedBy != nil {
		c.WarnUsers(ctx, diags, o.Title, o.named(id), o.Deletion.UsedBy.Without, o.Deletion.UsedBy.Find(ctx, c, id))
	}
}

// FastValidate implements Shortcuts.
func (o *Object[W]) FastValidate(ctx context.Context, config map[string]any) bool {
	return o.shallow().kind.FastValidate(ctx, config)
}

// NoOpPlan implements Shortcuts.
func (o *Object[W]) NoOpPlan(ctx context.Context, c *run.Run, config, prior map[string]any, private map[string][]byte) bool {
	o = o.shallow()
	desired, ok := o.Definition.FromProtocol(config)
	state, alsoOK := o.Definition.FromProtocol(prior)
	flags, memory, plain := o.flagsFromProtocol(private)
	if !ok || !alsoOK || !plain || !flags.isSettled() {
		return false
	}
	desired, missing := o.keepSecrets(flags.withImportedSecrets(o.Definition, desired, state), state)
	if len(missing) > 0 || len(o.CheckChange(desired, state)) > 0 {
		return false
	}
	from := Planned{Config: desired, Prior: state, Memory: memory, Imported: flags.Imported}
	from = o.Plan(ctx, c, from)
	if !from.Unchanged || o.isDeletedByParentReplacement(c, state) || len(from.crossCheck(ctx, c)) > 0 {
		return false
	}
	o.recordInState(c, state)
	o.publishPlanned(c, from.Plan.Planned)
	return true
}
