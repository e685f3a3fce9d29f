package clients

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// rolloutControlTimeout is how long an update waits for the Rollout of a Deployment to control
// it: the controller takes 0.1 s, and some seconds while it restarts.
const rolloutControlTimeout = 30 * time.Second

// AwaitRolloutControl is called before an update that gives a Deployment a new version. If the
// Deployment has an enabled Rollout whose controller has not taken it over yet, all pods
// would get the new version at once: the call waits, and adds an error at an attribute
// if that takes too long. It also waits while the last release ends, since a version
// that arrives then can stay paused, but continues if that takes too long. It does nothing
// without access to a cluster, and if the Rollouts or the Deployment cannot be read.
func (c *Clients) AwaitRolloutControl(ctx context.Context, diags *diag.Diagnostics, at path.Path, namespace, deployment string) {
	if !c.HasKubernetes() {
		return
	}
	found, err := c.rolloutCaches().namespaces.get(ctx, namespace)
	rollout, has := found[deployment]
	if err != nil || !has {
		return
	}
	kind, err := c.rolloutCaches().kind.get(ctx, "")
	if err != nil {
		return
	}
	client, err := c.Kubernetes.Open()
	if err != nil {
		return
	}
	limited, cancel := context.WithTimeout(ctx, rolloutControlTimeout)
	defer cancel()
	state := ""
	err = wait.Poll(limited, wait.Interval{First: 100 * time.Millisecond, Longest: time.Second}, func(ctx context.Context) (done bool, err error) {
		done, now, err := rolloutControls(ctx, client, kind, namespace, rollout.name, deployment)
		state = cmp.Or(now, state) // a failed request does not change it
		return done, err
	})
	if err != nil && ctx.Err() == nil && state != "" {
		diags.AddAttributeError(at, "The Rollout of this Deployment does not control it yet", fmt.Sprintf(
			"Rollout %q is %s, so the change would not be released step by step: all pods would get the new version at once. Nothing was sent.\n\n"+
				"Check that kruise-rollout-controller-manager runs, and apply again. To update all pods at once, disable or delete the Rollout first.", httpapi.Text(namespace+"/"+rollout.name), state))
	}
}

// rolloutControls reports whether the next version of a Deployment is released by its
// Rollout, and describes the Rollout if it would not be. A missing object, a disabled
// Rollout and a Deployment without pods need no wait.
func rolloutControls(ctx context.Context, client *kube.Client, kind kube.Kind, namespace, name, deployment string) (done bool, state string, err error) {
	object, err := client.Get(ctx, kind, namespace, name)
	if unreadable(err) {
		return true, "", nil
	}
	if err != nil {
		return false, "", err //nolint:wrapcheck // no error reaches the user
	}
	rollout, err := kruise.RolloutFrom(object.Object)
	if err != nil || rollout.Spec.Disabled || rollout.Metadata.Deleting() || rollout.Spec.WorkloadRef != (kruise.ObjectRef{APIVersion: "apps/v1", Kind: "Deployment", Name: deployment}) {
		return true, "", nil //nolint:nilerr // what cannot be decoded is not waited for
	}
	found, err := client.Get(ctx, kube.Deployments, namespace, deployment)
	if unreadable(err) {
		return true, "", nil
	}
	if err != nil {
		return false, "", err //nolint:wrapcheck // no error reaches the user
	}
	d := &kube.Deployment{}
	if err := kube.Decode(found, d); err != nil || d.Spec.Replicas != nil && *d.Spec.Replicas == 0 {
		return true, "", nil //nolint:nilerr // what cannot be decoded is not waited for
	}
	release := rollout.Release()
	switch release.State {
	case kruise.NotObserved, kruise.Disabled, kruise.Disabling:
		return false, release.String(), nil
	case kruise.NoWorkload:
		return false, "not aware of its Deployment yet", nil
	case kruise.Cancelling, kruise.Completing:
		return false, "", nil
	}
	if kind.Version == kruise.V1Alpha1 {
		return true, "", nil // Rollouts before 0.4 does not set the label
	}
	return found.GetLabels()[kruise.WorkloadTypeLabel] != "", "not in control of its Deployment yet, which has no label " + kruise.WorkloadTypeLabel, nil
}

func unreadable(err error) bool {
	return errors.Is(err, apierror.ErrNotFound) || errors.Is(err, apierror.ErrUnauthorized) || errors.Is(err, apierror.ErrUnsupported)
}
