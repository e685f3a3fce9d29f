package domain

import (
	"reflect"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
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

// isCopy reports whether a grant is the copy of the grantee.
func isCopy(grant *objects.DomainDataGrant) bool { return grant.Spec.Author != grant.Namespace }

// grantChanged is the beginning of a pass of the controller of grants. A change updates the
// copy of the grantee, and not the phase of the grant itself.
func (w *Domains) grantChanged(before, after *objects.DomainDataGrant) {
	switch {
	case w.ControllersEnded():
	case after == nil:
		w.grantDeleted(before)
	case isCopy(after):
	case before == nil || before.UID != after.UID:
		w.wakeGrant(after)
	case before.Generation != after.Generation:
		w.Reconcile(w.Steps(grantSeen), func() {
			if grant := w.grants.Current(after); grant != nil {
				w.copyGrant(grant)
			}
		})
	}
}

// wakeGrant schedules the controller for a new grant.
func (w *Domains) wakeGrant(grant *objects.DomainDataGrant) {
	w.scheduleResync()
	w.Reconcile(w.Steps(grantSeen), func() { w.lookAtGrant(grant, 0) })
}

// wakeGrantsTo schedules the controller for grants that wait for a domain; it
// also retries them, with growing delays.
func (w *Domains) wakeGrantsTo(domainID string) {
	for _, grant := range w.grants.With("", map[string]string{objects.LabelGrantDomain: domainID}) {
		if !isCopy(grant) && grant.Status.Phase == "" {
			w.wakeGrant(grant)
		}
	}
}

// scheduleResync schedules the resync of all grants every grantResync.
func (w *Domains) scheduleResync() {
	if w.resyncs {
		return
	}
	w.resyncs = true
	w.Reconcile(w.Steps(grantResync), func() {
		w.resyncs = false
		all := w.grants.List("")
		for _, grant := range all {
			w.lookAtGrant(grant, grantRetries)
		}
		if len(all) > 0 {
			w.scheduleResync()
		}
	})
}

// lookAtGrant updates the copies of a grant and writes its phase.
func (w *Domains) lookAtGrant(seen *objects.DomainDataGrant, retries int) {
	grant := w.grants.Current(seen)
	if grant == nil {
		return
	}
	if !isCopy(grant) {
		if w.domain(grant.Spec.GrantDomain) == nil {
			if retries < grantRetries {
				w.Reconcile(server.FirstRetry<<retries, func() { w.lookAtGrant(grant, retries+1) })
			}
			return
		}
		w.copyGrant(grant)
	}
	w.reconcileGrant(grant)
}

// copyOf is the metadata of a copy for a grantee.
func copyOf(original objects.Meta, grantee string) objects.Meta {
	made := objects.Meta{Namespace: grantee, Name: original.Name}
	for name, value := range original.Labels {
		made.Label(name, value)
	}
	for name, value := range original.Annotations {
		made.Annotate(name, value)
	}
	made.Label(objects.LabelOwner, original.Name)
	return made
}

// copyGrant copies a grant and its data to the domain of the grantee.
func (w *Domains) copyGrant(grant *objects.DomainDataGrant) {
	grantee := w.domain(grant.Spec.GrantDomain)
	if grantee == nil || grantee.Name == grant.Namespace {
		return
	}
	if data := w.data.Get(grant.Namespace, grant.Spec.DomainDataID); data != nil && w.data.Get(grantee.Name, data.Name) == nil {
		copied := &objects.DomainData{Meta: copyOf(data.Meta, grantee.Name), Spec: data.Spec}
		copied.Label(objects.LabelDataVendor, vendorGrant)
		copied.Spec.Vendor = vendorGrant
		_ = w.data.Create(copied) // another client was faster
	}
	copied := w.grants.Get(grantee.Name, grant.Name)
	switch {
	case copied == nil:
		copied = &objects.DomainDataGrant{Meta: copyOf(grant.Meta, grantee.Name), Spec: grant.Spec}
		if w.grants.Create(copied) != nil {
			return
		}
	case !reflect.DeepEqual(copied.Spec, grant.Spec):
		copied.Spec = grant.Spec
		if w.grants.Update(copied) != nil {
			return
		}
	}
	w.reconcileGrant(copied)
}

// reconcileGrant writes the current phase of a grant.
func (w *Domains) reconcileGrant(grant *objects.DomainDataGrant) {
	status := objects.DomainDataGrantStatus{Phase: "Unavailable", UseRecords: grant.Status.UseRecords}
	limit := deref(grant.Spec.Limit)
	author := w.domain(grant.Spec.Author)
	switch {
	case grant.Spec.Signature != "" && (author == nil || author.Spec.Cert == ""):
		status.Message = "Get Domain cert error"
	case grant.Spec.Signature != "":
		status.Message = "Verify error" // the sandbox has no valid signatures
	case limit.ExpirationTime != nil && !w.Now().Before(*limit.ExpirationTime):
		status.Message = "Expirated"
	case limit.UseCount < 0:
		status.Message = "UseCount is exhausted"
	default:
		status.Phase = "Ready"
	}
	if !reflect.DeepEqual(status, grant.Status) {
		grant.Status = status
		_ = w.grants.UpdateStatus(grant) // after a conflict the resync writes it
	}
}

// dataChanged schedules the update of the copies of changed data, which then have the vendor
// of the original too, and the deletion of the grants of deleted data.
func (w *Domains) dataChanged(before, after *objects.DomainData) {
	switch {
	case after == nil:
		w.After(w.Steps(grantCollected), func() {
			for _, grant := range w.grants.List(before.Namespace) {
				if grant.IsOwnedBy(before.UID) {
					_ = w.grants.Delete(grant.Namespace, grant.Name) // another client was faster
				}
			}
		})
	case before != nil && before.Generation != after.Generation && after.Spec.Author == after.Namespace:
		w.Reconcile(w.Steps(grantSeen), func() {
			data := w.data.Current(after)
			if data == nil {
				return
			}
			for _, copied := range w.data.With("", map[string]string{objects.LabelOwner: data.Name}) {
				if copied.Spec.Author == data.Namespace {
					copied.Spec = data.Spec
					_ = w.data.Update(copied) // the next change updates it
				}
			}
		})
	}
}

// grantDeleted deletes the copy of the grantee. The copy of the
// data is deleted with the last grant, unless the grantee was deleted and
// created again after the copy was made. Deleting a copy does not affect its
// original.
func (w *Domains) grantDeleted(grant *objects.DomainDataGrant) {
	if isCopy(grant) {
		return
	}
	if copied := w.grants.Get(grant.Spec.GrantDomain, grant.Name); copied != nil && copied.Spec.Author == grant.Namespace && isCopy(copied) {
		_ = w.grants.Delete(copied.Namespace, copied.Name) // another client was faster
	}
	for _, other := range w.grants.With(grant.Namespace, map[string]string{objects.LabelGrantDomain: grant.Spec.GrantDomain}) {
		if other.Spec.DomainDataID == grant.Spec.DomainDataID {
			return
		}
	}
	w.Reconcile(w.Steps(grantSeen), func() {
		copied, grantee := w.data.Get(grant.Spec.GrantDomain, grant.Spec.DomainDataID), w.domain(grant.Spec.GrantDomain)
		if copied != nil && grantee != nil && copied.Spec.Author == grant.Namespace && !copied.CreationTimestamp.Before(*grantee.CreationTimestamp) {
			_ = w.data.Delete(copied.Namespace, copied.Name) // another client was faster
		}
	})
}
