package rollout

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
)

// rolloutKind returns the newest version of the kind that the cluster serves.
func rolloutKind(ctx context.Context, client *kube.Client) (kube.Kind, error) {
	kind, served, err := client.FirstServed(ctx, kube.Rollouts...)
	if err != nil {
		return kind, err
	}
	if !served {
		return kind, fmt.Errorf("the cluster does not serve %s: OpenKruise Rollouts is not installed in it, or this is a different cluster than intended. %s: %w",
			kube.Rollouts[0], strings.TrimSuffix(kube.UninstalledHint, "."), apierror.ErrUnsupported)
	}
	return kind, nil
}

// othersOf returns those of the Rollouts that refer to the workload of another one.
func othersOf(rollouts []unstructured.Unstructured, of *object) (others []kruise.Metadata) {
	for i := range rollouts {
		other, err := kruise.RolloutFrom(rollouts[i].Object)
		if err == nil && other.Metadata.Name != of.Metadata.Name && other.Spec.WorkloadRef == of.Spec.WorkloadRef {
			others = append(others, other.Metadata)
		}
	}
	return others
}

// otherRollout returns the name of another Rollout of the same workload that is not being
// deleted; "" if there is none or the Rollouts cannot be read.
func otherRollout(ctx context.Context, client *kube.Client, of *object) string {
	kind, err := rolloutKind(ctx, client)
	if err != nil {
		return ""
	}
	all, err := client.List(ctx, kind, kube.ListOptions{Namespace: of.Metadata.Namespace})
	if err != nil {
		return ""
	}
	for _, other := range othersOf(all.Items, of) {
		if !other.Deleting() {
			return other.Name
		}
	}
	return ""
}

// opened returns the client of the cluster, and the kind of Rollouts that this serves.
func opened(ctx context.Context, c *run.Run) (*kube.Client, kube.Kind, error) {
	client, err := c.OpenKubernetes()
	if err != nil {
		return nil, kube.Kind{}, err
	}
	kind, err := rolloutKind(ctx, client)
	return client, kind, err
}

// query reads a Rollout, in the newest version that the cluster serves.
func query(ctx context.Context, client *kube.Client, namespace, name string) (*object, kube.Kind, error) {
	kind, err := rolloutKind(ctx, client)
	if err != nil {
		return nil, kind, err
	}
	found, err := client.Get(ctx, kind, namespace, name)
	if err != nil {
		return nil, kind, err
	}
	read, err := readRollout(found.Object)
	return &read, kind, err
}

func readRollout(found map[string]any) (object, error) {
	read, err := kruise.RolloutFrom(found)
	if err != nil {
		return object{}, err
	}
	return object{Rollout: *read}, nil
}

// listRollouts returns the Rollouts of a namespace.
func listRollouts(ctx context.Context, client *kube.Client, namespace string) ([]object, error) {
	kind, err := rolloutKind(ctx, client)
	if err != nil {
		return nil, err
	}
	return listed(ctx, client, kind, namespace, readRollout)
}

// exists reports whether the workload of a Rollout exists. It is false if the
// workload cannot be read: there is then nothing to wait for.
func exists(ctx context.Context, client *kube.Client, o *object) bool {
	_, err := workload(ctx, client, o)
	return err == nil
}

// awaitsPods reports whether the controller ignores a Rollout until its workload has
// pods, as it does with the extra workload of a canary.
func awaitsPods(ctx context.Context, client *kube.Client, o *object) bool {
	if canary := o.Spec.Strategy.Canary; canary == nil || !canary.EnableExtraWorkloadForCanary {
		return false
	}
	found, err := workload(ctx, client, o)
	if err != nil {
		return false
	}
	replicas, has, err := unstructured.NestedInt64(found.Object, "spec", "replicas")
	return err == nil && has && replicas == 0
}

// describeRelease describes the release in which a delete would promote the new
// version; "" for none. It also reads the workload, because the status of the
// Rollout lags behind.
func describeRelease(ctx context.Context, client *kube.Client, o *object) (string, error) {
	release := o.Release()
	switch {
	case release.State == kruise.Terminating:
		return "", nil
	case release.InProgress():
		return release.String(), nil
	}
	annotated, err := hasReleaseAnnotation(ctx, client, o)
	switch {
	case err != nil || !annotated:
		return "", err
	case release.State == kruise.Disabled:
		return "disabled, and still holds a change of its workload, which is released once it is enabled again (disabled = false)", nil
	}
	return "about to release a change of its workload", nil
}

// hasReleaseAnnotation reports whether the webhook has paused the Deployment of a Rollout, for
// the Rollout to release a change of it. A Deployment that cannot be read is an error: it
// may be at the beginning of a release.
func hasReleaseAnnotation(ctx context.Context, client *kube.Client, o *object) (bool, error) {
	d, err := readDeployment(ctx, client, o)
	return err == nil && d != nil && party.Workload(d).ReleasedBy() == o.Metadata.Name, err
}

// readDeployment reads and decodes the Deployment of a Rollout; nil if there is none.
func readDeployment(ctx context.Context, client *kube.Client, o *object) (*kube.Deployment, error) {
	found, err := workload(ctx, client, o)
	if errors.Is(err, errNoDeployment) || errors.Is(err, apierror.ErrNotFound) {
		return nil, nil
	}
	d := &kube.Deployment{}
	if err == nil {
		err = kube.Decode(found, d)
	}
	if err != nil {
		return nil, fmt.Errorf("it is not known whether its Deployment is paused for a release: %w", err)
	}
	return d, nil
}

// workloadName returns the name by which run.PlannedWorkloads knows a workload: that
// of a Deployment. A workload of another kind may have the same name, so that its kind is
// part of it, with a slash, which no name has.
func workloadName(ref kruise.ObjectRef) string {
	if isDeployment(ref) {
		return ref.Name
	}
	return ref.APIVersion + "/" + ref.Kind + "/" + ref.Name
}

var errNoDeployment = errors.New("the workload is not a Deployment")

// workload reads the Deployment of a Rollout.
func workload(ctx context.Context, client *kube.Client, o *object) (*unstructured.Unstructured, error) {
	ref := o.Spec.WorkloadRef
	if !isDeployment(ref) || ref.Name == "" {
		return nil, errNoDeployment
	}
	return client.Get(ctx, kube.Deployments, o.Metadata.Namespace, ref.Name)
}
