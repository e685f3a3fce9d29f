package party

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/types"
)

// AttrPodRevision counts the applies that have replaced the pods of a party.
const AttrPodRevision = "pod_revision"

// FirstRevision is that of the pods of a new or imported object.
const FirstRevision = 1

// PodRevisionText describes AttrPodRevision.
const PodRevisionText = "Counts the applies that replaced the party's pods, from 1 after create or import. A plan shows `3 -> 4` exactly for the parties whose pods it replaces, under an OpenKruise Rollout when the release starts. "

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

// ChangedAfterPlanSummary is the title of an error about an app image that another client has changed
// between a plan and its apply.
const ChangedAfterPlanSummary = "App image was changed after the plan"

// DescribeChangedAfterPlan completes such an error; differs is what the plan and the app image have,
// and of what would be updated, "serving" or "deployment".
func DescribeChangedAfterPlan(differs, of string) string {
	return fmt.Sprintf("%s: it was changed after the refresh of this plan. Nothing was sent; plan and apply again, not with -refresh=false. "+
		"If this configuration manages the app image, refer to it in app_image (kuscia_app_image.NAME.name), so that Terraform changes it before it plans and updates the %s.", differs, of)
}
