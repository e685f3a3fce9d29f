package crud

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/lifecycle"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// Server is an API that stores objects.
type Server struct {
	// Name is its name in messages.
	Name string
	// Errors classifies its errors.
	Errors lifecycle.Errors
	// Ready reports whether it can be called, and adds an error if not.
	Ready func(c *clients.Clients, diags *diag.Diagnostics) bool
	// Reached reports whether the plan of a change can be checked against it, and adds, once
	// in a run, why not. nil: the plan is not checked.
	Reached func(c *clients.Clients, ctx context.Context, diags *diag.Diagnostics) bool
}

// kusciaAPI is the default server.
var kusciaAPI = Server{Name: "Kuscia", Errors: clients.KusciaErrors, Ready: (*clients.Clients).ReadyKuscia, Reached: (*clients.Clients).ReachedKuscia}

// Change is a change of an object, in the plan or right before it is made in
// the apply.
type Change[W any] struct {
	ID ID
	// Desired is the planned object, nil for a delete. Before is the object in
	// the state, nil for a create.
	Desired, Before *W
	// Unknown are the unknown values of Desired. There are none in the apply.
	Unknown *definition.Unconvertible
	// InApply is set in the apply, right before the change is made; otherwise the
	// change is planned.
	InApply bool
}

// guard rejects changes of an object that is being deleted, and calls Spec.Guard.
// planned is null for a delete, prior is null for a create.
func (o *Object[W]) guard(ctx context.Context, c *clients.Clients, planned, prior definition.Value, now bool) diag.Diagnostics {
	if o.Guard == nil && o.Deleting == nil || c == nil {
		return nil
	}
	change := Change[W]{InApply: now, Unknown: &definition.Unconvertible{}}
	known := true
	if !prior.IsNull() {
		change.Before, _ = o.wire(prior, o.Definition.Null())
		change.ID, _ = o.idOf(prior)
	}
	if !planned.IsNull() {
		change.Desired, change.Unknown = o.wire(planned, o.Definition.Null())
		change.ID, known = o.idOf(planned)
	}
	if !known {
		return nil
	}
	if diags := o.refuseDeleting(ctx, c, change); diags.HasError() || o.Guard == nil {
		return diags
	}
	return o.Guard(ctx, c, change)
}

// refuseDeleting rejects a change of an object that is being deleted: it would be lost
// with the object. In the plan, the refresh has warned of it.
func (o *Object[W]) refuseDeleting(ctx context.Context, c *clients.Clients, change Change[W]) (diags diag.Diagnostics) {
	if o.Deleting == nil || change.Desired == nil || !change.InApply {
		return nil
	}
	switch found, err := o.API(c).Query(ctx, change.ID); {
	case err == nil && o.Deleting(found):
		diags.AddAttributeError(o.lastIdentityPath(), fmt.Sprintf("The %s is being deleted", o.Title), fmt.Sprintf(
			"%s was deleted and exists until its finalizers are removed. Nothing was sent.\n\n"+
				"Apply again when it no longer exists; the plan then creates it. If it stays, check that the controller runs that removes its finalizers (metadata.finalizers).", clients.Capitalize(o.named(change.ID))))
	case err != nil && !o.Server.Errors.NotFound(err):
		clients.AddError(&diags, fmt.Sprintf("Unable to read %s before changing it", o.named(change.ID)), err)
	}
	return diags
}
