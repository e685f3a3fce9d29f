package crud

import (
	"bytes"
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/fastpath"
)

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

// NoOpRead implements Shortcuts.
func (o *Object[W]) NoOpRead(ctx context.Context, c *run.Run, state map[string]any, private map[string][]byte) (next context.Context, identity map[string]string, unchanged bool) {
	o = o.shallow()
	var said diag.Diagnostics
	prior, ok := o.Definition.FromProtocol(state)
	flags, memory, plain := o.flagsFromProtocol(private)
	if !ok || !plain || !flags.isSettled() || flags != flags.afterRead(o.Definition, prior) || definition.IsRolloutIncomplete(prior) || !o.Server.Ready(c, &said) {
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
	if err != nil || o.unmanageable(id, found) != "" || o.isDeleting(found) {
		return next, nil, false
	}
	read, remembered := o.steps.Refresh(ctx, c, w, found, &said)
	if len(said) > 0 || !bytes.Equal(remembered, memory) || !definition.Equal(read, prior) {
		return next, nil, false // Read does it once more, in the types that the CLI gets
	}
	return next, o.Identity.values(id), true
}
