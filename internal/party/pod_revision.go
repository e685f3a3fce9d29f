package party

import "github.com/hashicorp/terraform-plugin-framework/types"

// AttrPodRevision counts the applies that have replaced the pods of a party.
const AttrPodRevision = "pod_revision"

// FirstRevision is that of the pods of a new or imported object.
const FirstRevision = 1

// PodRevisionText describes AttrPodRevision.
const PodRevisionText = "Counts the applies that have replaced the pods of the party: 1 after the create or an import, and one more with each apply that replaces them. " +
	"A plan shows `3 -> 4` exactly for the parties whose pods it replaces, and `(known after apply)` where that depends on something that is not known yet. " +
	"Under an OpenKruise Rollout it rises in the plan that starts the release. Scaling, another update strategy and another key of the party do not change it. "

// RevisionAfter returns the pod revision of a party after an apply that replaces its pods or does
// not. before is null in a state from before the attribute existed.
func RevisionAfter(before types.Int64, replaced types.Bool) types.Int64 {
	revision := max(before.ValueInt64(), FirstRevision)
	switch {
	case replaced.IsUnknown():
		return types.Int64Unknown()
	case replaced.ValueBool():
		return types.Int64Value(revision + 1)
	}
	return types.Int64Value(revision)
}
