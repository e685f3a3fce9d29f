package sandbox

// Times of the grant controller, in steps of the timing.
const (
	grantSeen      = 3     // until a new grant is looked at; 30 ms in real time
	grantCollected = 20    // until grants of deleted data are gone; 0.2 s
	grantResync    = 60000 // between two looks at every grant; 10 minutes
)

// How often the controller looks at a grant to a domain that does not exist,
// with pauses that double from firstRetry on.
const grantRetries = 15

// grantController is when all grants are looked at next.
type grantController struct{ scheduled bool }

// wakeGrant lets the controller look at a new grant.
func (w *world) wakeGrant(r *record[grantSpec]) {
	if r.spec.Copy {
		return
	}
	w.scheduleResync()
	w.after(w.steps(grantSeen), func() { w.lookAtGrant(r, 0) })
}

// wakeGrantsTo lets the controller look at grants that wait for a domain: it
// retries them anyway, later and later.
func (w *world) wakeGrantsTo(domainID string) {
	for _, r := range tableOf[grantSpec](w).all() {
		if r.spec.GrantDomain == domainID && r.spec.Phase == "" {
			w.wakeGrant(r)
		}
	}
}

// scheduleResync lets all grants be looked at every grantResync.
func (w *world) scheduleResync() {
	controller := stored[grantController](w)
	if controller.scheduled {
		return
	}
	controller.scheduled = true
	w.after(w.steps(grantResync), func() {
		controller.scheduled = false
		for _, r := range tableOf[grantSpec](w).all() {
			w.lookAtGrant(r, grantRetries)
		}
		if len(tableOf[grantSpec](w).records) > 0 {
			w.scheduleResync()
		}
	})
}

// lookAtGrant brings the copies of a grant up to date and writes its phase.
func (w *world) lookAtGrant(r *record[grantSpec], retries int) {
	if !tableOf[grantSpec](w).holds(r) {
		return
	}
	if r.spec.Copy {
		w.judgeGrant(r)
		return
	}
	if w.domains[r.spec.GrantDomain] == nil {
		if retries < grantRetries {
			w.after(firstRetry<<retries, func() { w.lookAtGrant(r, retries+1) })
		}
		return
	}
	w.copyGrant(r)
	w.judgeGrant(r)
}

// copyGrant puts a grant and its data into the domain of the grantee.
func (w *world) copyGrant(r *record[grantSpec]) {
	grantee := w.domains[r.spec.GrantDomain]
	if grantee == nil || grantee.id == r.namespace {
		return
	}
	data := tableOf[dataSpec](w)
	if original := data.get(r.namespace, r.spec.DomainDataID); original != nil && data.get(grantee.id, original.name) == nil {
		spec := original.spec
		spec.Vendor, spec.CopiedTo = vendorGrant, grantee.uid
		data.add(w, objectKey{grantee.id, original.name}, spec)
	}
	grants := tableOf[grantSpec](w)
	spec := r.spec
	spec.Copy = true
	copied := grants.get(grantee.id, r.name)
	if copied == nil {
		spec.Phase, spec.Message = "", ""
		copied = grants.add(w, objectKey{grantee.id, r.name}, spec)
	}
	spec.Phase, spec.Message = copied.spec.Phase, copied.spec.Message
	copied.set(w, spec)
	w.judgeGrant(copied)
}

// judgeGrant writes the phase that a grant has now.
func (w *world) judgeGrant(r *record[grantSpec]) {
	spec := r.spec
	spec.Phase, spec.Message = "Unavailable", ""
	limit := deref(spec.Limit)
	author := w.domains[spec.Author]
	switch {
	case spec.Signature != "" && (author == nil || author.cert == ""):
		spec.Message = "Get Domain cert error"
	case spec.Signature != "":
		spec.Message = "Verify error" // nobody here signs
	case limit.ExpirationTime > 0 && w.now.UnixNano() >= limit.ExpirationTime:
		spec.Message = "Expirated"
	case limit.UseCount < 0:
		spec.Message = "UseCount is exhausted"
	default:
		spec.Phase = "Ready"
	}
	if spec.Phase != r.spec.Phase || spec.Message != r.spec.Message {
		// The status is no part of what generations count.
		r.spec = spec
		r.touch(w)
	}
}

// grantChanged lets the controller take over a changed grant into the copy of
// the grantee. The grant's own phase stays as it was.
func (w *world) grantChanged(r *record[grantSpec]) {
	w.after(w.steps(grantSeen), func() {
		if tableOf[grantSpec](w).holds(r) && !r.spec.Copy {
			w.copyGrant(r)
		}
	})
}

// dataChanged lets the controller take changed data over into their copies,
// which then have the vendor of the original too.
func (w *world) dataChanged(r *record[dataSpec]) {
	w.after(w.steps(grantSeen), func() {
		data := tableOf[dataSpec](w)
		for _, copied := range data.all() {
			if copied.name == r.name && copied.spec.Author == r.namespace && copied.spec.CopiedTo != 0 && data.holds(r) {
				spec := r.spec
				spec.CopiedTo = copied.spec.CopiedTo
				copied.set(w, spec)
			}
		}
	})
}

// dataDeleted lets the grants of deleted data go.
func (w *world) dataDeleted(data *record[dataSpec]) {
	w.after(w.steps(grantCollected), func() {
		for _, r := range tableOf[grantSpec](w).all() {
			if r.namespace == data.namespace && !r.spec.Copy && r.spec.Data == data.uid {
				w.removeGrant(r)
			}
		}
	})
}

// removeGrant deletes a grant with the copy of the grantee. The copy of the data
// goes with the last grant, unless the grantee was deleted and made again since
// it was made. Deleting a copy does nothing to its original.
func (w *world) removeGrant(r *record[grantSpec]) {
	grants := tableOf[grantSpec](w)
	grants.remove(w, r)
	if r.spec.Copy {
		return
	}
	if copied := grants.get(r.spec.GrantDomain, r.name); copied != nil && copied.spec.Copy {
		grants.remove(w, copied)
	}
	for _, other := range grants.in(r.namespace) {
		if other.spec.DomainDataID == r.spec.DomainDataID && other.spec.GrantDomain == r.spec.GrantDomain {
			return
		}
	}
	w.after(w.steps(grantSeen), func() {
		data, grantee := tableOf[dataSpec](w), w.domains[r.spec.GrantDomain]
		copied := data.get(r.spec.GrantDomain, r.spec.DomainDataID)
		if copied != nil && grantee != nil && copied.spec.CopiedTo == grantee.uid {
			data.remove(w, copied)
		}
	})
}
