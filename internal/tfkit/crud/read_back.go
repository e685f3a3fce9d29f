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
	_, different := r.readAndCompare(ctx, id, planned, desired, state, diags)
	check := r.object.writeCheck(id)
	check.addDifferences(diags, different, check.savedCause())
}

// readBackCreated is readBack after a create. An eventually consistent server accepts
// two creates of the same object, of which one overwrites the other. The object is
// then another client's. It leaves the state: as a tainted resource the next apply would
// delete it. A server that lags can also return the value
// from before a delete, so that this is decided by a last read.
func (r *Resource[W]) readBackCreated(ctx context.Context, id ID, planned, desired definition.Value, state *tfsdk.State, diags *diag.Diagnostics) {
	o := r.object
	first, different := r.readAndCompare(ctx, id, planned, desired, state, diags)
	check := o.writeCheck(id)
	why := check.savedCause()
	if len(different) > 0 && o.ConsistencyDelay > 0 {
		if last, err := o.readAfterWrite(ctx, r.Clients, id, desired); err == nil {
			state.Raw, different = check.compare(planned, desired, last)
			if len(different) > 0 && last.Equal(first) {
				state.RemoveResource(ctx)
				why = o.concurrentCreateHelp(id)
			}
		}
	}
	check.addDifferences(diags, different, why)
}

// readAndCompare reads an object after a write, and returns the response and where it
// differs from the plan. The state gets the plan, in the spelling of the configuration,
// or the response if that differs. An object that does not exist, or that the server
// cannot show, is an error.
func (r *Resource[W]) readAndCompare(ctx context.Context, id ID, planned, desired definition.Value, state *tfsdk.State, diags *diag.Diagnostics) (response definition.Value, different []path.Path) {
	o := r.object
	response, err := o.readAfterWrite(ctx, r.Clients, id, desired)
	if _, unreadable := o.unreadable(err, planned); unreadable || o.Server.Errors.NotFound(err) {
		clients.AddError(diags, clients.Capitalize(o.named(id))+" is not as planned", fmt.Errorf("%s accepted the request, but cannot return the %s afterwards: %w", clients.Capitalize(o.Server.Name), o.Title, err))
		return response, nil
	}
	if err != nil {
		o.writeCheck(id).AddFailed(diags, err)
		return response, nil
	}
	state.Raw, different = o.writeCheck(id).compare(planned, desired, response)
	return response, different
}

// concurrentCreateHelp explains a difference from the plan of an object that has left the state.
func (o *Object[W]) concurrentCreateHelp(id ID) string {
	return fmt.Sprintf("Another client may have created the %s at the same time, so that it is not in the state: the next apply would delete it. "+
		"%s may also still return a value from before a delete. Check the %[1]s again: %[3]s",
		o.Title, clients.Capitalize(o.Server.Name), o.messageObject(id).ImportIfOwn())
}

// writeCheck describes the object for messages about a read after a write.
func (o *Object[W]) writeCheck(id ID) WriteCheck {
	return WriteCheck{
		Definition: o.Definition, Object: o.messageObject(id),
		Cause: fmt.Sprintf("Either another client changed the %s at the same time, or this version of %s does not store the attribute.", o.Title, o.Server.Name),
	}
}

// WriteCheck compares an object that is read after a write with the plan.
type WriteCheck struct {
	Definition *definition.Definition
	// Object describes the object for messages.
	Object clients.Object
	// Cause explains, in one sentence, a difference from the plan.
	Cause string
}

// Compare returns the state for a response after a write: the plan, in the
// spelling of the configuration, or the response if that differs. Each
// difference is an error. desired is the plan with its write-only values.
func (c WriteCheck) Compare(planned, desired, response definition.Value, diags *diag.Diagnostics) definition.Value {
	state, different := c.compare(planned, desired, response)
	c.addDifferences(diags, different, c.savedCause())
	return state
}

// AddFailed adds a warning that the object could not be read.
func (c WriteCheck) AddFailed(diags *diag.Diagnostics, err error) {
	diags.AddWarning(fmt.Sprintf("%s could not be read back", c.named()),
		fmt.Sprintf("%s accepted it, and it was saved as planned, but reading it afterwards failed: %s\n\nThe next plan will compare it with %s again.",
			clients.Capitalize(c.Object.Server), err, c.Object.Server))
}

// compare is Compare without the errors: it returns where the response differs.
func (c WriteCheck) compare(planned, desired, response definition.Value) (state definition.Value, different []path.Path) {
	refreshed := c.Definition.Refreshed(response, planned)
	different = c.Definition.Differences(desired, response)
	switch {
	case len(different) == 0:
		return c.Definition.Filled(planned, refreshed), nil
	case slices.ContainsFunc(different, c.Definition.IsWriteOnlyInUse(planned)):
		return c.Definition.InvalidateVersions(refreshed), different
	}
	return refreshed, different
}

// savedCause explains a difference from the plan that is in the state.
func (c WriteCheck) savedCause() string {
	return c.Cause + " The returned values were saved; plan again to see the difference."
}

// addDifferences adds an error for each attribute in which an object differs from
// the plan after a write.
func (c WriteCheck) addDifferences(diags *diag.Diagnostics, different []path.Path, why string) {
	for _, at := range different {
		diags.AddAttributeError(at, fmt.Sprintf("%s differs from the plan", c.named()),
			fmt.Sprintf("%s accepted the request, but then returned another value for %s. %s", clients.Capitalize(c.Object.Server), at, why))
	}
}

func (c WriteCheck) named() string {
	return clients.Capitalize(fmt.Sprintf("%s %q", c.Object.Title, c.Object.Name))
}
