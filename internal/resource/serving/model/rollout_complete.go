package model

import (
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// CompleteIf is rollout_complete after a successful apply.
func CompleteIf(waits types.Bool) types.Bool {
	switch {
	case waits.IsUnknown():
		return types.BoolUnknown()
	case !waits.ValueBool():
		return types.BoolNull()
	default:
		return types.BoolValue(true)
	}
}

// RolloutUnfinished reports whether the last apply of a state ended before its
// rollout did.
func RolloutUnfinished(state Serving) bool {
	return !state.RolloutComplete.IsNull() && !state.RolloutComplete.IsUnknown() && !state.RolloutComplete.ValueBool()
}

// ResumesRollout reports whether an update that sends nothing to Kuscia has to
// wait. If Kuscia already has the write-only text of a new version, an apply
// that was killed may have sent it.
func ResumesRollout(planned, prior Serving) bool {
	sentBefore := planned.ConfigIsWriteOnly() && prior.ConfigIsWriteOnly() && !planned.ServingInputConfigVersion.Equal(prior.ServingInputConfigVersion)
	return planned.WaitForRollout.ValueBool() && !planned.RolloutComplete.IsNull() && (!prior.RolloutComplete.ValueBool() || sentBefore)
}

// BeforeWait is a planned state in the form that is saved before the wait.
func BeforeWait(planned Serving) Serving {
	if planned.WaitForRollout.ValueBool() {
		planned.RolloutComplete = types.BoolValue(false)
	} else {
		planned.RolloutComplete = types.BoolNull()
	}
	return planned
}
