package crud

import (
	"context"

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
}

// kusciaAPI is the default server.
var kusciaAPI = Server{Name: "Kuscia", Errors: clients.KusciaErrors, Ready: (*clients.Clients).Ready}

// Change is a change of an object, in the plan or right before it is made in
// the apply.
type Change[W any] struct {
	ID ID
	// Desired is the planned object, nil for a delete. Before is the object in
	// the state, nil for a create.
	Desired, Before *W
	// Unknown are the unknown values of Wanted. There are none in the apply.
	Unknown *definition.Unconvertible
	// InApply is set in the apply, right before the change is made; otherwise the
	// change is planned.
	InApply bool
}

// guard calls Spec.Guard. planned is null for a delete, prior is null for a
// create.
func (o *Object[W]) guard(ctx context.Context, c *clients.Clients, planned, prior definition.Value, now bool) diag.Diagnostics {
	if o.Guard == nil || c == nil {
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
	return o.Guard(ctx, c, change)
}
