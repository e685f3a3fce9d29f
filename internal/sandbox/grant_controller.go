package sandbox

// Times of the grant controller, in steps of the timing.
const (
	grantSeen      = 3     // until a new grant is looked at; 30 ms in real time
	grantCollected = 20    // until grants of deleted data are gone; 0.2 s
	grantResync    = 60000 // between two looks at every grant; 10 minutes
)

// How often the controller looks at a grant to a domain that does not exist,
// with pauses that double from FirstRetry on.
const grantRetries = 15

// grantController is when all grants are looked at next.
type grantController struct{ scheduled bool }

// wakeGrant lets the controller look at a new grant.
func (w *Domains) wakeGrant(r *record[grantSpec]) {
	if r.spec.Copy {
		return
	}
	w.scheduleResync()
	w.After(w.Steps(grantSeen), func() { w.lookAtGrant(r, 0) })
}

// wakeGrantsTo lets the controller look at grants that wait for a domain: it
// retries them anyway, later and later.
func (w *Domains) wakeGrantsTo(domainID string) {
	for _, r := range tableOf[grantSpec](w.World).all() {
		if r.spec.GrantDomain == domainID && r.spec.Phase == "" {
			w.wakeGrant(r)
		}
	}
}

// scheduleResync lets all grants be looked at every grantResync.
func (w *Domains) scheduleResync() {
	controller := stored[grantController](w.World)
	if controller.scheduled {
		return
	}
	controller.scheduled = true
	w.After(w.Steps(grantResync), func() {
		controller.scheduled = false
		for _, r := range tableOf[grantSpec](w.World).all() {
			w.lookAtGrant(r, grantRetries)
		}
		if len(tableOf[grantSpec](w.World).records) > 0 {
			w.scheduleResync()
		}
	})
}

// lookAtGrant brings the copies of a grant up to date and writes its phase.
func (w *Domains) lookAtGrant(r *record[grantSpec], retries int) {
	if !tableOf[grantSpec](w.World).holds(r) {
		return
	}
	if r.spec.Copy {
		w.judgeGrant(r)
		return
	}
	if w.byID[r.spec.GrantDomain] == nil {
		if retries < grantRetries {
			w.After(FirstRetry<<retries, func() { w.lookAtGrant(r, retries+1) })
		}
		return
	}
	w.copyGrant(r)
	w.judgeGrant(r)
}

// copyGrant puts a grant and its data into the domain of the grantee.
func (w *Domains) copyGrant(r *record[grantSpec]) {
	grantee := w.byID[r.spec.GrantDomain]
	if grantee == nil || grantee.id == r.namespace {
		return
	}
	data := tableOf[dataSpec](w.World)
	if original := data.get(r.namespace, r.spec.DomainDataID); original != nil && data.get(grantee.id, original.name) == nil {
		spec := original.spec
		spec.Vendor, spec.CopiedTo = vendorGrant, grantee.uid
		data.add(w.Engine, objectKey{grantee.id, original.name}, spec)
	}
	grants := tableOf[grantSpec](w.World)
	spec := r.spec
	spec.Copy = true
	copied := grants.get(grantee.id, r.name)
	if copied == nil {
		spec.Phase, spec.Message = "", ""
		copied = grants.add(w.Engine, objectKey{grantee.id, r.name}, spec)
	}
	spec.Phase, spec.Message = copied.spec.Phase, copied.spec.Message
	copied.set(w.Engine, spec)
	w.judgeGrant(copied)
}

// judgeGrant writes the phase that a grant has now.
func (w *Domains) judgeGrant(r *record[grantSpec]) {
	spec := r.spec
	spec.Phase, spec.Message = "Unavailable", ""
	limit := deref(spec.Limit)
	author := w.byID[spec.Author]
	switch {
	case spec.Signature != "" && (author == nil || author.cert == ""):
		spec.Message = "Get Domain cert error"
	case spec.Signature != "":
		spec.Message = "Verify error" // nobody here signs
	case limit.ExpirationTime > 0 && w.Now().UnixNano() >= limit.ExpirationTime:
		spec.Message = "Expirated"
	case limit.UseCount < 0:
		spec.Message = "UseCount is exhausted"
	default:
		spec.Phase = "Ready"
	}
	if spec.Phase != r.spec.Phase || spec.Message != r.spec.Message {
		// The status is no part of what generations count.
		r.spec = spec
		r.touch(w.Engine)
	}
}

// grantChanged lets the controller take over a changed grant into the copy of
// the grantee. The grant's own phase stays as it was.
func (w *Domains) grantChanged(r *record[grantSpec]) {
	w.After(w.Steps(grantSeen), func() {
		if tableOf[grantSpec](w.World).holds(r) && !r.spec.Copy {
			w.copyGrant(r)
		}
	})
}

// dataChanged lets the controller take changed data over into their copies,
// which then have the vendor of the original too.
func (w *Domains) dataChanged(r *record[dataSpec]) {
	w.After(w.Steps(grantSeen), func() {
		data := tableOf[dataSpec](w.World)
		for _, copied := range data.all() {
			if copied.name == r.name && copied.spec.Author == r.namespace && copied.spec.CopiedTo != 0 && data.holds(r) {
				spec := r.spec
				spec.CopiedTo = copied.spec.CopiedTo
				copied.set(w.Engine, spec)
			}
		}
	})
}

// dataDeleted lets the grants of deleted data go.
func (w *Domains) dataDeleted(data *record[dataSpec]) {
	w.After(w.Steps(grantCollected), func() {
		for _, r := range tableOf[grantSpec](w.World).all() {
			if r.namespace == data.namespace && !r.spec.Copy && r.spec.Data == data.uid {
				w.removeGrant(r)
			}
		}
	})
}

// removeGrant deletes a grant with the copy of the grantee. The copy of the data
// goes with the last grant, unless the grantee was deleted and made again since
// it was made. Deleting a copy does nothing to its original.
func (w *Domains) removeGrant(r *record[grantSpec]) {
	grants := tableOf[grantSpec](w.World)
	grants.remove(w.Engine, r)
	if r.spec.Copy {
		return
	}
	if copied := grants.get(r.spec.GrantDomain, r.name); copied != nil && copied.spec.Copy {
		grants.remove(w.Engine, copied)
	}
	for _, other := range grants.in(r.namespace) {
		if other.spec.DomainDataID == r.spec.DomainDataID && other.spec.GrantDomain == r.spec.GrantDomain {
			return
		}
	}
	w.After(w.Steps(grantSeen), func() {
		data, grantee := tableOf[dataSpec](w.World), w.byID[r.spec.GrantDomain]
		copied := data.get(r.spec.GrantDomain, r.spec.DomainDataID)
		if copied != nil && grantee != nil && copied.spec.CopiedTo == grantee.uid {
			data.remove(w.Engine, copied)
		}
	})
}
