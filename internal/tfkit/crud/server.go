package crud

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/lifecycle"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// Server is what keeps objects.
type Server struct {
	// Name is its name in sentences.
	Name string
	// Errors tells its errors apart.
	Errors lifecycle.Errors
	// Ready says whether it can be called, and adds an error if not.
	Ready func(c *clients.Clients, diags *diag.Diagnostics) bool
}

// kusciaAPI is the server unless a resource says otherwise.
var kusciaAPI = Server{Name: "Kuscia", Errors: clients.KusciaErrors, Ready: (*clients.Clients).Ready}

// Change is what is going to be done with an object.
type Change[W any] struct {
	ID ID
	// Wanted is what it is to be, nil for a delete, and Before what it is by the
	// state, nil for a create.
	Wanted, Before *W
	// Gaps are the places of Wanted that are not known yet. There are none when
	// the change is made.
	Gaps *definition.Gaps
	// Now says that the change is about to be made; otherwise it is planned.
	Now bool
}

// guard asks Spec.Guard. planned or prior is null where there is none.
func (o *Object[W]) guard(ctx context.Context, c *clients.Clients, planned, prior definition.Value, now bool) diag.Diagnostics {
	if o.Guard == nil || c == nil {
		return nil
	}
	change := Change[W]{Now: now, Gaps: &definition.Gaps{}}
	known := true
	if !prior.IsNull() {
		change.Before, _ = o.wire(prior, o.Definition.Null())
		change.ID, _ = o.idOf(prior)
	}
	if !planned.IsNull() {
		change.Wanted, change.Gaps = o.wire(planned, o.Definition.Null())
		change.ID, known = o.idOf(planned)
	}
	if !known {
		return nil
	}
	return o.Guard(ctx, c, change)
}
