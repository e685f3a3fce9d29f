package plan

import (
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/model"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// planRollout returns the planned rollout_complete: an apply with a wait
// succeeds only if the rollout is complete. If an update sends nothing to Kuscia
// and has nothing to wait for, the value does not change. If it replaces pods, the value is
// unknown, so that the plan shows a rollout.
func planRollout(planned, prior model.Serving, private model.Private) types.Bool {
	complete := model.CompleteIf(planned.WaitForRollout)
	switch {
	case KeepsRollout(planned, prior, private):
		return prior.RolloutComplete
	case complete.ValueBool() && replacesPods(planned, prior, private):
		return types.BoolUnknown()
	}
	return complete
}

// KeepsRollout reports whether an update sends nothing to Kuscia and has nothing to wait
// for.
func KeepsRollout(planned, prior model.Serving, private model.Private) bool {
	return planned.WaitForRollout.Equal(prior.WaitForRollout) && !model.RolloutUnfinished(prior) && !ReachesPods(planned, prior, private)
}

// WithPossibleRelease is for a provider block with a cluster: a wait may end at a step of
// an OpenKruise Rollout, so that rollout_complete is unknown until then.
func WithPossibleRelease(planned model.Serving) model.Serving {
	if planned.RolloutComplete.ValueBool() {
		planned.RolloutComplete = types.BoolUnknown()
	}
	return planned
}

// ReachesPods reports whether a planned update sends anything to Kuscia, which
// then applies the current app images to all parties.
func ReachesPods(planned, prior model.Serving, private model.Private) bool {
	return hasTriggerOrImage(planned, prior) || changesServing(planned, prior, private)
}

// replacesPods reports whether a planned update replaces the pods of a party, as opposed to
// an update that only changes their number or how they are replaced.
func replacesPods(planned, prior model.Serving, private model.Private) bool {
	return hasTriggerOrImage(planned, prior) || maySendText(planned, prior) || changesParties(planned, prior, private, PartyChange.replacesPods)
}

// hasTriggerOrImage reports whether a trigger or an image of a planned update changes.
func hasTriggerOrImage(planned, prior model.Serving) bool {
	return triggered(planned.RedeployTriggers, prior.RedeployTriggers) || changesImages(planned, prior)
}

// changesServing reports whether a planned update sends a change of the serving itself.
func changesServing(planned, prior model.Serving, private model.Private) bool {
	return maySendText(planned, prior) || changesParties(planned, prior, private, PartyChange.Any)
}

// maySendText reports whether a planned update may change the configuration text.
func maySendText(planned, prior model.Serving) bool {
	return !changesText(planned, prior).Equal(types.BoolValue(false))
}

// changesText reports whether a planned update sends the configuration text. A write-only one
// with another version may be the one that Kuscia has.
func changesText(planned, prior model.Serving) types.Bool {
	if !planned.ServingInputConfigVersion.Equal(prior.ServingInputConfigVersion) || planned.ServingInputConfig.IsUnknown() {
		return types.BoolUnknown()
	}
	return types.BoolValue(sendsText(planned, prior))
}

// sendsText reports whether an update changes the configuration text, if both texts are known.
func sendsText(desired, before model.Serving) bool {
	return !tfvalue.ConfigTextEqual(desired.ServingInputConfig.ValueString(), before.ServingInputConfig.ValueString())
}

// changesParties reports whether a planned update changes any party in this way.
func changesParties(planned, prior model.Serving, private model.Private, in func(PartyChange) bool) bool {
	if planned.Parties.IsUnknown() {
		return true
	}
	for _, p := range planned.Parties.Items {
		old, ok := model.FindParty(prior.Parties.Items, p.Key())
		if !ok || in(CompareParties(old, p, private)) {
			return true
		}
	}
	return false
}
