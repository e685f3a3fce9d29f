package rollout

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// checkOtherRollout rejects a second Rollout for the same workload. One that the same run
// deletes or moves away does not count in a plan, and gets some time to be deleted in the
// apply. Terraform plans and applies resources at different addresses in any order, so
// that both wait a little for the other one to be known to leave.
func (g *guardRun) checkOtherRollout() error {
	kind, err := rolloutKind(g.ctx, g.client)
	if err != nil {
		return err
	}
	namespace, since, timeout := g.change.Desired.Metadata.Namespace, time.Now(), planRemovalTimeout
	if g.change.InApply {
		timeout = applyRemovalTimeout
	}
	for {
		all, err := g.client.List(g.ctx, kind, kube.ListOptions{Namespace: namespace})
		if err != nil {
			return err
		}
		other, isRemoved := g.otherOf(all.Items)
		switch {
		case other == "" || isRemoved && !g.change.InApply:
			return nil
		case time.Since(since) < timeout && wait.Sleep(g.ctx, pollInterval.Longest):
		default:
			g.addError(refPath, "Workload has a Rollout", fmt.Sprintf(
				"Rollout %q already controls this workload, and a workload has at most one (\"one workload only have less than one Rollout\"). Import that Rollout, or delete it first. A Rollout cannot be replaced with create_before_destroy.\n\n"+
					"If the configuration had that Rollout at another address, add a moved block from there to this address, or remove it in an apply of its own.", httpapi.Text(namespace+"/"+other)))
			return nil
		}
	}
}

// How long a plan waits for the plan of the deletion of another Rollout of the workload,
// which Terraform makes at the same time if the configuration no longer has it, and an
// apply for the end of its deletion.
const (
	planRemovalTimeout  = 3 * time.Second
	applyRemovalTimeout = 30 * time.Second
)

// otherOf returns the name of another Rollout of the workload, and whether it is being
// deleted or this run deletes or moves it. One that stays comes first.
func (g *guardRun) otherOf(rollouts []unstructured.Unstructured) (name string, leaves bool) {
	namespace, ref := g.change.Desired.Metadata.Namespace, g.change.Desired.Spec.WorkloadRef
	for _, other := range othersOf(rollouts, g.change.Desired) {
		name = other.Name
		leaves = other.Deleting() || g.workloads.IsRolloutRemoved(namespace, workloadName(ref), namespace+"/"+name)
		if !leaves {
			return name, false
		}
	}
	return name, leaves
}
