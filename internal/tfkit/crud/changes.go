package crud

import (
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// change returns a change. planned is null for a delete, prior is null for a create.
func (o *Object[W]) change(planned, prior, config definition.Value, memory Memory, now bool) *Change[W] {
	change := &Change[W]{InApply: now, Value: planned, Prior: prior, Config: config, Memory: memory, Unknown: &definition.Unconvertible{}}
	if !prior.IsNull() {
		change.Before, _ = o.wire(prior, o.Definition.Null())
		change.ID, _ = o.Identity.of(prior)
	}
	if !planned.IsNull() {
		var known bool
		change.Desired, change.Unknown = o.wire(planned, o.Definition.Null())
		if change.ID, known = o.Identity.of(planned); !known {
			change.ID = nil
		}
	}
	return change
}

// remember checks a change right before it is made, completes it, and returns what has to be
// remembered of the time before it.
func (o *Object[W]) remember(ctx context.Context, c *run.Run, change *Change[W], diags *diag.Diagnostics) Memory {
	if diags.Append(o.guard(ctx, c, change)...); diags.HasError() {
		return change.Memory
	}
	return o.before(ctx, c, change, diags)
}

// guard rejects changes of an object that is being deleted, and calls Checks.Guard.
func (o *Object[W]) guard(ctx context.Context, c *run.Run, change *Change[W]) diag.Diagnostics {
	if o.Checks.Guard == nil && o.Responses.Deleting == nil || c == nil {
		return nil
	}
	if diags := o.refuseDeleting(ctx, c, change); diags.HasError() || o.Checks.Guard == nil {
		return diags
	}
	return o.Checks.Guard(ctx, c, *change)
}

// refuseDeleting rejects a change of an object that is being deleted: it would be lost
// with the object. In the plan, the refresh has warned of it. A create needs no
// permission to read.
func (o *Object[W]) refuseDeleting(ctx context.Context, c *run.Run, change *Change[W]) (diags diag.Diagnostics) {
	if o.Responses.Deleting == nil || change.Desired == nil || !change.InApply {
		return nil
	}
	switch found, err := o.steps.API(c, change.Value).Query(ctx, change.ID); {
	case err == nil && o.Responses.Deleting(found):
		diags.AddAttributeError(o.Identity.lastPath(), message.Capitalize(o.Title)+" is being deleted", message.Capitalize(o.deletingError(change.ID).Error()))
	case err == nil:
		change.Found = found
	case err != nil && change.Before != nil && !o.Server.Errors.NotFound(err):
		message.AddError(&diags, "Unable to read "+o.Title+" before changing it", err)
	}
	return diags
}

// deletingError explains that an object is not changed since it is being deleted.
func (o *Object[W]) deletingError(id ID) error {
	return fmt.Errorf("%s was deleted and exists until its finalizers are removed. Nothing was sent.\n\n"+ //nolint:staticcheck // it is a text of two paragraphs
		"Apply again when it no longer exists; the plan then creates it. If it stays, check that the controller runs that removes its finalizers (metadata.finalizers).", o.named(id))
}

// checkReferences checks what a planned object refers to.
func (o *Object[W]) checkReferences(ctx context.Context, c *run.Run, moment Moment, references []Reference, diags *diag.Diagnostics) {
	if o.makesRequests() && o.Server.Reached != nil && o.Server.Reached(c, ctx, diags) { // else the steps check them
		CheckReferences(ctx, c, moment, references, diags)
	}
}

// newReferences returns what a change has to look up: all references of a new object, and of an
// update those that are new.
func (o *Object[W]) newReferences(change *Change[W]) []Reference {
	if o.Checks.References == nil {
		return nil
	}
	var known []Reference
	if change.Before != nil {
		known = o.Checks.References(change.Before)
	}
	unknown := change.Unknown.All()
	return slices.DeleteFunc(o.Checks.References(change.Desired), func(r Reference) bool {
		isKept := func(old Reference) bool { return old.isSame(r) && !r.EachUpdate }
		isUnknown := func(at path.Path) bool { return check.Within(r.At, at) }
		return slices.ContainsFunc(known, isKept) || slices.ContainsFunc(unknown, isUnknown)
	})
}

// tooOld is the summary of what the version of a Kuscia certainly lacks.
const tooOld = "Kuscia is too old"

// needed returns what an object needs, with its write-only values: its API, and its parts.
func (o *Object[W]) needed(value, config definition.Value) []definition.Needed {
	if value.IsNull() {
		return nil
	}
	all := o.Definition.Needed(o.Definition.WithSecrets(value, config, o.Definition.Null(), o.Definition.Null()))
	if !o.Needs.IsZero() {
		all = append([]definition.Needed{{Need: o.Needs, At: o.Identity.lastPath()}}, all...)
	}
	return all
}

// checkNeeds refuses a create or an update that needs what the version of Kuscia certainly
// lacks, in the plan and again right before it is made: such a Kuscia would ignore a value
// without a word, or do harm. What the object has before is a warning. The version is requested
// only if something needs one, and a version that is not known has everything.
func (o *Object[W]) checkNeeds(ctx context.Context, c *run.Run, change *Change[W], diags *diag.Diagnostics) {
	all, unreached := o.needed(change.Value, change.Config), diags
	if o.Server.Name != kusciaAPI.Name {
		unreached = nil // the object does not need Kuscia
	}
	if len(all) == 0 || (!change.InApply || unreached == nil) && !c.ReachedKuscia(ctx, unreached) {
		return
	}
	version := c.KusciaVersion(ctx)
	diags.Append(check.Plan(lacking(version, all), func() []check.Issue {
		return lacking(version, o.needed(change.Prior, o.Definition.Null()))
	})...)
}

// lacking returns what a version lacks.
func lacking(version versions.Version, all []definition.Needed) (found []check.Issue) {
	for _, n := range all {
		if !version.Has(n.Feature) {
			found = append(found, check.Issue{At: n.At, Severity: check.Unusable, Summary: tooOld, Detail: n.Text(version), Subject: n.Name + "=" + n.Value})
		}
	}
	return found
}

// AddNeeds adds the errors of what a version lacks, where no declaration of an attribute tells
// that an object needs it.
func AddNeeds(version versions.Version, at path.Path, needs []versions.Need, diags *diag.Diagnostics) {
	for _, need := range needs {
		if !version.Has(need.Feature) {
			diags.AddAttributeError(at, tooOld, check.WithPath(at, need.Text(version)))
		}
	}
}
