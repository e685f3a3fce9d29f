package rollout

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// Time limits. A Rollout is healthy after 0.1 s, disabled after 3 s and deleted
// after 3 s, unless its controller is busy.
const (
	createTimeout = 5 * time.Minute
	updateTimeout = 5 * time.Minute
	deleteTimeout = 5 * time.Minute
)

// rollout defines kuscia_rollout.
var rollout = crud.New(crud.Spec[object]{
	Type: "rollout", Title: "rollout",
	Schema:   rolloutSchema(),
	Identity: identity("Rollout"),
	ToWire:   toWire, FromWire: fromWire,
	Responses: crud.Responses[object]{Deleting: func(o *object) bool { return o.Metadata.Deleting() }},
	Server:    crud.Cluster, API: calls,
	Checks: crud.Checks[object]{Object: checkRollout, References: rolloutReferences, Guard: guard},
	Writes: crud.Writes[object]{CompareFirst: true},
	// A refresh reads one list per namespace.
	BulkRead: bulkRead(listRollouts),
	Wait: &crud.Wait[object]{
		Attribute: "wait_for_healthy", Default: true, Done: isSettled, Failure: whyNeverSettled,
		Timeouts:    definition.Timeouts{Create: createTimeout, Update: updateTimeout, Delete: deleteTimeout},
		Description: "Whether a create waits until the controller has bound the Rollout to its workload, if it exists, and an update until the controller has observed the change. Default `true`. An image that is changed before that is not released step by step.",
	},
})

var lookupRollout = rollout.NewDataSource("One Rollout and the state of its release. It is an error if it does not exist.")

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

// calls are the API calls for Rollouts.
func calls(c *run.Run) crud.API[object] {
	return crud.API[object]{
		Create: func(ctx context.Context, desired *object) error {
			defer c.ForgetRollouts(desired.Metadata.Namespace)
			kind, encoded, err := encode(ctx, c, desired)
			if err != nil {
				return err
			}
			return create(ctx, c, kind, encoded)
		},
		Query: func(ctx context.Context, id crud.ID) (*object, error) {
			client, err := c.OpenKubernetes()
			if err != nil {
				return nil, err
			}
			found, _, err := query(ctx, client, id[0], id[1])
			if err != nil {
				return nil, err
			}
			switch found.Release().State {
			case kruise.NoWorkload:
				found.workloadExists = exists(ctx, client, found)
			case kruise.NotObserved:
				found.withoutPods, found.other = awaitsPods(ctx, client, found), otherRollout(ctx, client, found)
			}
			return found, nil
		},
		UpdateObject: func(ctx context.Context, u crud.Update[object]) error {
			defer c.ForgetRollouts(u.ID[0])
			if u.Desired.Spec.Disabled && !u.Before.Spec.Disabled {
				return disable(ctx, c, u.Before, func() error { return update(ctx, c, u) })
			}
			return update(ctx, c, u)
		},
		DeleteObject: func(ctx context.Context, before *object, _ *diag.Diagnostics) error {
			defer c.ForgetRollouts(before.Metadata.Namespace)
			return removeRollout(ctx, c, before)
		},
	}
}

// update updates a Rollout to the plan, if it is as in the state.
func update(ctx context.Context, c *run.Run, u crud.Update[object]) error {
	client, kind, err := opened(ctx, c)
	if err != nil {
		return err
	}
	return apply(ctx, change{client, kind, u.Desired.forceConflicts}, u, readRollout, func(desired *object) (map[string]any, error) { return desired.Object(kind.Version) })
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

// encode returns a Rollout in the version that the cluster serves.
func encode(ctx context.Context, c *run.Run, desired *object) (kube.Kind, map[string]any, error) {
	_, kind, err := opened(ctx, c)
	if err != nil {
		return kind, nil, err
	}
	encoded, err := desired.Object(kind.Version)
	return kind, encoded, err
}

// isSettled reports whether the controller has processed the current generation
// of a Rollout. One that is being deleted is never settled.
func isSettled(o *object) (done bool, state string) {
	release := o.Release()
	if o.withoutPods {
		return true, release.String()
	}
	switch release.State {
	case kruise.NotObserved, kruise.Disabling, kruise.Terminating:
	case kruise.NoWorkload:
		// The controller may not yet have noticed a new workload.
		done = !o.workloadExists
	default:
		done = o.Spec.Disabled == (release.State == kruise.Disabled)
	}
	return done && o.Status.ObservedGeneration >= o.Metadata.Generation, release.String()
}

// whyNeverSettled returns why the controller will not process a Rollout, "" if it may.
func whyNeverSettled(o *object) string {
	if o.other == "" {
		return ""
	}
	namespace := httpapi.Text(o.Metadata.Namespace)
	return fmt.Sprintf("Rollout %q refers to the same workload, and a workload has at most one: the webhook of OpenKruise Rollouts now refuses every write to either, so that its controller carries out neither. Delete one of the two (kubectl delete rollouts.rollouts.kruise.io/NAME -n %s)",
		namespace+"/"+httpapi.Text(o.other), namespace)
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

// isDeployment reports whether a workload is a Deployment, as all those of Kuscia are.
func isDeployment(ref kruise.ObjectRef) bool {
	return ref.APIVersion == defaultAPIVersion && ref.Kind == defaultKind
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
