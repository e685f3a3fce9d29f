package rules

import (
	"errors"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/judge"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/servingstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// NewPendingRollout returns what is stored about a rollout that is not complete.
func NewPendingRollout(target servingstatus.Target) *PendingRollout {
	since := target.Since.UTC().Truncate(time.Second)
	r := &PendingRollout{Since: since, ReachableSince: since}
	for _, p := range target.Parties {
		if p.Replacement == judge.NoReplacement {
			continue
		}
		if r.NotStarted == nil {
			r.NotStarted = map[string]PendingParty{}
		}
		key := party.Key{DomainID: p.DomainID, Role: p.Role}
		r.NotStarted[key.String()] = PendingParty{Replacement: p.Replacement, Before: podsOf(target.Before, key)}
	}
	return r
}

// podsOf returns the replica counts of a party in a snapshot. Without a status
// it had no pods.
func podsOf(before *servingstatus.Snapshot, key party.Key) *PodsBefore {
	if before == nil {
		return nil
	}
	pods := &PodsBefore{}
	if before.Status == nil {
		return pods
	}
	for _, p := range before.Status.PartyStatuses {
		if (party.Key{DomainID: p.DomainID, Role: p.Role}) == key {
			*pods = PodsBefore{Replicas: p.Replicas, Updated: p.UpdatedReplicas, Available: p.AvailableReplicas, Unavailable: p.UnavailableReplicas, CreateTime: p.CreateTime}
		}
	}
	return pods
}

// RefreshRolloutComplete decides in a refresh whether the last rollout is
// complete, and returns rollout_complete and the new private state. If the
// specification in Kuscia differs from that of the state, another client has
// updated the serving, or an apply was killed before its state was stored; the
// rollout of that update is then awaited. Otherwise a complete rollout stays
// complete, whatever happens to pods later. With a cluster the Deployments
// decide, without any time limit.
func RefreshRolloutComplete(prior, state Serving, response *kuscia.Serving, private Private, now time.Time, observer *servingstatus.CachedObserver) (types.Bool, Private) {
	if changed, rolled := ChangedElsewhere(prior, state, private); changed {
		private.Rollout = private.Rollout.Merge(NewPendingRollout(detectedUpdateTarget(state, rolled, response.Status, now)))
	}
	private.Rollout = private.Rollout.NotAfter(now)
	if private.Rollout != nil && private.Rollout.ReachableSince.IsZero() {
		private.Rollout = private.Rollout.WithReachableSince(now)
	}
	target := ResumedTarget(state, private)
	if !NeedsDeployments(prior, state, private) {
		observer = nil
	}
	seen := servingstatus.LookAt(response.Status, target, observer, now)
	complete := seen.Runs()
	switch {
	case complete:
		private.Rollout = nil
	case private.Rollout != nil:
		private.Rollout = private.Rollout.WithoutStarted(target, seen.Started)
	}
	switch {
	case !state.WaitForRollout().ValueBool():
		return types.BoolNull(), private
	case complete:
		return types.BoolValue(true), private
	case private.Rollout != nil:
		return types.BoolValue(false), private
	default:
		return prior.RolloutComplete(), private
	}
}

// NeedsDeployments reports whether the Deployments have to be read: not for a
// rollout that is already complete, and not without wait_for_rollout.
func NeedsDeployments(prior, state Serving, private Private) bool {
	return state.WaitForRollout().ValueBool() && (private.Rollout != nil || !prior.RolloutComplete().ValueBool())
}

// AssumedComplete returns the parties whose rollout a refresh assumed to be
// complete only because enough time had passed.
func AssumedComplete(prior, state Serving, private Private, status *kuscia.ServingStatusDetail, now time.Time, observer *servingstatus.CachedObserver) []string {
	if !RolloutUnfinished(prior) || !state.RolloutComplete().ValueBool() {
		return nil
	}
	return servingstatus.LookAt(status, ResumedTarget(state, private), observer, now).Unseen
}

// detectedUpdateTarget returns the target of an update that a refresh has
// detected: its time is unknown, and the status may still be from before it.
func detectedUpdateTarget(state Serving, rolled []party.Key, status *kuscia.ServingStatusDetail, now time.Time) servingstatus.Target {
	target := CreateTarget(state)
	target.Since, target.Before = now, &servingstatus.Snapshot{Status: status}
	for i, p := range state.Parties().Items {
		if slices.Contains(rolled, p.Key()) {
			target.Parties[i].Replacement = replacementOf(p.Strategy().Wire(), p.Replicas().ValueInt32(), p.Replicas().ValueInt32())
		}
	}
	return target
}

// ChangedElsewhere reports whether a refresh found a specification that differs
// from that of the state, and returns the parties whose pods the change
// replaces. A party with a change of replicas only is not among them: its
// replica counts show whether it was scaled.
func ChangedElsewhere(prior, state Serving, private Private) (changed bool, rolled []party.Key) {
	if prior.Initiator().IsNull() {
		return false, nil // after an import there is nothing to compare with
	}
	text := !prior.ConfigIsWriteOnly() && !tfvalue.ConfigTextEqual(prior.ServingInputConfig().ValueString(), state.ServingInputConfig().ValueString())
	for _, p := range state.Parties().Items {
		was, known := FindParty(prior.Parties().Items, p.Key())
		if private.ResourcesObserved(p.Key()) {
			p = p.WithResources(was.Resources()) // which follow the app image
		}
		p = p.WithPartyAttribute(party.AttrPodRevision, was.PodRevision()) // which no client changes
		changed = changed || !known || !was.Equal(p)
		if text || !known || !was.AppImage().Equal(p.AppImage()) || !was.Resources().Equal(p.Resources()) {
			rolled = append(rolled, p.Key())
		}
	}
	return changed || text || len(state.Parties().Items) != len(prior.Parties().Items), rolled
}

// ResumedTarget returns the target of a rollout whose update was sent earlier:
// rollout starts that have not been observed still have to be.
func ResumedTarget(planned Serving, private Private) servingstatus.Target {
	target := CreateTarget(planned)
	target.Updated = true
	for i := range target.Parties {
		target.Parties[i].Unchanged = true
	}
	if private.Rollout == nil {
		return target
	}
	target.Since, target.ReachableSince = private.Rollout.Since, private.Rollout.ReachableSince
	// Without pods before: only the parties in NotStarted must be observed to start.
	target.Before = &servingstatus.Snapshot{Status: &kuscia.ServingStatusDetail{}}
	return AddNotStarted(private, target, planned)
}

// AddNotStarted adds to a target the rollouts of earlier updates whose start has
// not been observed: whatever is updated since then, the pods of these parties
// may still be the old ones.
func AddNotStarted(d Private, target servingstatus.Target, planned Serving) servingstatus.Target {
	if d.Rollout == nil {
		return target
	}
	for i, p := range planned.Parties().Items {
		notStarted, ok := d.Rollout.NotStarted[p.Key().String()]
		if !ok {
			continue
		}
		desired := &target.Parties[i]
		desired.Unchanged = false
		// Either of the two strategies may be in effect.
		desired.Replacement = max(desired.Replacement, notStarted.Replacement, replacementOf(p.Strategy().Wire(), p.Replicas().ValueInt32(), p.Replicas().ValueInt32()))
		target.Before = withPods(target.Before, p.Key(), notStarted.Before)
	}
	return target
}

// withPods returns a snapshot with these pods of a party; nil if the pods are
// unknown.
func withPods(snapshot *servingstatus.Snapshot, key party.Key, pods *PodsBefore) *servingstatus.Snapshot {
	if snapshot == nil || pods == nil {
		return nil
	}
	status := kuscia.ServingStatusDetail{}
	if snapshot.Status != nil {
		status = *snapshot.Status
	}
	status.PartyStatuses = slices.DeleteFunc(slices.Clone(status.PartyStatuses), func(p kuscia.PartyStatus) bool {
		return party.Key{DomainID: p.DomainID, Role: p.Role} == key
	})
	if *pods != (PodsBefore{}) {
		status.PartyStatuses = append(status.PartyStatuses, kuscia.PartyStatus{
			DomainID: key.DomainID, Role: key.Role, CreateTime: pods.CreateTime, Replicas: pods.Replicas,
			UpdatedReplicas: pods.Updated, AvailableReplicas: pods.Available, UnavailableReplicas: pods.Unavailable,
		})
	}
	return &servingstatus.Snapshot{Status: &status}
}

// ForgetStarted drops the rollouts of earlier updates whose start a status of
// the serving shows.
func ForgetStarted(d Private, state Serving, snapshot *servingstatus.Snapshot) Private {
	if d.Rollout == nil || snapshot == nil {
		return d
	}
	target := ResumedTarget(state, d)
	seen := servingstatus.LookAt(snapshot.Status, target, nil, target.Since)
	d.Rollout = d.Rollout.WithoutStarted(target, seen.Started)
	return d
}

// AfterWait returns the private state after a wait.
func AfterWait(d Private, result servingstatus.Result, err error) Private {
	if err == nil && result.Paused != "" {
		return d // the rollout is not complete
	}
	if err == nil {
		d.Rollout = nil
		return d
	}
	var failed *servingstatus.NotRunningError
	if errors.As(err, &failed) && d.Rollout != nil {
		d.Rollout = d.Rollout.WithoutStarted(failed.Target, failed.Started).WithReachableSince(failed.ReachableSince)
	}
	return d
}

// RolloutUnfinished reports whether the last apply of a state ended before its
// rollout did.
func RolloutUnfinished(state Serving) bool {
	return !state.RolloutComplete().IsNull() && !state.RolloutComplete().IsUnknown() && !state.RolloutComplete().ValueBool()
}

// MayHaveSentText reports whether an apply that was killed may have sent the text: Kuscia already
// has the write-only text of a new version.
func MayHaveSentText(planned, prior Serving) bool {
	return planned.ConfigIsWriteOnly() && prior.ConfigIsWriteOnly() && !planned.ServingInputConfigVersion().Equal(prior.ServingInputConfigVersion())
}
