package clients

import (
	"context"
	"sync"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
)

const (
	// rolloutsTimeout limits a query for the Rollouts of the cluster. Plans of servings
	// otherwise send no request to the cluster, and must not wait for one that does
	// not respond.
	rolloutsTimeout = 5 * time.Second
	// rolloutErrorsKept is longer than a run.
	rolloutErrorsKept = 24 * time.Hour
)

// blueGreenRollouts caches the blue-green Rollouts of the cluster for a run. A failed
// query is not repeated. The zero value is ready for use.
type blueGreenRollouts struct {
	once sync.Once
	// kind has the kind of Rollouts that the cluster serves, by the name ""; the zero
	// value if it serves none.
	kind *cache[kube.Kind]
	// namespaces have the ids of the Rollouts by the names of their Deployments.
	namespaces *cache[map[string]string]
}

// blueGreenCaches returns the caches of c.
func (c *Clients) blueGreenCaches() *blueGreenRollouts {
	r := &c.blueGreen
	r.once.Do(func() {
		r.kind, r.namespaces = newCache(c.queryRolloutKind), newCache(c.queryBlueGreen)
		keep := func(error) time.Duration { return rolloutErrorsKept }
		r.kind.keepError, r.namespaces.keepError = keep, keep
	})
	return r
}

// blueGreenRollout returns the id of the Rollout in the cluster that would release the
// next version of a Deployment blue-green; "" if there is none or the query failed.
func (c *Clients) blueGreenRollout(ctx context.Context, namespace, deployment string) string {
	if !c.HasKubernetes() {
		return ""
	}
	found, err := c.blueGreenCaches().namespaces.get(ctx, namespace)
	if err != nil {
		return ""
	}
	return found[deployment]
}

// ForgetRollouts drops the cached Rollouts of a namespace. Call it after a write of a
// Rollout.
func (c *Clients) ForgetRollouts(namespace string) {
	if !c.HasKubernetes() {
		return
	}
	r := c.blueGreenCaches()
	r.kind.forget("")
	r.namespaces.forget(namespace)
}

// queryRolloutKind queries the kind of Rollouts that the cluster serves.
func (c *Clients) queryRolloutKind(ctx context.Context, _ string) (kube.Kind, error) {
	ctx, cancel := context.WithTimeout(ctx, rolloutsTimeout)
	defer cancel()
	client, err := c.Kubernetes.Open()
	if err != nil {
		return kube.Kind{}, err
	}
	kind, _, err := client.FirstServed(ctx, kube.Rollouts...)
	return kind, err //nolint:wrapcheck // no error reaches the user
}

// queryBlueGreen queries the blue-green Rollouts of a namespace. One that is releasing is
// left out: a rollback must not be refused.
func (c *Clients) queryBlueGreen(ctx context.Context, namespace string) (map[string]string, error) {
	ctx, cancel := context.WithTimeout(ctx, rolloutsTimeout)
	defer cancel()
	kind, err := c.blueGreenCaches().kind.get(ctx, "")
	if err != nil || kind == (kube.Kind{}) {
		return nil, err
	}
	client, err := c.Kubernetes.Open()
	if err != nil {
		return nil, err
	}
	listed, err := client.List(ctx, kind, kube.ListOptions{Namespace: namespace})
	if err != nil {
		return nil, err //nolint:wrapcheck // no error reaches the user
	}
	found := map[string]string{}
	for i := range listed.Items {
		rollout, err := kruise.RolloutFrom(listed.Items[i].Object)
		if err != nil || rollout.Spec.Strategy.BlueGreen == nil || rollout.Spec.Disabled || rollout.Metadata.Deleting() || rollout.Release().InProgress() {
			continue
		}
		if ref := rollout.Spec.WorkloadRef; ref.APIVersion == "apps/v1" && ref.Kind == "Deployment" {
			found[ref.Name] = namespace + "/" + rollout.Metadata.Name
		}
	}
	return found, nil
}
