package rollout

import (
	"context"
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// controlTimeout is how long a promotion waits until the controller has begun the release.
// 5 s were measured with OpenKruise Rollouts 0.6.2. A release that waits for missing traffic
// routing never begins.
const controlTimeout = 30 * time.Second

// awaitControl waits until the Deployment of a Rollout is not paused for a release that
// the controller has yet to begin. begun is false if it still is after controlTimeout, and
// release then describes the release.
func awaitControl(ctx context.Context, client *kube.Client, namespace, name string) (begun bool, release string, err error) {
	limited, cancel := context.WithTimeout(ctx, controlTimeout)
	defer cancel()
	err = wait.Poll(limited, pollInterval, func(ctx context.Context) (done bool, err error) {
		found, _, err := query(ctx, client, namespace, name)
		if errors.Is(err, apierror.ErrNotFound) {
			return true, nil
		}
		if err != nil {
			return false, err
		}
		if found.Metadata.Deleting() {
			return true, nil
		}
		d, err := deploymentOf(ctx, client, found)
		switch {
		case errors.Is(err, apierror.ErrUnavailable):
			return false, err
		case err != nil: // there is none, or it cannot be read
			return true, nil //nolint:nilerr // nothing can be waited for
		}
		release = found.Release().String()
		held := party.Workload(d)
		return held.ReleasedBy() != name || !held.IsAwaitingControl(), nil
	})
	if err != nil && ctx.Err() == nil && release != "" {
		return false, release, nil
	}
	return err == nil, release, err //nolint:wrapcheck // the client's errors describe the request
}

// awaitDisableable waits, before an update disables a Rollout during a release, until that
// cannot leave the Deployment paused.
func awaitDisableable(ctx context.Context, c *clients.Clients, wanted, before *object) error {
	if !wanted.Spec.Disabled || before.Spec.Disabled {
		return nil
	}
	client, err := openClient(c)
	if err != nil {
		return err
	}
	begun, release, err := awaitControl(ctx, client, wanted.Metadata.Namespace, wanted.Metadata.Name)
	if err != nil || begun {
		return err
	}
	return fmt.Errorf("it was not disabled, since its Deployment would stay paused: the Rollout is %s. "+
		"Roll the workload back to the previous image and configuration, and apply again after that; or delete the Rollout", release)
}

// removeRollout deletes a Rollout. Without promote_on_destroy, no release may be in
// progress; with it, the pods of all steps get the new version.
func removeRollout(ctx context.Context, c *clients.Clients, before *object) error {
	client, err := openClient(c)
	if err != nil {
		return err
	}
	kind, err := rolloutKind(ctx, client)
	if err != nil {
		return err
	}
	namespace, name := before.Metadata.Namespace, before.Metadata.Name
	if before.promote {
		if _, _, err := awaitControl(ctx, client, namespace, name); err != nil {
			return err
		}
	}
	deleted := before
	err = remove(ctx, c, kind, before.id(), func(found *unstructured.Unstructured) error {
		read, err := kruise.RolloutFrom(found.Object)
		if err != nil {
			return err //nolint:wrapcheck // the error names the object
		}
		deleted = &object{Rollout: *read}
		if before.promote {
			return nil
		}
		if during := releaseOf(ctx, client, deleted); during != "" {
			return fmt.Errorf("it was not deleted, since a release may be in progress: the Rollout is %s. %s", during, promoteHelp)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return checkResumed(ctx, client, deleted)
}

// checkResumed returns an error if a deleted Rollout has left its Deployment paused, as it
// does before the controller has begun the release.
func checkResumed(ctx context.Context, client *kube.Client, deleted *object) error {
	d, err := deploymentOf(ctx, client, deleted)
	if err != nil || !party.Workload(d).IsLeftPaused() {
		return nil //nolint:nilerr // the Rollout is deleted; what cannot be read or does not exist needs nothing
	}
	namespace, name := httpapi.Text(d.Metadata.Namespace), httpapi.Text(d.Metadata.Name)
	return fmt.Errorf("the Rollout is deleted, but the controller of OpenKruise Rollouts has left Deployment %s/%s paused, since its release had not begun, so that the pods keep the previous version. "+
		"\"kubectl rollout resume deployment/%s -n %s\" gives all of them the new one. Apply again after that: the Rollout is then removed from the state", namespace, name, name, namespace)
}
