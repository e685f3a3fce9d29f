package crud

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/fastpath"
)

// Shortcuts answer the requests that Terraform sends for every resource in
// every plan, when nothing changes, for tfkit/fastpath. They use the same code
// as the resource. A request whose result they cannot prove goes to the
// resource.
type Shortcuts interface {
	// ResourceType is the resource type.
	ResourceType() string
	// FastValidate reports whether a configuration is valid, without
	// diagnostics.
	FastValidate(ctx context.Context, config map[string]any) bool
	// NoOpPlan reports whether the plan is the prior state, without
	// diagnostics. It publishes the planned object to the other resources of
	// the plan in any case.
	NoOpPlan(ctx context.Context, c *run.Run, config, prior map[string]any, private map[string][]byte) bool
	// NoOpRead queries the object and reports whether the state stays
	// unchanged. Otherwise the context carries the response, so that the
	// resource does not query again.
	NoOpRead(ctx context.Context, c *run.Run, state map[string]any, private map[string][]byte) (next context.Context, identity map[string]string, unchanged bool)
}

// ResourceType is the resource type.
func (o *Object[W]) ResourceType() string { return o.TypeName }

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

// NoOpRead implements Shortcuts.
func (o *Object[W]) NoOpRead(ctx context.Context, c *run.Run, state map[string]any, private map[string][]byte) (next context.Context, identity map[string]string, unchanged bool) {
	o = o.shallow()
	var unused diag.Diagnostics
	prior, ok := o.Definition.FromProtocol(state)
	flags, memory, plain := o.flagsFromProtocol(private)
	if !ok || !plain || !flags.isSettled() || flags != flags.afterRead(o.Definition, prior) || definition.IsRolloutIncomplete(prior) || !o.Server.Ready(c, &unused) {
		return ctx, nil, false
	}
	id, _ := o.Identity.of(prior)
	o.recordHiddenFields(c, id, flags)
	memory, corrected := o.corrected(memory)
	if corrected || o.Identity.problem(id) != "" {
		return ctx, nil, false
	}
	w := Watched[W]{ID: id, Planned: prior, Memory: memory, Imported: flags.Imported}
	found, unchanged, err := o.steps.Read(ctx, c, w)
	if unchanged {
		return ctx, o.Identity.values(id), true
	}
	if err == nil {
		o.recordExisting(c, id)
	}
	next = fastpath.Prefetched[*W]{Key: o.prefetchedKey(id), Response: found, Err: err}.With(ctx)
	if err != nil || o.unmanageable(id, found) != "" || o.isDeleting(found) || !o.steps.ReadsAs(ctx, c, w, found) {
		return next, nil, false
	}
	return next, o.Identity.values(id), true
}
