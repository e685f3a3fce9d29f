package domain

import (
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
)

// Delays of the grant controller, in steps of the timing.
const (
	grantSeen      = 3     // until a new grant is reconciled; 30 ms in real time
	grantCollected = 20    // until grants of deleted data are deleted; 0.2 s
	grantResync    = 60000 // between two resyncs of all grants; 10 minutes
)

// grantRetries is how often the controller retries a grant to a domain that
// does not exist, with delays that double from FirstRetry on.
const grantRetries = 15

// grantController records whether the next resync is scheduled.
type grantController struct{ scheduled bool }

// wakeGrant schedules the controller for a new grant.
func (w *Domains) wakeGrant(r *cluster.Record[GrantSpec]) {
	if r.Spec.Copy {
		return
	}
	w.scheduleResync()
	w.After(w.Steps(grantSeen), func() { w.lookAtGrant(r, 0) })
}

// wakeGrantsTo schedules the controller for grants that wait for a domain; it
// also retries them, with growing delays.
func (w *Domains) wakeGrantsTo(domainID string) {
	for _, r := range server.TableOf[GrantSpec](w.ControlPlane).All() {
		if r.Spec.GrantDomain == domainID && r.Spec.Phase == "" {
			w.wakeGrant(r)
		}
	}
}

// scheduleResync schedules the resync of all grants every grantResync.
func (w *Domains) scheduleResync() {
	controller := server.Stored[grantController](w.ControlPlane)
	if controller.scheduled {
		return
	}
	controller.scheduled = true
	w.After(w.Steps(grantResync), func() {
		controller.scheduled = false
		for _, r := range server.TableOf[GrantSpec](w.ControlPlane).All() {
			w.lookAtGrant(r, grantRetries)
		}
		if len(server.TableOf[GrantSpec](w.ControlPlane).Records) > 0 {
			w.scheduleResync()
		}
	})
}

// lookAtGrant updates the copies of a grant and writes its phase.
func (w *Domains) lookAtGrant(r *cluster.Record[GrantSpec], retries int) {
	if !server.TableOf[GrantSpec](w.ControlPlane).Holds(r) {
		return
	}
	if r.Spec.Copy {
		w.reconcileGrant(r)
		return
	}
	if w.byID[r.Spec.GrantDomain] == nil {
		if retries < grantRetries {
			w.After(server.FirstRetry<<retries, func() { w.lookAtGrant(r, retries+1) })
		}
		return
	}
	w.copyGrant(r)
	w.reconcileGrant(r)
}

// copyGrant copies a grant and its data to the domain of the grantee.
func (w *Domains) copyGrant(r *cluster.Record[GrantSpec]) {
	grantee := w.byID[r.Spec.GrantDomain]
	if grantee == nil || grantee.id == r.Namespace {
		return
	}
	data := server.TableOf[DataSpec](w.ControlPlane)
	if original := data.Get(r.Namespace, r.Spec.DomainDataID); original != nil && data.Get(grantee.id, original.Name) == nil {
		spec := original.Spec
		spec.Vendor, spec.CopiedTo = vendorGrant, grantee.uid
		data.Add(w.Engine, cluster.Key{Namespace: grantee.id, Name: original.Name}, spec)
	}
	grants := server.TableOf[GrantSpec](w.ControlPlane)
	spec := r.Spec
	spec.Copy = true
	copied := grants.Get(grantee.id, r.Name)
	if copied == nil {
		spec.Phase, spec.Message = "", ""
		copied = grants.Add(w.Engine, cluster.Key{Namespace: grantee.id, Name: r.Name}, spec)
	}
	spec.Phase, spec.Message = copied.Spec.Phase, copied.Spec.Message
	copied.Set(w.Engine, spec)
	w.reconcileGrant(copied)
}

// reconcileGrant writes the current phase of a grant.
func (w *Domains) reconcileGrant(r *cluster.Record[GrantSpec]) {
	spec := r.Spec
	spec.Phase, spec.Message = "Unavailable", ""
	limit := deref(spec.Limit)
	author := w.byID[spec.Author]
	switch {
	case spec.Signature != "" && (author == nil || author.cert == ""):
		spec.Message = "Get Domain cert error"
	case spec.Signature != "":
		spec.Message = "Verify error" // the sandbox has no valid signatures
	case limit.ExpirationTime > 0 && w.Now().UnixNano() >= limit.ExpirationTime:
		spec.Message = "Expirated"
	case limit.UseCount < 0:
		spec.Message = "UseCount is exhausted"
	default:
		spec.Phase = "Ready"
	}
	if spec.Phase != r.Spec.Phase || spec.Message != r.Spec.Message {
		// The status is not part of the generation.
		r.Spec = spec
		r.Touch(w.Engine)
	}
}

// grantChanged schedules the update of the grantee's copy of a changed grant.
// The phase of the grant itself does not change.
func (w *Domains) grantChanged(r *cluster.Record[GrantSpec]) {
	w.After(w.Steps(grantSeen), func() {
		if server.TableOf[GrantSpec](w.ControlPlane).Holds(r) && !r.Spec.Copy {
			w.copyGrant(r)
		}
	})
}

// dataChanged schedules the update of the copies of changed data; they then
// have the vendor of the original too.
func (w *Domains) dataChanged(r *cluster.Record[DataSpec]) {
	w.After(w.Steps(grantSeen), func() {
		data := server.TableOf[DataSpec](w.ControlPlane)
		for _, copied := range data.All() {
			if copied.Name == r.Name && copied.Spec.Author == r.Namespace && copied.Spec.CopiedTo != 0 && data.Holds(r) {
				spec := r.Spec
				spec.CopiedTo = copied.Spec.CopiedTo
				copied.Set(w.Engine, spec)
			}
		}
	})
}

// dataDeleted schedules the deletion of the grants of deleted data.
func (w *Domains) dataDeleted(data *cluster.Record[DataSpec]) {
	w.After(w.Steps(grantCollected), func() {
		for _, r := range server.TableOf[GrantSpec](w.ControlPlane).All() {
			if r.Namespace == data.Namespace && !r.Spec.Copy && r.Spec.Data == data.Uid {
				w.removeGrant(r)
			}
		}
	})
}

// removeGrant deletes a grant with the copy of the grantee. The copy of the
// data is deleted with the last grant, unless the grantee was deleted and
// created again after the copy was made. Deleting a copy does not affect its
// original.
func (w *Domains) removeGrant(r *cluster.Record[GrantSpec]) {
	grants := server.TableOf[GrantSpec](w.ControlPlane)
	grants.Remove(w.Engine, r)
	if r.Spec.Copy {
		return
	}
	if copied := grants.Get(r.Spec.GrantDomain, r.Name); copied != nil && copied.Spec.Copy {
		grants.Remove(w.Engine, copied)
	}
	for _, other := range grants.In(r.Namespace) {
		if other.Spec.DomainDataID == r.Spec.DomainDataID && other.Spec.GrantDomain == r.Spec.GrantDomain {
			return
		}
	}
	w.After(w.Steps(grantSeen), func() {
		data, grantee := server.TableOf[DataSpec](w.ControlPlane), w.byID[r.Spec.GrantDomain]
		copied := data.Get(r.Spec.GrantDomain, r.Spec.DomainDataID)
		if copied != nil && grantee != nil && copied.Spec.CopiedTo == grantee.uid {
			data.Remove(w.Engine, copied)
		}
	})
}
