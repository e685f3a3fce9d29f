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

// answerLag is after which time a refresh believes right numbers of parties
// whose pods an update did not have to replace: 0.3 s were observed.
const answerLag = 2 * time.Second

// Pending is what remains to be seen of a rollout with a target.
func Pending(target wait.Target) *model.PendingRollout {
	since := target.Since.UTC().Truncate(time.Second)
	r := &model.PendingRollout{Since: since, SteadySince: since}
	for _, p := range target.Parties {
		if p.Rollout == wait.NoRollout {
			continue
		}
		if r.Unseen == nil {
			r.Unseen = map[string]model.UnseenRollout{}
		}
		key := party.Key{DomainID: p.DomainID, Role: p.Role}
		r.Unseen[key.String()] = model.UnseenRollout{Rollout: p.Rollout, Before: podsOf(target.Before, key)}
	}
	return r
}

// podsOf are the pods of a party in a snapshot. Without a status there were none.
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

// Follow decides in a refresh whether the last rollout is complete. A
// specification that is not that of the state is an update that somebody made,
// maybe an apply that was killed before its state was stored: it has a rollout
// of its own. Otherwise what is complete stays so, whatever happens to pods
// later. Where there is a cluster, its proof counts and not the time.
func Follow(prior, state model.Serving, answer *kuscia.Serving, private model.Private, now time.Time, proof *Proof) (types.Bool, model.Private) {
	if changed, rolled := ChangedElsewhere(prior, state, private); changed || RedeployedElsewhere(private, answer) {
		private.Rollout = private.Rollout.Merge(Pending(foundTarget(state, rolled, answer.Status, now)))
	}
	if private.Rollout != nil && private.Rollout.SteadySince.IsZero() {
		private.Rollout = private.Rollout.WithSteadySince(now)
	}
	target := ResumedTarget(state, private)
	history := refreshHistory(target, now)
	if NeedsProof(prior, state, private) {
		target, history = proof.bear(target, history)
	}
	outcome, seen := wait.Verdict(answer.Status, target, history)
	complete := outcome.Phase == wait.Running
	switch {
	case complete:
		private.Rollout = nil
	case private.Rollout != nil:
		private.Rollout = private.Rollout.After(target, seen.Begun)
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

// NeedsProof reports whether anything depends on what the Deployments are: a
// rollout that was seen to be complete stays so.
func NeedsProof(prior, state model.Serving, private model.Private) bool {
	return private.Rollout != nil || state.WaitForRollout.ValueBool() && !prior.RolloutComplete.ValueBool()
}

// TakenForDone are the parties that a refresh took for done by time alone.
func TakenForDone(prior, state model.Serving, private model.Private, status *kuscia.ServingStatusDetail, now time.Time, proof *Proof) []string {
	if !model.RolloutUnfinished(prior) || !state.RolloutComplete.ValueBool() {
		return nil
	}
	target := ResumedTarget(state, private)
	target, history := proof.bear(target, refreshHistory(target, now))
	_, seen := wait.Verdict(status, target, history)
	return seen.NotSeen(target)
}

// refreshHistory makes a refresh believe its one answer as far as the time since
// the update allows. What is left over of an earlier serving is no matter: it is
// gone long before a serving is in a state that is refreshed.
func refreshHistory(target wait.Target, now time.Time) wait.History {
	age := now.Sub(target.Since)
	beginOver := now.Sub(target.SteadySince) >= wait.BeginTime
	return wait.History{InRow: 1, Fresh: age >= answerLag, Settled: age >= answerLag, BeginOver: beginOver, LeftoversOver: true}
}

// foundTarget is what an update has to reach that a refresh has found: nobody
// knows when it was made, and what the answer shows may be from before it.
func foundTarget(state model.Serving, rolled []party.Key, status *kuscia.ServingStatusDetail, now time.Time) wait.Target {
	target := CreateTarget(state)
	target.Since, target.Before = now, &wait.Snapshot{Status: status}
	for i, p := range state.Parties.Items {
		if slices.Contains(rolled, p.Key()) {
			target.Parties[i].Rollout = rolloutOf(p.Strategy.Wire(), p.Replicas.ValueInt32(), p.Replicas.ValueInt32())
		}
	}
	return target
}

// ChangedElsewhere reports whether a refresh found another specification than
// that of the state, and the parties whose pods that replaces. A party that only
// gets another number of pods shows by their number whether it was scaled.
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
// again to restart the pods, as the action does. Most often that is over when a
// refresh finds it, so that right numbers count; those that are wrong tell of a
// redeploy that failed.
func RedeployedElsewhere(d model.Private, answer *kuscia.Serving) bool {
	return d.TextEnd != "" && d.TextEnd != ConfigTextEnd(answer)
}

// ConfigTextEnd tells a text from the same one as respell makes it.
func ConfigTextEnd(answer *kuscia.Serving) string {
	if strings.HasSuffix(answer.ServingInputConfig, "\n") {
		return "newline"
	}
	return "plain"
}

// ResumedTarget is what a rollout has to reach whose update was sent before: the
// parties that were not seen to begin still have to be.
func ResumedTarget(planned model.Serving, private model.Private) wait.Target {
	target := CreateTarget(planned)
	target.Updated = true
	for i := range target.Parties {
		target.Parties[i].Unchanged = true
	}
	if private.Rollout == nil {
		return target
	}
	target.Since, target.SteadySince = private.Rollout.Since, private.Rollout.SteadySince
	before := &wait.Snapshot{Status: &kuscia.ServingStatusDetail{}}
	for i, p := range target.Parties {
		unseen, ok := private.Rollout.Unseen[party.Key{DomainID: p.DomainID, Role: p.Role}.String()]
		if !ok {
			continue
		}
		target.Parties[i].Unchanged, target.Parties[i].Rollout = false, unseen.Rollout
		pods := unseen.Before
		switch {
		case pods == nil:
			before = nil
		case before != nil && *pods != model.PodsBefore{}:
			before.Status.PartyStatuses = append(before.Status.PartyStatuses, kuscia.PartyStatus{
				DomainID: p.DomainID, Role: p.Role, CreateTime: pods.CreateTime, Replicas: pods.Replicas,
				UpdatedReplicas: pods.Updated, AvailableReplicas: pods.Available, UnavailableReplicas: pods.Unavailable,
			})
		}
	}
	target.Before = before
	return target
}

// AfterWait is the private data after a wait.
func AfterWait(d model.Private, result wait.Result, err error) model.Private {
	if err == nil && result.Held != "" {
		return d // its end is still to be seen
	}
	if err == nil {
		d.Rollout = nil
		return d
	}
	var failed *wait.NotRunningError
	if errors.As(err, &failed) && d.Rollout != nil {
		d.Rollout = d.Rollout.After(failed.Target, failed.Begun).WithSteadySince(failed.SteadySince)
	}
	return d
}
