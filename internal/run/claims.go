package run

import (
	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/lifecycle"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
)

// claimKey identifies an object that this run creates or adopts.
type claimKey struct{ resourceType, importID string }

func claimOf(object message.Object) claimKey { return claimKey{object.Type, object.ImportID} }

// Claim records that a create of an object begins, and returns the object with Twice set if this
// run has created or adopted it already, or is about to.
func (r *Run) Claim(object message.Object) message.Object {
	if object.ImportID != "" { // else the server chooses it
		var created any
		created, object.Twice = r.claimed.LoadOrStore(claimOf(object), false)
		object.Creating = object.Twice && created == false
	}
	return object
}

// Adopts reports whether a create may adopt an existing object: not one of another resource of
// this run.
func (r *Run) Adopts(object message.Object) bool { return r.AdoptExisting && !object.Twice }

// Release ends the claim of an object that was not created, or that was deleted. The claim of
// another resource stays.
func (r *Run) Release(object message.Object) {
	if !object.Twice {
		r.claimed.Delete(claimOf(object))
	}
}

// AddCreateResult adds the error or warning of a create, and reports whether the
// object belongs in the state.
func (r *Run) AddCreateResult(diags *diag.Diagnostics, object message.Object, result lifecycle.Result) (inState bool) {
	message.AddCreateError(diags, object, result)
	if result.Outcome == lifecycle.Adopted {
		r.adopted.Store(claimOf(object), true) // for KeepsAdopted
		message.AddAdopted(diags, object)
	}
	if !result.Outcome.InState() {
		r.Release(object)
		return false
	}
	r.claimed.Store(claimOf(object), true)
	return true
}

// KeepsAdopted reports, and adds a warning, that an object must not be deleted
// because a create of the same run has adopted it. With create_before_destroy,
// the create and the delete refer to the same object.
func (r *Run) KeepsAdopted(diags *diag.Diagnostics, object message.Object) bool {
	_, adopted := r.adopted.Load(claimOf(object))
	if adopted {
		message.AddKept(diags, object)
	}
	return adopted
}
