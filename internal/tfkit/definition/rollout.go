package definition

import "github.com/hashicorp/terraform-plugin-go/tftypes"

// The attributes of an object whose create and update wait until it runs.
const (
	AttrWaitForRollout  = "wait_for_rollout"
	AttrRolloutComplete = "rollout_complete"
)

// WaitsForRollout reports whether create and update wait until the object runs.
func WaitsForRollout(value Value) bool { return BoolOf(FieldsOf(value)[AttrWaitForRollout]) }

// IsRolloutComplete reports whether the last rollout was observed as complete.
func IsRolloutComplete(state Value) bool { return BoolOf(FieldsOf(state)[AttrRolloutComplete]) }

// IsRolloutIncomplete reports whether there was a wait, and the rollout was not
// observed as complete.
func IsRolloutIncomplete(state Value) bool {
	is := FieldsOf(state)[AttrRolloutComplete]
	return isSet(is) && !BoolOf(is)
}

// WaitsInUpdate reports whether an update waits: if it rolls something out, or the last rollout was
// not observed as complete. After an import there is no wait.
func WaitsInUpdate(planned, prior Value, rollsOut bool) bool {
	return WaitsForRollout(planned) && !FieldsOf(planned)[AttrRolloutComplete].IsNull() && (rollsOut || !IsRolloutComplete(prior))
}

// BeforeWait returns a state whose rollout is not complete until a wait has observed it.
func BeforeWait(state Value) Value {
	complete := NullBool()
	if WaitsForRollout(state) {
		complete = BoolValue(false)
	}
	return WithRollout(state, complete)
}

// PlannedRollout returns the planned rollout_complete. A rollout that is not
// complete has the value expected from the wait (true or unknown), which is a
// difference until an apply has observed it. After an import it is null, and
// there is no wait.
func PlannedRollout(prior, planned Value, rollsOut bool, expected func() Value) Value {
	waits, before := FieldsOf(planned)[AttrWaitForRollout], FieldsOf(prior)
	switch {
	case !waits.IsKnown():
		return tftypes.NewValue(tftypes.Bool, tftypes.UnknownValue)
	case !BoolOf(waits):
		return NullBool()
	case rollsOut || prior.IsNull():
		return expected()
	case before[AttrRolloutComplete].IsNull() && WaitsForRollout(prior):
		return NullBool()
	case IsRolloutComplete(prior):
		return BoolValue(true)
	default:
		return expected()
	}
}

// WithRollout returns a copy of an object with the given rollout_complete.
func WithRollout(value, complete Value) Value {
	return WithFields(value, map[string]Value{AttrRolloutComplete: complete})
}
