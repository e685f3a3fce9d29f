package kubernetes

import (
	"cmp"
	"math"
	"slices"

	apps "k8s.io/api/apps/v1"
)

// active returns the ReplicaSets with pods.
func (w *workload) active() []*replicaSet {
	var active []*replicaSet
	for _, rs := range w.replicaSets {
		if rs.replicas > 0 {
			active = append(active, rs)
		}
	}
	return active
}

// scaleMixed scales a paused Deployment that has pods of several versions, as
// DeploymentController.scale of Kubernetes: old pods go when enough new ones run.
// Otherwise a rolling update has as many pods as its surge allows, distributed in
// proportion to the size of the ReplicaSets, and the rest to the largest.
func (r round) scaleMixed() {
	active, newest := r.w.active(), r.w.newest(r.d)
	if newest != nil && len(newest.pods) == r.replicas && r.available(newest) == r.replicas {
		for _, rs := range r.old(newest) {
			rs.setReplicas(0, r.now)
		}
		return
	}
	if r.d.Spec.Strategy.Type != apps.RollingUpdateDeploymentStrategyType {
		return
	}
	allowed := 0
	if surge, _ := resolve(r.d.Spec.Strategy.RollingUpdate, r.replicas); r.replicas > 0 {
		allowed = r.replicas + surge
	}
	missing := allowed - total(active...)
	if missing == 0 {
		return
	}
	slices.SortStableFunc(active, func(a, b *replicaSet) int {
		if bySize := cmp.Compare(b.replicas, a.replicas); bySize != 0 || missing < 0 {
			return bySize
		}
		return cmp.Compare(b.revision, a.revision)
	})
	sizes, added := make([]int, len(active)), 0
	for i, rs := range active {
		part := r.proportion(rs, allowed, missing, added)
		sizes[i], added = rs.replicas+part, added+part
	}
	sizes[0] = max(sizes[0]+missing-added, 0)
	for i, rs := range active {
		rs.setReplicas(sizes[i], r.now)
	}
}

// proportion returns the share of a ReplicaSet in the pods to add, or to remove if
// that is negative. added are those of the ReplicaSets before it.
func (r round) proportion(rs *replicaSet, allowed, missing, added int) int {
	before := r.w.mostPods
	if before == 0 {
		before = total(r.w.replicaSets...)
	}
	part := int(math.Round(float64(rs.replicas*allowed)/float64(before))) - rs.replicas
	if missing > 0 {
		return min(part, missing-added)
	}
	return max(part, missing-added)
}
