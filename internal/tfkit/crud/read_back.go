package crud

import (
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// readBack reads an object after a write. A difference from the plan is an error.
func (r *Resource[W]) readBack(ctx context.Context, id ID, planned, desired definition.Value, state *tfsdk.State, diags *diag.Diagnostics) {
	_, different := r.compareBack(ctx, id, planned, desired, state, diags)
	r.object.addDifferences(diags, id, different, r.object.differenceCause())
}

// readBackCreated is readBack after a create. An eventually consistent server accepts
// two creates of the same object, of which one overwrites the other. The object is
// then another client's, and as a tainted resource it would be deleted by the next
// apply, so that it leaves the state. A server that lags can also return the value
// from before a delete, so that this is decided by a last read.
func (r *Resource[W]) readBackCreated(ctx context.Context, id ID, planned, desired definition.Value, state *tfsdk.State, diags *diag.Diagnostics) {
	o := r.object
	first, different := r.compareBack(ctx, id, planned, desired, state, diags)
	why := o.differenceCause()
	if len(different) > 0 && o.ConsistencyDelay > 0 {
		if last, err := o.readAfterWrite(ctx, r.clients, id, desired); err == nil {
			state.Raw, different = o.compared(planned, desired, last)
			if len(different) > 0 && last.Equal(first) {
				state.RemoveResource(ctx)
				why = o.overtaken(id)
			}
		}
	}
	o.addDifferences(diags, id, different, why)
}

// compareBack reads an object after a write, and returns the response and where it
// differs from the plan. The state gets the plan, in the spelling of the configuration,
// or the response if that differs. An object that does not exist, or that the server
// cannot show, is an error.
func (r *Resource[W]) compareBack(ctx context.Context, id ID, planned, desired definition.Value, state *tfsdk.State, diags *diag.Diagnostics) (response definition.Value, different []path.Path) {
	o := r.object
	response, err := o.readAfterWrite(ctx, r.clients, id, desired)
	if _, unreadable := o.unreadable(err, planned); unreadable || o.Server.Errors.NotFound(err) {
		clients.AddError(diags, clients.Capitalize(o.named(id))+" is not as planned", fmt.Errorf("%s accepted the request, but cannot return the %s afterwards: %w", o.Server.Name, o.Title, err))
		return response, nil
	}
	if err != nil {
		diags.AddWarning(fmt.Sprintf("%s could not be read back", clients.Capitalize(o.named(id))),
			fmt.Sprintf("%s accepted the request, and the planned values were saved, but reading the object afterwards failed: %s\n\nThe next plan will compare it with %[1]s again.", o.Server.Name, err))
		return response, nil
	}
	state.Raw, different = o.compared(planned, desired, response)
	return response, different
}

// compared is the state for a response after a write, and where the response differs
// from the plan.
func (o *Object[W]) compared(planned, desired, response definition.Value) (state definition.Value, different []path.Path) {
	readBack := o.Definition.Refreshed(response, planned)
	different = o.Definition.Differences(desired, response)
	switch {
	case len(different) == 0:
		return o.Definition.Filled(planned, readBack), nil
	case slices.ContainsFunc(different, o.Definition.IsWriteOnlyInUse(planned)):
		return o.Definition.InvalidateVersions(readBack), different
	}
	return readBack, different
}

// differenceCause explains a difference from the plan that is in the state.
func (o *Object[W]) differenceCause() string {
	return fmt.Sprintf("Either another client changed the %s at the same time, or this version of %s does not store the attribute. The returned values were saved; plan again to see the difference.", o.Title, o.Server.Name)
}

// overtaken explains a difference from the plan of an object that has left the state.
func (o *Object[W]) overtaken(id ID) string {
	return fmt.Sprintf("Another client may have created the %s at the same time, so that it is not in the state: the next apply would delete it. "+
		"%s may also still return a value from before a delete. Check the %[1]s again: if it is this configuration's, import it with this block, with the name of the resource instead of NAME. Otherwise choose another %[3]s.\n\n%[4]s",
		o.Title, o.Server.Name, o.rootAttribute(), clients.ImportBlock(o.TypeName, id.String()))
}

// addDifferences adds an error for each attribute in which an object differs from
// the plan after a write.
func (o *Object[W]) addDifferences(diags *diag.Diagnostics, id ID, different []path.Path, why string) {
	for _, at := range different {
		diags.AddAttributeError(at, fmt.Sprintf("%s differs from the plan", clients.Capitalize(o.named(id))),
			fmt.Sprintf("%s accepted the request, but then returned another value for %s. %s", o.Server.Name, at, why))
	}
}
