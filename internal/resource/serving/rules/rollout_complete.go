package rules

import (
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// RolloutUnfinished reports whether the last apply of a state ended before its
// rollout did.
func RolloutUnfinished(state Serving) bool {
	return !state.RolloutComplete.IsNull() && !state.RolloutComplete.IsUnknown() && !state.RolloutComplete.ValueBool()
}

// MayHaveSentText reports whether an apply that was killed may have sent the text: Kuscia already
// has the write-only text of a new version.
func MayHaveSentText(planned, prior Serving) bool {
	return planned.ConfigIsWriteOnly() && prior.ConfigIsWriteOnly() && !planned.ServingInputConfigVersion.Equal(prior.ServingInputConfigVersion)
}

// AttrProgressDeadline is the name of the attribute.
const AttrProgressDeadline = "progress_deadline"

// DefaultProgressDeadline is that of Kubernetes for Deployments.
const DefaultProgressDeadline = 10 * time.Minute

// ProgressDeadline is how long a rollout may make no progress.
func ProgressDeadline(m Serving) time.Duration { return progressDeadline(m.ProgressDeadline) }

func progressDeadline(text types.String) time.Duration {
	deadline, err := tfvalue.ParseTimeLimit(text.ValueString())
	if err != nil {
		return DefaultProgressDeadline // not set, or rejected by the plan
	}
	return deadline
}

// KeepProgressDeadline keeps the default, as after an import, where the configuration
// leaves the deadline out.
func KeepProgressDeadline(planned, prior types.String) types.String {
	if planned.IsNull() && progressDeadline(prior) == DefaultProgressDeadline {
		return prior
	}
	return planned
}

// ReachesPods reports whether a planned update sends anything to Kuscia, which
// then applies the current app images to all parties.
func ReachesPods(planned, prior Serving, private Private) bool {
	return hasTriggerOrImage(planned, prior) || changesServing(planned, prior, private)
}

// ReplacesPods reports whether a planned update replaces the pods of a party, as opposed to
// an update that only changes their number or how they are replaced.
func ReplacesPods(planned, prior Serving, private Private) bool {
	return hasTriggerOrImage(planned, prior) || maySendText(planned, prior) || changesParties(planned, prior, private, PartyChange.replacesPods)
}

// hasTriggerOrImage reports whether a trigger or an image of a planned update changes.
func hasTriggerOrImage(planned, prior Serving) bool {
	return triggered(planned.RedeployTriggers, prior.RedeployTriggers) || changesImages(planned, prior)
}

// changesServing reports whether a planned update sends a change of the serving itself.
func changesServing(planned, prior Serving, private Private) bool {
	return maySendText(planned, prior) || changesParties(planned, prior, private, PartyChange.Any)
}

// maySendText reports whether a planned update may change the configuration text.
func maySendText(planned, prior Serving) bool {
	return !changesText(planned, prior).Equal(types.BoolValue(false))
}

// changesText reports whether a planned update sends the configuration text. A write-only one
// with another version may be the one that Kuscia has.
func changesText(planned, prior Serving) types.Bool {
	if !planned.ServingInputConfigVersion.Equal(prior.ServingInputConfigVersion) || planned.ServingInputConfig.IsUnknown() {
		return types.BoolUnknown()
	}
	return types.BoolValue(sendsText(planned, prior))
}

// sendsText reports whether an update changes the configuration text, if both texts are known.
func sendsText(desired, before Serving) bool {
	return !tfvalue.ConfigTextEqual(desired.ServingInputConfig.ValueString(), before.ServingInputConfig.ValueString())
}

// changesParties reports whether a planned update changes any party in this way.
func changesParties(planned, prior Serving, private Private, in func(PartyChange) bool) bool {
	if planned.Parties.IsUnknown() {
		return true
	}
	for _, p := range planned.Parties.Items {
		old, ok := FindParty(prior.Parties.Items, p.Key())
		if !ok || in(CompareParties(old, p, private)) {
			return true
		}
	}
	return false
}
