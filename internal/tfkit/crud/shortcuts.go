package crud

import (
	"bytes"
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
	if !from.Unchanged || o.isDeletedByParentReplacement(c, state) || len(o.crossCheck(ctx, c, from)) > 0 {
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
	id, _ := o.idOf(prior)
	o.recordHiddenFields(c, id, flags)
	memory, corrected := o.corrected(memory)
	if corrected || o.problem(id) != "" {
		return ctx, nil, false
	}
	w := Watched[W]{ID: id, Planned: prior, Memory: memory, Imported: flags.Imported}
	if o.Unchanged != nil {
		if ctx, unchanged = o.Unchanged(ctx, c, w); unchanged {
			return ctx, o.identity(id), true
		}
	}
	found, err := o.read(ctx, c, id, prior)
	next = fastpath.Prefetched[*W]{Key: o.prefetchedKey(id), Response: found, Err: err}.With(ctx)
	if err != nil || o.unmanageable(id, found) != "" || o.isDeleting(found) || !o.readsAs(ctx, c, w, found) {
		return next, nil, false
	}
	return next, o.identity(id), true
}

// readsAs reports whether a response leaves the state and what is remembered unchanged, without
// diagnostics.
func (o *Object[W]) readsAs(ctx context.Context, c *run.Run, w Watched[W], found *W) bool {
	if o.Refresh == nil {
		return o.Definition.ReadsAs(o.tree(w.ID, o.current(found, w.Memory), w.Planned), w.Planned) && bytes.Equal(o.observed(ctx, c, w, found), w.Memory)
	}
	var diags diag.Diagnostics
	state, memory := o.Refresh(ctx, c, w, found, &diags)
	return len(diags) == 0 && bytes.Equal(memory, w.Memory) && definition.Equal(state, w.Planned)
}
