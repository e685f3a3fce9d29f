package serving

import (
	"errors"
	"fmt"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/appimage"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
)

// maxRetries is how often the controller repeats a failed reconciliation.
const maxRetries = 15

// touch records a write of the serving: writers that have read it before
// conflict.
func (w *Servings) touch(sv *serving) {
	sv.version = w.NextVersion()
}

// wake schedules a pass of the controller after delay, unless an earlier one is
// scheduled.
func (w *Servings) wake(sv *serving, delay time.Duration) {
	at := w.Now().Add(delay)
	if !sv.reconcileAt.IsZero() && !sv.reconcileAt.After(at) {
		return
	}
	sv.reconcileAt = at
	w.After(delay, func() {
		if w.byID[sv.id] == sv && sv.reconcileAt.Equal(at) {
			sv.reconcileAt = time.Time{}
			w.reconcile(sv)
		}
	})
}

// reconcile is one pass of Kuscia's controller over a serving.
func (w *Servings) reconcile(sv *serving) {
	if w.lagging(sv) {
		w.wake(sv, sv.lagUntil.Sub(w.Now()))
		return
	}
	err := w.process(sv)
	if err == nil {
		sv.retries = 0
		return
	}
	if sv.retries < maxRetries {
		delay := server.FirstRetry << sv.retries
		sv.retries++
		w.wake(sv, delay)
		return
	}
	sv.retries = 0
	_ = w.fail(sv, &failure{reasonRetries, fmt.Sprintf("process failed after retrying %d times, %v", maxRetries, err)}, nil) // fail returns nil for a failure
	// Writing the failure changes the object, so the controller starts again.
	w.wake(sv, w.Timing.Reconcile)
}

func (w *Servings) process(sv *serving) error {
	for _, party := range sv.spec.Parties {
		if !w.domains.Exists(party.DomainID) {
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
		// The ports are written first; the rest is done in the next pass.
		w.touch(sv)
		w.wake(sv, w.Timing.Reconcile)
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

// busy simulates the time to write Services and Deployments: a pass with
// something to write returns when it is over.
func (w *Servings) busy(sv *serving, kits []*kit) bool {
	if sv.applyAt.IsZero() {
		if !w.pending(sv, kits) {
			return false
		}
		sv.applyAt = w.Now().Add(w.Timing.Apply)
	}
	if sv.applyAt.After(w.Now()) {
		w.wake(sv, sv.applyAt.Sub(w.Now()))
		return true
	}
	sv.applyAt = time.Time{}
	return false
}

// pending reports whether a Service or Deployment has to be created or changed.
func (w *Servings) pending(sv *serving, kits []*kit) bool {
	for _, k := range kits {
		d := w.Cluster.Deployments[k.key]
		if d == nil {
			return true
		}
		if _, changed := desiredDeployment(sv, d, k); changed {
			return true
		}
		for _, port := range k.ports {
			if port.Scope != appimage.ScopeLocal && w.Cluster.Services[cluster.Key{Namespace: k.key.Namespace, Name: serviceName(k, port.Name)}] == nil {
				return true
			}
		}
	}
	return false
}

// fail writes a failure to the status and returns other errors for a retry. The
// refresh that follows overwrites the failure if every existing Deployment is
// available: clients cannot detect a broken update.
func (w *Servings) fail(sv *serving, err error, kits []*kit) error {
	var failed *failure
	if !errors.As(err, &failed) {
		return err
	}
	status := sv.status.clone()
	status.phase, status.reason, status.message = phaseFailed, failed.reason, failed.message
	w.refresh(sv, status, kits)
	return nil
}

// refresh copies the state of the Deployments of kits into status, derives that
// of the serving and stores it.
func (w *Servings) refresh(sv *serving, status servingStatus, kits []*kit) {
	before := status.phase
	if status.total == 0 {
		status.total = len(sv.spec.Parties)
	}
	if status.parties == nil {
		status.parties = map[cluster.Key]partyStatus{}
	}
	for _, k := range kits {
		if d := w.Cluster.Deployments[k.key]; d != nil {
			status.parties[k.key] = partyStatusOf(d, k.party.Role)
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
			if len(kits) > 0 && w.Version.ExplainsPods() {
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
func (w *Servings) explain(key cluster.Key) (reason, message string) {
	d := w.Cluster.Deployments[key]
	if d == nil {
		return "", ""
	}
	if reason, message = d.Waiting(w.Now()); reason == "" && d.PodCount() == 0 {
		reason = fmt.Sprintf("kd's pods: %s not found", d.Key.Name)
		message = reason
	}
	if reason != "" {
		reason = fmt.Sprintf("domainID: %s, reason: %s", key.Namespace, reason)
	}
	return reason, message
}
