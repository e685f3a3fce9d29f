package rollout

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// otherRollout rejects a second Rollout for the same workload. In a plan a Rollout
// that the same run deletes or moves away does not count; in the apply it gets some
// time to be deleted.
func (g *guarding) otherRollout() error {
	kind, err := rolloutKind(g.ctx, g.client)
	if err != nil {
		return err
	}
	namespace, since := g.change.Wanted.Metadata.Namespace, time.Now()
	for {
		all, err := g.client.List(g.ctx, kind, kube.ListOptions{Namespace: namespace})
		if err != nil {
			return err //nolint:wrapcheck // the client's errors describe the request
		}
		other, leaves := g.otherOf(all.Items)
		patience := otherRolloutLeaves
		if !leaves {
			patience = otherRolloutStays
		}
		switch {
		case other == "" || leaves && !g.change.Now:
			return nil
		case g.change.Now && time.Since(since) < patience && wait.Sleep(g.ctx, pace.Longest):
		default:
			g.refuse(refPath, "The workload has a Rollout", fmt.Sprintf(
				"Rollout %s/%s already controls this workload, and a workload has at most one. Import that Rollout, or delete it first. (The webhook would refuse with \"one workload only have less than one Rollout\".) A Rollout cannot be replaced with create_before_destroy.", httpapi.Text(namespace), httpapi.Text(other)))
			return nil
		}
	}
}

// How long an apply waits for another Rollout of the workload to be deleted: one whose
// deletion this run has begun, and one whose deletion may be about to begin.
const (
	otherRolloutLeaves = 30 * time.Second
	otherRolloutStays  = 3 * time.Second
)

// otherOf returns the name of another Rollout of the workload, and whether it is being
// deleted or this run deletes or moves it. One that stays comes first.
func (g *guarding) otherOf(rollouts []unstructured.Unstructured) (name string, leaves bool) {
	wanted := g.change.Wanted
	for i := range rollouts {
		other, err := kruise.RolloutFrom(rollouts[i].Object)
		if err != nil || other.Metadata.Name == wanted.Metadata.Name || other.Spec.WorkloadRef != wanted.Spec.WorkloadRef {
			continue
		}
		name = other.Metadata.Name
		leaves = other.Metadata.Deleting() || g.workloads.RolloutLeaves(wanted.Metadata.Namespace, wanted.Spec.WorkloadRef.Name, wanted.Metadata.Namespace+"/"+name)
		if !leaves {
			return name, false
		}
	}
	return name, leaves
}
