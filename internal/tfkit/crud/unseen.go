package crud

import (
	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// Unseen is for objects with fields that the API does not return: an object of
// another client may have them, and an update may remove them.
type Unseen[W any] struct {
	// Kept reports whether an update leaves them as they are.
	Kept func(desired, before *W) bool
	// Warn warns that an object may have such fields: at an import, or in the plan
	// of the first update after it that does not keep them.
	Warn func(c *clients.Clients, id ID, updates bool) diag.Diagnostics
}

// warnUnseen warns of an update that may remove fields of an imported object.
func (o *Object[W]) warnUnseen(c *clients.Clients, flags Flags, planned, prior definition.Value) diag.Diagnostics {
	if prior.IsNull() || o.keepsUnseen(flags, planned, prior) == flags.Unseen {
		return nil
	}
	id, _ := o.idOf(prior)
	return o.Unseen.Warn(c, id, true)
}

// keepsUnseen reports whether an object may have such fields after an update too.
func (o *Object[W]) keepsUnseen(flags Flags, planned, prior definition.Value) bool {
	if !flags.Unseen || o.Unseen == nil {
		return false
	}
	desired, _ := o.wire(planned, o.Definition.Null())
	before, _ := o.wire(prior, o.Definition.Null())
	return o.Unseen.Kept(desired, before)
}
