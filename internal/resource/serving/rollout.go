package serving

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// answerLag is after which time a refresh believes right numbers of parties
// whose pods an update did not have to replace: 0.3 s were observed.
const answerLag = 2 * time.Second

// rollout is an update of which nobody has seen yet that it runs. It is kept
// beside the state, since a refresh cannot tell pods of before the update from
// those of after it.
type rollout struct {
	// Since is when Kuscia accepted the update or, where somebody else made it,
	// when a refresh found it.
	Since time.Time `json:"since"`
	// SteadySince is since when nobody has noticed that Kuscia did not answer;
	// zero is not known. While it does not, its controllers do nothing either.
	SteadySince time.Time `json:"steady_since,omitzero"`
	// Unseen has the parties whose pods the update replaces and whose rollout
	// nobody has seen to begin yet.
	Unseen map[string]unseenRollout `json:"unseen,omitempty"`
}

// unseenRollout is what of a party has to be seen.
type unseenRollout struct {
	// Rollout is how the pods are replaced.
	Rollout wait.Rollout `json:"rollout"`
	// Before are the pods before the update; nil where they are not known.
	Before *podsBefore `json:"before,omitempty"`
}

// podsBefore are the pods of a party before an update.
type podsBefore struct {
	Replicas    int32  `json:"replicas"`
	Updated     int32  `json:"updated"`
	Available   int32  `json:"available"`
	Unavailable int32  `json:"unavailable"`
	CreateTime  string `json:"create_time"`
}

// newRollout is what remains to be seen of a rollout with a target.
func newRollout(target wait.Target) *rollout {
	since := target.Since.UTC().Truncate(time.Second)
	r := &rollout{Since: since, SteadySince: since}
	for _, p := range target.Parties {
		if p.Rollout == wait.NoRollout {
			continue
		}
		if r.Unseen == nil {
			r.Unseen = map[string]unseenRollout{}
		}
		key := partyKey{p.DomainID, p.Role}
		r.Unseen[key.String()] = unseenRollout{p.Rollout, podsOf(target.Before, key)}
	}
	return r
}

// podsOf are the pods of a party in a snapshot. Without a status there were none.
func podsOf(before *wait.Snapshot, key partyKey) *podsBefore {
	if before == nil {
		return nil
	}
	pods := &podsBefore{}
	if before.Status == nil {
		return pods
	}
	for _, p := range before.Status.PartyStatuses {
		if (partyKey{p.DomainID, p.Role}) == key {
			*pods = podsBefore{p.Replicas, p.UpdatedReplicas, p.AvailableReplicas, p.UnavailableReplicas, p.CreateTime}
		}
	}
	return pods
}

// after is the rollout once parties of a target were seen to begin.
func (r rollout) after(target wait.Target, begun []bool) *rollout {
	r.Unseen = maps.Clone(r.Unseen)
	for i, p := range target.Parties {
		if i < len(begun) && begun[i] {
			delete(r.Unseen, partyKey{p.DomainID, p.Role}.String())
		}
	}
	if len(r.Unseen) == 0 {
		r.Unseen = nil
	}
	return &r
}

// steadySince is the rollout with another time since when Kuscia answers.
func (r rollout) steadySince(at time.Time) *rollout {
	r.SteadySince = at.UTC().Truncate(time.Second)
	return &r
}

// merge is what remains to be seen after two updates, one after the other.
func (r *rollout) merge(later *rollout) *rollout {
	if r == nil {
		return later
	}
	for key, unseen := range r.Unseen {
		if _, ok := later.Unseen[key]; !ok {
			if later.Unseen == nil {
				later.Unseen = map[string]unseenRollout{}
			}
			later.Unseen[key] = unseen
		}
	}
	return later
}

// planRollout is the planned rollout_complete: an apply that waits ends well
// only when the rollout is complete. Where an update asks nothing of Kuscia and
// leaves nothing to wait for, it stays what it is.
func planRollout(planned, prior model, private privateData) types.Bool {
	if planned.WaitForRollout.Equal(prior.WaitForRollout) && !rolloutUnfinished(prior) && !reachesPods(planned, prior, private) {
		return prior.RolloutComplete
	}
	return completeIf(planned.WaitForRollout)
}

// completeIf is rollout_complete after an apply that ended well.
func completeIf(waits types.Bool) types.Bool {
	switch {
	case waits.IsUnknown():
		return types.BoolUnknown()
	case !waits.ValueBool():
		return types.BoolNull()
	default:
		return types.BoolValue(true)
	}
}

// rolloutUnfinished reports whether the last apply of a state ended before its
// rollout did.
func rolloutUnfinished(state model) bool {
	return !state.RolloutComplete.IsNull() && !state.RolloutComplete.IsUnknown() && !state.RolloutComplete.ValueBool()
}

// resumesRollout reports whether an update of which Kuscia needs to know nothing
// has to wait. A hidden text of another version that turns out to be what Kuscia
// has may have been sent by an apply that was killed.
func resumesRollout(planned, prior model) bool {
	sentBefore := planned.hidesConfig() && prior.hidesConfig() && !planned.ServingInputConfigVersion.Equal(prior.ServingInputConfigVersion)
	return planned.WaitForRollout.ValueBool() && !planned.RolloutComplete.IsNull() && (!prior.RolloutComplete.ValueBool() || sentBefore)
}

// beforeWait is a planned state as it is saved before the wait.
func beforeWait(planned model) model {
	if planned.WaitForRollout.ValueBool() {
		planned.RolloutComplete = types.BoolValue(false)
	} else {
		planned.RolloutComplete = types.BoolNull()
	}
	return planned
}

// reachesPods reports whether a planned update sends anything to Kuscia, which
// then brings all parties in step with their app images.
func reachesPods(planned, prior model, private privateData) bool {
	if !planned.ServingInputConfigVersion.Equal(prior.ServingInputConfigVersion) || redeploys(planned, prior, private) {
		return true
	}
	if planned.ServingInputConfig.IsUnknown() ||
		!tfvalue.ConfigTextEqual(planned.ServingInputConfig.ValueString(), prior.ServingInputConfig.ValueString()) {
		return true
	}
	after, known := decodeParties(planned.Parties)
	before, _ := decodeParties(prior.Parties)
	if !known {
		return true
	}
	for _, p := range after {
		old, ok := findParty(before, p.key())
		if !ok || compareParties(old, p, private).any() {
			return true
		}
	}
	return false
}

// followRollout decides in a refresh whether the last rollout is complete. A
// specification that is not that of the state is an update that somebody made,
// maybe an apply that was killed before its state was stored: it has a rollout
// of its own. Otherwise what is complete stays so, whatever happens to pods
// later.
func followRollout(prior, state model, answer *kuscia.Serving, private privateData, now time.Time) (types.Bool, privateData) {
	if changed, rolled := changedMeanwhile(prior, state, private); changed || private.redeployedMeanwhile(answer) {
		private.Rollout = private.Rollout.merge(newRollout(foundTarget(state, rolled, answer.Status, now)))
	}
	if private.Rollout != nil && private.Rollout.SteadySince.IsZero() {
		private.Rollout = private.Rollout.steadySince(now)
	}
	target := resumedTarget(state, private)
	outcome, seen := wait.Verdict(answer.Status, target, refreshHistory(target, now))
	complete := outcome.Standing == wait.Running
	switch {
	case complete:
		private.Rollout = nil
	case private.Rollout != nil:
		private.Rollout = private.Rollout.after(target, seen.Begun)
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

// takenForDone are the parties that a refresh took for done by time alone.
func takenForDone(prior, state model, private privateData, status *kuscia.ServingStatusDetail, now time.Time) []string {
	if !rolloutUnfinished(prior) || !state.RolloutComplete.ValueBool() {
		return nil
	}
	target := resumedTarget(state, private)
	_, seen := wait.Verdict(status, target, refreshHistory(target, now))
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
func foundTarget(state model, rolled []partyKey, status *kuscia.ServingStatusDetail, now time.Time) wait.Target {
	target := createTarget(state)
	target.Since, target.Before = now, &wait.Snapshot{Status: status}
	parties, _ := decodeParties(state.Parties)
	for i, p := range parties {
		if slices.Contains(rolled, p.key()) {
			target.Parties[i].Rollout = rolloutOf(p.strategy.wire(), p.replicas.ValueInt32(), p.replicas.ValueInt32())
		}
	}
	return target
}

// changedMeanwhile reports whether a refresh found another specification than
// that of the state, and the parties whose pods that replaces. A party that only
// gets another number of pods shows by their number whether it was scaled.
func changedMeanwhile(prior, state model, private privateData) (changed bool, rolled []partyKey) {
	if prior.Initiator.IsNull() {
		return false, nil // after an import there is nothing to compare with
	}
	text := !prior.hidesConfig() && !tfvalue.ConfigTextEqual(prior.ServingInputConfig.ValueString(), state.ServingInputConfig.ValueString())
	old, _ := decodeParties(prior.Parties)
	parties, _ := decodeParties(state.Parties)
	for _, p := range parties {
		was, known := findParty(old, p.key())
		if private.observed(p.key()) {
			p.resources = was.resources // which follow the app image
		}
		changed = changed || !known || !was.encode().Equal(p.encode())
		if text || !known || !was.appImage.Equal(p.appImage) || !was.resources.encode().Equal(p.resources.encode()) {
			rolled = append(rolled, p.key())
		}
	}
	return changed || text || len(parties) != len(old), rolled
}

// redeployedMeanwhile reports whether somebody has sent the configuration text
// again to restart the pods, as the action does. Most often that is over when a
// refresh finds it, so that right numbers count; those that are wrong tell of a
// redeploy that failed.
func (d privateData) redeployedMeanwhile(answer *kuscia.Serving) bool {
	return d.TextEnd != "" && d.TextEnd != textEnd(answer)
}

// textEnd tells a text from the same one as respell makes it.
func textEnd(answer *kuscia.Serving) string {
	if strings.HasSuffix(answer.ServingInputConfig, "\n") {
		return "newline"
	}
	return "plain"
}

// resumedTarget is what a rollout has to reach whose update was sent before: the
// parties that were not seen to begin still have to be.
func resumedTarget(planned model, private privateData) wait.Target {
	target := createTarget(planned)
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
		unseen, ok := private.Rollout.Unseen[partyKey{p.DomainID, p.Role}.String()]
		if !ok {
			continue
		}
		target.Parties[i].Unchanged, target.Parties[i].Rollout = false, unseen.Rollout
		pods := unseen.Before
		switch {
		case pods == nil:
			before = nil
		case before != nil && *pods != podsBefore{}:
			before.Status.PartyStatuses = append(before.Status.PartyStatuses, kuscia.PartyStatus{
				DomainID: p.DomainID, Role: p.Role, CreateTime: pods.CreateTime, Replicas: pods.Replicas,
				UpdatedReplicas: pods.Updated, AvailableReplicas: pods.Available, UnavailableReplicas: pods.Unavailable,
			})
		}
	}
	target.Before = before
	return target
}

// afterWait is the private data after a wait that ended with err.
func (d privateData) afterWait(err error) privateData {
	if err == nil {
		d.Rollout = nil
		return d
	}
	var failed *wait.NotRunningError
	if errors.As(err, &failed) && d.Rollout != nil {
		d.Rollout = d.Rollout.after(failed.Target, failed.Begun).steadySince(failed.SteadySince)
	}
	return d
}
