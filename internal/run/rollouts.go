package run

import (
	"context"
	"sync"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
)

const (
	// rolloutsTimeout limits a query for the Rollouts of the cluster. Plans of servings
	// otherwise send no request to the cluster, and must not wait for one that does
	// not respond.
	rolloutsTimeout = 5 * time.Second
	// rolloutErrorsKept is how long a plan does not repeat a failed query: longer than
	// a run.
	rolloutErrorsKept = 24 * time.Hour
)

// rolloutCache caches the Rollouts of Deployments in the cluster for a run. A
// failed query is only repeated by CurrentRollout. The zero value is ready for use.
type rolloutCache struct {
	once sync.Once
	// kind caches, under the name "", the kind of Rollouts that the cluster serves; the zero
	// value if it serves none.
	kind *cache[kube.Kind]
	// namespaces have the Rollouts by the names of their Deployments.
	namespaces *cache[map[string]listedRollout]
}

// listedRollout is a Rollout for which the webhook pauses a Deployment that changes.
type listedRollout struct {
	name string
	// blueGreen is set if it would release the next version blue-green. One that is
	// releasing does not: a rollback must not be refused. Neither does one that is being
	// disabled.
	blueGreen bool
}

// rolloutCaches returns the caches of a run.
func (r *Run) rolloutCaches() *rolloutCache {
	caches := &r.rollouts
	caches.once.Do(func() {
		caches.kind, caches.namespaces = newCache(r.queryRolloutKind), newCache(r.queryRollouts)
		keep := func(error) time.Duration { return rolloutErrorsKept }
		caches.kind.keepError, caches.namespaces.keepError = keep, keep
	})
	return caches
}

// blueGreenRollout returns the id of the Rollout in the cluster that would release the
// next version of a Deployment blue-green; "" if there is none or the query failed.
func (r *Run) blueGreenRollout(ctx context.Context, namespace, deployment string) string {
	if !r.HasKubernetes() {
		return ""
	}
	found, err := r.rolloutCaches().namespaces.get(ctx, namespace)
	if err != nil || !found[deployment].blueGreen {
		return ""
	}
	return namespace + "/" + found[deployment].name
}

// CurrentRollout returns the name of the Rollout of a Deployment and its kind; ok is false if there
// is none. For an apply: a temporary failure of an earlier query is not taken for an answer.
func (r *Run) CurrentRollout(ctx context.Context, namespace, deployment string) (kind kube.Kind, name string, ok bool, err error) {
	caches := r.rolloutCaches()
	temporary := func(err error) bool { return !apierror.IsLasting(err) }
	caches.kind.dropError("", temporary)
	caches.namespaces.dropError(namespace, temporary)
	found, err := caches.namespaces.get(ctx, namespace)
	rollout, ok := found[deployment]
	if err != nil || !ok {
		return kind, "", false, err
	}
	kind, err = caches.kind.get(ctx, "")
	return kind, rollout.name, err == nil, err
}

// ForgetRollouts drops the cached Rollouts of a namespace. Call it after a write of a
// Rollout.
func (r *Run) ForgetRollouts(namespace string) {
	if !r.HasKubernetes() {
		return
	}
	caches := r.rolloutCaches()
	caches.kind.forget("")
	caches.namespaces.forget(namespace)
}

// queryRolloutKind queries the kind of Rollouts that the cluster serves.
func (r *Run) queryRolloutKind(ctx context.Context, _ string) (kube.Kind, error) {
	ctx, cancel := context.WithTimeout(ctx, rolloutsTimeout)
	defer cancel()
	client, err := r.Kubernetes.Open()
	if err != nil {
		return kube.Kind{}, err
	}
	kind, _, err := client.FirstServed(ctx, kube.Rollouts...)
	return kind, err
}

// queryRollouts queries the Rollouts of Deployments in a namespace.
func (r *Run) queryRollouts(ctx context.Context, namespace string) (map[string]listedRollout, error) {
	ctx, cancel := context.WithTimeout(ctx, rolloutsTimeout)
	defer cancel()
	kind, err := r.rolloutCaches().kind.get(ctx, "")
	if err != nil || kind == (kube.Kind{}) {
		return nil, err
	}
	client, err := r.Kubernetes.Open()
	if err != nil {
		return nil, err
	}
	listed, err := client.List(ctx, kind, kube.ListOptions{Namespace: namespace})
	if err != nil {
		return nil, err
	}
	found := map[string]listedRollout{}
	for i := range listed.Items {
		rollout, err := kruise.RolloutFrom(listed.Items[i].Object)
		if err != nil || rollout.IsIgnored() {
			continue
		}
		ref := rollout.Spec.WorkloadRef
		if _, has := found[ref.Name]; ref.APIVersion != "apps/v1" || ref.Kind != "Deployment" || has && rollout.Spec.Disabled {
			continue
		}
		found[ref.Name] = listedRollout{rollout.Metadata.Name, rollout.Spec.Strategy.BlueGreen != nil && !rollout.Spec.Disabled && !rollout.Release().InProgress()}
	}
	return found, nil
}
