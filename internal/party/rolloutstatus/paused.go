package rolloutstatus

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
)

// pauseGracePeriod is the time after which a Deployment counts as paused although its
// Rollout cannot be read or does not refer to the current Deployment.
const pauseGracePeriod = 15 * time.Second

// PausedNote follows Status.Paused and describes the consequences of the pause.
const PausedNote = " The change is stored and is released step by step: until the release ends, rollout_complete is false, and each apply checks again."

// describePaused describes at which steps Rollouts pause the Deployments that are not done, and how
// to resume them; "" as long as one of them continues on its own.
func (r *Reader) describePaused(ctx context.Context, seen *Status) string {
	var lines, next []string
	for _, p := range seen.Parties {
		if p.Runs() {
			continue
		}
		where, remedy, paused := r.pausedAt(ctx, p)
		if !paused {
			return ""
		}
		lines = append(lines, fmt.Sprintf("Deployment \"%s/%s\" is paused by Rollout %q%s (%s)", p.Desired.Namespace, p.Desired.Name, p.ReleasedBy, where, p.Text))
		if len(next) == 0 || next[len(next)-1] != remedy {
			next = append(next, remedy)
		}
	}
	return r.cluster.Masker(ctx).Report(strings.Join(lines, "; ") + ".\n\n" + strings.Join(next, " "))
}

// pausedAt describes at which step a release is paused, and what to do, if it
// waits for an approval or for longer than the wait lasts. Right after a change
// the Rollout still shows the progress of the previous release.
func (r *Reader) pausedAt(ctx context.Context, p Party) (where, next string, holds bool) {
	if p.release == nil {
		return "", "", false
	}
	inGracePeriod := r.inGracePeriod()
	if err := p.release.err; err != nil {
		return "", fmt.Sprintf("The progress of the Rollout is unknown: %s.", strings.TrimRight(err.Error(), ".")), !inGracePeriod
	}
	timers := r.timersOf(p)
	at := timers.stuck.Confirm(p.release.Release)
	if at.TrafficRouting != "" && !inGracePeriod && r.missing(ctx, kube.TrafficRoutings, p.Desired.Namespace, at.TrafficRouting) {
		return ": " + at.String() + ", which does not exist", "Create it, for example with kuscia_traffic_routing, or change traffic_routing_ref of the Rollout.", true
	}
	if at.TrafficRoutingRef != nil && !inGracePeriod {
		for _, ref := range at.TrafficRoutingRef.Objects() {
			if kind := kube.KindOf(ref.APIVersion, ref.Kind); r.missing(ctx, kind, p.Desired.Namespace, ref.Name) {
				return fmt.Sprintf(": %s, and %s %q does not exist", at, httpapi.Text(ref.Kind), httpapi.Text(ref.Name)), "Create it; the release then begins.", true
			}
		}
	}
	next, holds = at.ManualAction()
	if timers.pause.OutlastsWait(ctx, at) {
		next, holds = fmt.Sprintf("The release continues automatically after %d seconds, which is later than the timeout of this wait.", at.PauseSeconds), true
	}
	isOld := at.WorkloadGeneration < p.generation && timers.sinceChange(p.generation) < pauseGracePeriod
	if isOld || (at.State == kruise.UnknownPhase || at.State == kruise.Disabled) && inGracePeriod {
		holds = false
	}
	return ": " + at.String(), next, holds
}

// releaseTimers are the timers for the steps of a release.
type releaseTimers struct {
	pause kruise.PauseTimer
	stuck kruise.StuckTimer
	// generation is the last one of the Deployment, which was first seen at changed.
	generation int64
	changed    time.Time
}

// sinceChange records the generation of the Deployment, and returns for how long it has been
// the same.
func (t *releaseTimers) sinceChange(generation int64) time.Duration {
	if t.changed.IsZero() || t.generation != generation {
		t.generation, t.changed = generation, time.Now()
	}
	return time.Since(t.changed)
}

// timersOf returns the timers for a party's release.
func (r *Reader) timersOf(p Party) *releaseTimers {
	if r.timers == nil {
		r.timers = map[party.Key]*releaseTimers{}
	}
	if r.timers[p.Key] == nil {
		r.timers[p.Key] = &releaseTimers{}
	}
	return r.timers[p.Key]
}

// inGracePeriod reports whether it is too early to conclude anything from a missing
// status.
func (r *Reader) inGracePeriod() bool { return time.Since(r.began) < pauseGracePeriod }

// missing reports whether an object certainly does not exist, or is of a kind that
// the cluster does not serve.
func (r *Reader) missing(ctx context.Context, kind kube.Kind, namespace, name string) bool {
	_, err := r.cluster.Get(ctx, kind, namespace, name)
	return errors.Is(err, apierror.ErrNotFound) || errors.Is(err, apierror.ErrUnsupported)
}
