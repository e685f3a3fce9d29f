package serving

import (
	"errors"
	"maps"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// rolloutLag is how long after an update answers may still be about the time
// before it. A refresh has one answer and cannot wait for another one, so that
// it counts in longer times than a wait does.
const rolloutLag = time.Minute

// rollout is an update of which nobody has seen yet that it runs. It is kept
// beside the state, since a refresh cannot tell pods of before the update from
// those of after it.
type rollout struct {
	// Since is when Kuscia accepted the update or, where somebody else made it,
	// when a refresh found it.
	Since time.Time `json:"since"`
	// Unseen has the parties whose pods the update replaces and that nobody has
	// seen to change yet, with their pods before the update.
	Unseen map[string]podCounts `json:"unseen,omitempty"`
}

// podCounts are the replicas, updated, available and unavailable pods of a party.
type podCounts [4]int32

// countPods are the pods of each party in a status.
func countPods(status *kuscia.ServingStatusDetail) map[string]podCounts {
	counts := map[string]podCounts{}
	if status == nil {
		return counts
	}
	for _, p := range status.PartyStatuses {
		counts[partyKey{p.DomainID, p.Role}.String()] = podCounts{p.Replicas, p.UpdatedReplicas, p.AvailableReplicas, p.UnavailableReplicas}
	}
	return counts
}

// newRollout begins a rollout of some parties. before is the status that was
// there before it, nil where that is not known.
func newRollout(since time.Time, parties []partyKey, before *kuscia.ServingStatusDetail) *rollout {
	r := &rollout{Since: since.UTC().Truncate(time.Second)}
	counts := countPods(before)
	for _, key := range parties {
		if r.Unseen == nil {
			r.Unseen = map[string]podCounts{}
		}
		r.Unseen[key.String()] = counts[key.String()]
	}
	return r
}

// after is the rollout once a status was seen: a party whose pods are not those
// of before has begun to change.
func (r rollout) after(status *kuscia.ServingStatusDetail) rollout {
	if status == nil {
		return r
	}
	counts := countPods(status)
	r.Unseen = maps.Clone(r.Unseen)
	maps.DeleteFunc(r.Unseen, func(key string, before podCounts) bool { return counts[key] != before })
	return r
}

// begun reports whether right numbers are certainly those of after the update.
func (r rollout) begun(now time.Time) bool {
	return len(r.Unseen) == 0 || now.Sub(r.Since) >= rolloutLag
}

// merge is the rollout of two updates one after the other.
func (r *rollout) merge(later *rollout) *rollout {
	if r == nil {
		return later
	}
	for key, before := range r.Unseen {
		if _, ok := later.Unseen[key]; !ok {
			if later.Unseen == nil {
				later.Unseen = map[string]podCounts{}
			}
			later.Unseen[key] = before
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
	if changed, rolled := changedMeanwhile(prior, state, private); changed {
		private.Rollout = private.Rollout.merge(newRollout(now, rolled, answer.Status))
	}
	complete := runsAsAsked(state, answer.Status)
	if private.Rollout != nil {
		pending := private.Rollout.after(answer.Status)
		private.Rollout = &pending
		complete = complete && pending.begun(now)
	}
	if complete {
		private.Rollout = nil
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

// runsAsAsked reports whether an answer shows every party as the state has it.
// What is left over of an earlier serving is no matter here: it is gone long
// before a serving gets into a state that is refreshed.
func runsAsAsked(state model, status *kuscia.ServingStatusDetail) bool {
	seen := wait.History{InRow: 1, Settled: true, LeftoversOver: true}
	outcome, _ := wait.Verdict(status, target(state, nil), seen)
	return outcome.Standing == wait.Running
}

// target is what a rollout has to reach. update is the request that led to it,
// nil for a new serving.
func target(planned model, update *kuscia.UpdateServingRequest) wait.Target {
	parties, _ := decodeParties(planned.Parties)
	wanted := wait.Target{
		ServingID: planned.ServingID.ValueString(), Updated: update != nil, ProgressDeadline: progressDeadline(planned),
	}
	for _, p := range parties {
		wanted.Parties = append(wanted.Parties, wait.PartyTarget{
			DomainID: p.domainID.ValueString(), Role: p.role.ValueString(), Replicas: p.replicas.ValueInt32(),
			Unchanged: update != nil && update.ServingInputConfig == "" && findWire(update.Parties, p.key()) == nil,
		})
	}
	return wanted
}

// resumedTarget is what a rollout has to reach whose update an earlier apply
// has sent: parties that were not seen to change still have to be.
func resumedTarget(planned model, private privateData) wait.Target {
	wanted := target(planned, &kuscia.UpdateServingRequest{})
	if private.Rollout == nil {
		return wanted
	}
	wanted.Since = private.Rollout.Since
	for i, p := range wanted.Parties {
		_, unseen := private.Rollout.Unseen[partyKey{p.DomainID, p.Role}.String()]
		wanted.Parties[i].Unchanged = !unseen
	}
	return wanted
}

// afterWait is the private data after a wait that ended with err.
func (d privateData) afterWait(err error) privateData {
	if err == nil {
		d.Rollout = nil
		return d
	}
	var failed *wait.NotRunningError
	if errors.As(err, &failed) && d.Rollout != nil {
		pending := d.Rollout.after(failed.Last)
		d.Rollout = &pending
	}
	return d
}
