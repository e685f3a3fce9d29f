package rollout

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/model"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// statusLag is the time after an update from which a refresh trusts the replica
// counts of parties whose pods the update did not have to replace: before it the
// status may be the old one, for 0.3 s as observed.
const statusLag = 2 * time.Second

// NewPendingRollout is what is stored about a rollout that is not complete.
func NewPendingRollout(target wait.Target) *model.PendingRollout {
	since := target.Since.UTC().Truncate(time.Second)
	r := &model.PendingRollout{Since: since, ReachableSince: since}
	for _, p := range target.Parties {
		if p.Replacement == wait.NoReplacement {
			continue
		}
		if r.NotStarted == nil {
			r.NotStarted = map[string]model.PendingParty{}
		}
		key := party.Key{DomainID: p.DomainID, Role: p.Role}
		r.NotStarted[key.String()] = model.PendingParty{Replacement: p.Replacement, Before: podsOf(target.Before, key)}
	}
	return r
}

// podsOf are the replica counts of a party in a snapshot. Without a status it had no
// pods.
func podsOf(before *wait.Snapshot, key party.Key) *model.PodsBefore {
	if before == nil {
		return nil
	}
	pods := &model.PodsBefore{}
	if before.Status == nil {
		return pods
	}
	for _, p := range before.Status.PartyStatuses {
		if (party.Key{DomainID: p.DomainID, Role: p.Role}) == key {
			*pods = model.PodsBefore{Replicas: p.Replicas, Updated: p.UpdatedReplicas, Available: p.AvailableReplicas, Unavailable: p.UnavailableReplicas, CreateTime: p.CreateTime}
		}
	}
	return pods
}

// RefreshRolloutComplete decides in a refresh whether the last rollout is complete, and returns
// rollout_complete and the new private state. If Kuscia has another specification
// than the state, somebody has updated the serving (maybe an apply that was killed
// before its state was stored), and the rollout of that update is waited for.
// Otherwise a rollout that is complete stays complete, whatever happens to pods
// later. With a cluster the Deployments decide, and no time limit counts.
func RefreshRolloutComplete(prior, state model.Serving, answer *kuscia.Serving, private model.Private, now time.Time, evidence *CachedDeployments) (types.Bool, model.Private) {
	if changed, rolled := ChangedElsewhere(prior, state, private); changed || RedeployedElsewhere(private, answer) {
		private.Rollout = private.Rollout.Merge(NewPendingRollout(detectedUpdateTarget(state, rolled, answer.Status, now)))
	}
	if private.Rollout != nil && private.Rollout.ReachableSince.IsZero() {
		private.Rollout = private.Rollout.WithReachableSince(now)
	}
	target := ResumedTarget(state, private)
	history := refreshHistory(target, now)
	if NeedsDeployments(prior, state, private) {
		target, history = evidence.applyTo(target, history)
	}
	outcome, seen := wait.Evaluate(answer.Status, target, history)
	complete := outcome.Phase == wait.Running
	switch {
	case complete:
		private.Rollout = nil
	case private.Rollout != nil:
		private.Rollout = private.Rollout.After(target, seen.Started)
	}
	switch {
	case !state.WaitForRollout.ValueBool():
		return types.BoolNull(), private
	case complete:
		return types.BoolValue(true), private
	case private.Rollout != nil:
		return types.BoolValue(false), private
	default:
		return prior.RolloutComplete, private
	}
}

// NeedsDeployments reports whether the Deployments have to be read: not for a rollout
// that is complete already, nor where nobody waits for any.
func NeedsDeployments(prior, state model.Serving, private model.Private) bool {
	return state.WaitForRollout.ValueBool() && (private.Rollout != nil || !prior.RolloutComplete.ValueBool())
}

// AssumedComplete are the parties whose rollout a refresh assumed to be complete
// only since enough time had passed.
func AssumedComplete(prior, state model.Serving, private model.Private, status *kuscia.ServingStatusDetail, now time.Time, evidence *CachedDeployments) []string {
	if !model.RolloutUnfinished(prior) || !state.RolloutComplete.ValueBool() {
		return nil
	}
	target := ResumedTarget(state, private)
	target, history := evidence.applyTo(target, refreshHistory(target, now))
	_, seen := wait.Evaluate(status, target, history)
	return seen.StartNotObserved(target)
}

// refreshHistory is the history with which Verdict evaluates the single response of
// a refresh, according to the time since the update. Deployments left over from a
// deleted serving of the same id are not considered: they are gone long before the
// first refresh of a serving.
func refreshHistory(target wait.Target, now time.Time) wait.History {
	age := now.Sub(target.Since)
	beginOver := now.Sub(target.ReachableSince) >= wait.StartTimeout
	return wait.History{Consecutive: 1, PastStatusLag: age >= statusLag, PastStatusLagMargin: age >= statusLag, PastStartTimeout: beginOver, PastStaleDeploymentTimeout: true}
}

// detectedUpdateTarget is the target of an update that a refresh has detected: it is unknown
// when it was made, and the status may still be from before it.
func detectedUpdateTarget(state model.Serving, rolled []party.Key, status *kuscia.ServingStatusDetail, now time.Time) wait.Target {
	target := CreateTarget(state)
	target.Since, target.Before = now, &wait.Snapshot{Status: status}
	for i, p := range state.Parties.Items {
		if slices.Contains(rolled, p.Key()) {
			target.Parties[i].Replacement = replacementOf(p.Strategy.Wire(), p.Replicas.ValueInt32(), p.Replicas.ValueInt32())
		}
	}
	return target
}

// ChangedElsewhere reports whether a refresh found another specification than
// that of the state, and the parties whose pods the change replaces. A party
// of which only the replicas changed is not among them: its replica counts show
// whether it was scaled.
func ChangedElsewhere(prior, state model.Serving, private model.Private) (changed bool, rolled []party.Key) {
	if prior.Initiator.IsNull() {
		return false, nil // after an import there is nothing to compare with
	}
	text := !prior.ConfigIsWriteOnly() && !tfvalue.ConfigTextEqual(prior.ServingInputConfig.ValueString(), state.ServingInputConfig.ValueString())
	for _, p := range state.Parties.Items {
		was, known := model.FindParty(prior.Parties.Items, p.Key())
		if private.ResourcesObserved(p.Key()) {
			p.Resources = was.Resources // which follow the app image
		}
		changed = changed || !known || !was.Equal(p)
		if text || !known || !was.AppImage.Equal(p.AppImage) || !was.Resources.Equal(p.Resources) {
			rolled = append(rolled, p.Key())
		}
	}
	return changed || text || len(state.Parties.Items) != len(prior.Parties.Items), rolled
}

// RedeployedElsewhere reports whether somebody has sent the configuration text
// again to restart the pods, as the action does. Most often the restart is over
// when a refresh detects it, so that the desired replica counts are enough; other
// counts show a redeploy that failed.
func RedeployedElsewhere(d model.Private, answer *kuscia.Serving) bool {
	return d.TrailingNewline != "" && d.TrailingNewline != ConfigTrailingNewline(answer)
}

// ConfigTrailingNewline is how the configuration text ends: a redeploy adds or removes a
// newline there, see respell.
func ConfigTrailingNewline(answer *kuscia.Serving) string {
	if strings.HasSuffix(answer.ServingInputConfig, "\n") {
		return "newline"
	}
	return "plain"
}

// ResumedTarget is the target of a rollout whose update was sent earlier: the
// rollouts of parties that were not seen to begin still have to be.
func ResumedTarget(planned model.Serving, private model.Private) wait.Target {
	target := CreateTarget(planned)
	target.Updated = true
	for i := range target.Parties {
		target.Parties[i].Unchanged = true
	}
	if private.Rollout == nil {
		return target
	}
	target.Since, target.ReachableSince = private.Rollout.Since, private.Rollout.ReachableSince
	target.Before = &wait.Snapshot{Status: &kuscia.ServingStatusDetail{}}
	return AddNotStarted(private, target, planned)
}

// AddNotStarted adds to a target the rollouts that earlier updates began, as far as
// nobody has seen that: whatever else is updated meanwhile, the pods of these
// parties may still be those of before.
func AddNotStarted(d model.Private, target wait.Target, planned model.Serving) wait.Target {
	if d.Rollout == nil {
		return target
	}
	for i, p := range planned.Parties.Items {
		unseen, ok := d.Rollout.NotStarted[p.Key().String()]
		if !ok {
			continue
		}
		desired := &target.Parties[i]
		desired.Unchanged = false
		// Either of the two strategies may be at work.
		desired.Replacement = max(desired.Replacement, unseen.Replacement, replacementOf(p.Strategy.Wire(), p.Replicas.ValueInt32(), p.Replicas.ValueInt32()))
		target.Before = withPods(target.Before, p.Key(), unseen.Before)
	}
	return target
}

// withPods is a snapshot with these pods of a party. It is not known where the pods
// are not.
func withPods(snapshot *wait.Snapshot, key party.Key, pods *model.PodsBefore) *wait.Snapshot {
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
	if *pods != (model.PodsBefore{}) {
		status.PartyStatuses = append(status.PartyStatuses, kuscia.PartyStatus{
			DomainID: key.DomainID, Role: key.Role, CreateTime: pods.CreateTime, Replicas: pods.Replicas,
			UpdatedReplicas: pods.Updated, AvailableReplicas: pods.Available, UnavailableReplicas: pods.Unavailable,
		})
	}
	return &wait.Snapshot{Status: &status}
}

// ForgetStarted forgets the rollouts of earlier updates whose beginning a status of
// the serving shows.
func ForgetStarted(d model.Private, state model.Serving, snapshot *wait.Snapshot) model.Private {
	if d.Rollout == nil || snapshot == nil {
		return d
	}
	target := ResumedTarget(state, d)
	_, seen := wait.Evaluate(snapshot.Status, target, wait.History{})
	d.Rollout = d.Rollout.After(target, seen.Started)
	return d
}

// AfterWait is the private state after a wait.
func AfterWait(d model.Private, result wait.Result, err error) model.Private {
	if err == nil && result.Held != "" {
		return d // the rollout is not complete
	}
	if err == nil {
		d.Rollout = nil
		return d
	}
	var failed *wait.NotRunningError
	if errors.As(err, &failed) && d.Rollout != nil {
		d.Rollout = d.Rollout.After(failed.Target, failed.Started).WithReachableSince(failed.ReachableSince)
	}
	return d
}
