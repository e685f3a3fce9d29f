package sandbox

import (
	"errors"
	"fmt"
	"time"
)

// How often and after which first delay the controller repeats a pass that
// ended with an error; the delay doubles every time.
const (
	maxRetries = 15
	firstRetry = 5 * time.Millisecond
)

// touch notes a write of the serving: writers that read it before now conflict.
func (w *world) touch(sv *serving) {
	w.seq++
	sv.version = w.seq
}

// wake asks for a pass of the controller after delay, unless an earlier one is
// due already.
func (w *world) wake(sv *serving, delay time.Duration) {
	at := w.now.Add(delay)
	if !sv.reconcileAt.IsZero() && !sv.reconcileAt.After(at) {
		return
	}
	sv.reconcileAt = at
	w.after(delay, func() {
		if w.servings[sv.id] == sv && sv.reconcileAt.Equal(at) {
			sv.reconcileAt = time.Time{}
			w.reconcile(sv)
		}
	})
}

// reconcile is one pass of Kuscia's controller over a serving.
func (w *world) reconcile(sv *serving) {
	if w.lagging(sv) {
		w.wake(sv, sv.lagUntil.Sub(w.now))
		return
	}
	err := w.process(sv)
	if err == nil {
		sv.retries = 0
		return
	}
	if sv.retries < maxRetries {
		delay := firstRetry << sv.retries
		sv.retries++
		w.wake(sv, delay)
		return
	}
	sv.retries = 0
	_ = w.fail(sv, &failure{reasonRetries, fmt.Sprintf("process failed after retrying %d times, %v", maxRetries, err)}, nil) // a failure is never handed back
	// Writing the failure is a change of the object, so it starts all over.
	w.wake(sv, w.timing.Reconcile)
}

func (w *world) process(sv *serving) error {
	for _, party := range sv.spec.Parties {
		if w.domains[party.DomainID] == nil {
			return fmt.Errorf("domain.kuscia.secretflow %q not found", party.DomainID)
		}
	}
	kits, err := w.buildKits(sv)
	if err != nil {
		return w.fail(sv, err, nil)
	}
	fresh, err := w.allocatePorts(sv, kits)
	if err != nil {
		return w.fail(sv, err, nil)
	}
	if fresh {
		// The ports are written first; the rest waits for the next pass.
		w.touch(sv)
		w.wake(sv, w.timing.Reconcile)
		return nil
	}
	if w.busy(sv, kits) {
		return nil
	}
	if err := w.syncServices(sv, kits); err != nil {
		return w.fail(sv, err, kits)
	}
	if err := w.syncDeployments(sv, kits); err != nil {
		return w.fail(sv, err, kits)
	}
	w.refresh(sv, sv.status.clone(), kits)
	return nil
}

// busy lets the time pass that it takes to write Services and Deployments: a
// pass that has something to write comes back when it is over.
func (w *world) busy(sv *serving, kits []*kit) bool {
	if sv.applyAt.IsZero() {
		if !w.pending(sv, kits) {
			return false
		}
		sv.applyAt = w.now.Add(w.timing.Apply)
	}
	if sv.applyAt.After(w.now) {
		w.wake(sv, sv.applyAt.Sub(w.now))
		return true
	}
	sv.applyAt = time.Time{}
	return false
}

// pending reports whether a Service or Deployment has to be made or changed.
func (w *world) pending(sv *serving, kits []*kit) bool {
	for _, k := range kits {
		d := w.deployments[k.key]
		if d == nil {
			return true
		}
		if _, changed := desired(sv, d, k); changed {
			return true
		}
		for _, port := range k.ports {
			if port.Scope != scopeLocal && w.services[objectKey{k.key.namespace, serviceName(k, port.Name)}] == nil {
				return true
			}
		}
	}
	return false
}

// fail writes a failure to the status and hands other errors back for a retry.
// The refresh that follows covers the failure up when every Deployment that
// exists is available: a broken update cannot be seen from outside.
func (w *world) fail(sv *serving, err error, kits []*kit) error {
	var failed *failure
	if !errors.As(err, &failed) {
		return err
	}
	status := sv.status.clone()
	status.phase, status.reason, status.message = phaseFailed, failed.reason, failed.message
	w.refresh(sv, status, kits)
	return nil
}

// refresh copies the state of the Deployments of kits into status, draws the
// conclusion for the serving and stores it.
func (w *world) refresh(sv *serving, status servingStatus, kits []*kit) {
	before := status.phase
	if status.total == 0 {
		status.total = len(sv.spec.Parties)
	}
	if status.parties == nil {
		status.parties = map[objectKey]partyStatus{}
	}
	for _, k := range kits {
		if d := w.deployments[k.key]; d != nil {
			status.parties[k.key] = d.partyStatus(k.party.Role)
		}
	}
	var available, partial, progressing int
	for key, party := range status.parties {
		switch party.phase {
		case phaseAvailable:
			available++
		case phasePartial:
			available++
			partial++
		case phaseProgressing:
			progressing++
			if len(kits) > 0 && w.version.explainsPods() {
				status.reason, status.message = w.explain(key)
			}
		}
	}
	status.available = available
	if progressing > 0 {
		status.phase = phaseProgressing
	}
	if available == status.total {
		status.phase = phaseAvailable
		if partial > 0 {
			status.phase = phasePartial
		}
	}
	if status.phase != before && (status.phase == phaseAvailable || status.phase == phasePartial) {
		status.reason, status.message = "", ""
	}
	if !status.equal(sv.status) {
		sv.status = status
		w.touch(sv)
	}
}

// explain is the reason and message of a Deployment whose pods do not run.
func (w *world) explain(key objectKey) (reason, message string) {
	d := w.deployments[key]
	if d == nil {
		return "", ""
	}
	reason, message = d.waiting(w.now)
	if reason != "" {
		reason = fmt.Sprintf("domainID: %s, reason: %s", key.namespace, reason)
	}
	return reason, message
}
