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
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// releaseBeginTimeout is how long a promotion waits until the controller has begun the release.
// 5 s were measured with OpenKruise Rollouts 0.6.2.
const releaseBeginTimeout = 30 * time.Second

// awaitReleaseBegin waits until the controller has taken control of the pending release of a
// Rollout, if there is one. proceed is false if it does not: release, the last status, tells
// why.
func awaitReleaseBegin(ctx context.Context, client *kube.Client, namespace, name string) (proceed bool, release kruise.Release, err error) {
	limited, cancel := context.WithTimeout(ctx, releaseBeginTimeout)
	defer cancel()
	var stuck kruise.StuckTimer
	known := false
	var refused error // nothing has been sent, so that there is no reason to try again
	err = wait.Poll(limited, pollInterval, func(ctx context.Context) (done bool, err error) {
		found, _, err := query(ctx, client, namespace, name)
		switch {
		case errors.Is(err, apierror.ErrNotFound), err == nil && found.Metadata.Deleting():
			proceed = true
			return true, nil
		case err != nil:
			return false, err
		}
		awaiting, err := isAwaitingControl(ctx, client, found)
		switch {
		case errors.Is(err, apierror.ErrUnauthorized):
			refused = err
			return true, nil
		case err != nil:
			return false, err
		}
		release, known, proceed = stuck.Confirm(found.Release()), true, !awaiting
		switch release.State {
		case kruise.Stuck, kruise.Suspended, kruise.Disabled:
			return true, nil // it never begins on its own
		default:
			return proceed, nil
		}
	})
	switch {
	case refused != nil:
		return false, release, fmt.Errorf("nothing was sent: %w", refused)
	case err == nil, known && ctx.Err() == nil:
		return proceed, release, nil
	case known:
		return false, release, fmt.Errorf("nothing was sent, since the controller of OpenKruise Rollouts has not begun its release yet (the Rollout is %s): %w", release, err)
	}
	return false, release, err
}

// isAwaitingControl reports whether the Deployment of a Rollout is paused for a release
// that the controller has not begun.
func isAwaitingControl(ctx context.Context, client *kube.Client, o *object) (bool, error) {
	d, err := readDeployment(ctx, client, o)
	if err != nil || d == nil {
		return false, err
	}
	workload := party.Workload(d)
	return workload.ReleasedBy() == o.Metadata.Name && workload.IsAwaitingControl(), nil
}

// disable calls apply, which disables a Rollout. During a release, it waits before it until
// that cannot leave the Deployment paused, and checks after it that it has not.
func disable(ctx context.Context, c *run.Run, before *object, apply func() error) error {
	client, err := c.OpenKubernetes()
	if err != nil {
		return err
	}
	proceed, release, err := awaitReleaseBegin(ctx, client, before.Metadata.Namespace, before.Metadata.Name)
	switch {
	case err != nil:
		return err
	case !proceed:
		return notDisabled(before, release)
	}
	released, err := hasReleaseAnnotation(ctx, client, before)
	if err != nil {
		return fmt.Errorf("it was not disabled: %w", err)
	}
	if err := apply(); err != nil || !released {
		return err
	}
	err = wait.Poll(ctx, pollInterval, func(ctx context.Context) (done bool, err error) {
		found, _, err := query(ctx, client, before.Metadata.Namespace, before.Metadata.Name)
		if errors.Is(err, apierror.ErrNotFound) {
			return true, nil
		}
		return err == nil && found.Release().State != kruise.Disabling, err
	})
	if err != nil {
		return stillDisabling(before, err)
	}
	return checkResumed(ctx, client, before, "disabled", " No later plan shows it.")
}

// stillDisabling is the error of a Rollout that was disabled during a release, and whose
// controller has not ended that release. A Deployment that is resumed before that gets
// the new version in all pods at once.
func stillDisabling(o *object, err error) error {
	namespace, name := httpapi.Text(o.Metadata.Namespace), httpapi.Text(o.Spec.WorkloadRef.Name)
	return fmt.Errorf("the cluster has stored disabled = true, but it is not known whether the controller of OpenKruise Rollouts has ended the release. "+
		"Check that kruise-rollout-controller-manager runs, and that Deployment \"%s/%s\" is not paused when the data source kuscia_rollout shows the state disabled; do not resume the Deployment before: %w", namespace, name, err)
}

// notDisabled is the error of a Rollout whose controller has not begun its release.
func notDisabled(before *object, release kruise.Release) error {
	return fmt.Errorf("it was not disabled, since its Deployment would stay paused: the Rollout is %s. %s Or delete the Rollout instead, and give all pods the new version with %s",
		release, toBegin(release), resumeCommand(before))
}

// toBegin describes what lets a release begin or end.
func toBegin(release kruise.Release) string {
	if next, manual := release.ManualAction(); manual {
		return next
	}
	if release.TrafficRouting != "" || release.TrafficRoutingRef != nil {
		return "Create the objects of its traffic routing, so that the release begins, and apply again."
	}
	return "Check that kruise-rollout-controller-manager runs, and apply again."
}

// resumeCommand is the command that continues the rollout of the paused Deployment of a
// Rollout.
func resumeCommand(o *object) string {
	return fmt.Sprintf("\"kubectl rollout resume deployment/%s -n %s\"", httpapi.Text(o.Spec.WorkloadRef.Name), httpapi.Text(o.Metadata.Namespace))
}

// removeRollout deletes a Rollout. Without promote_on_destroy, no release may be in
// progress; with it, the pods of all steps get the new version.
func removeRollout(ctx context.Context, c *run.Run, before *object) error {
	client, kind, err := opened(ctx, c)
	if err != nil {
		return err
	}
	if before.promote {
		if _, _, err := awaitReleaseBegin(ctx, client, before.Metadata.Namespace, before.Metadata.Name); err != nil {
			return err
		}
	}
	var released *object // if it may be in a release
	err = remove(ctx, c, kind, before.id(), func(found *unstructured.Unstructured) error {
		read, err := kruise.RolloutFrom(found.Object)
		if err != nil {
			return err
		}
		current := &object{Rollout: *read}
		during, err := describeRelease(ctx, client, current)
		if err != nil {
			return fmt.Errorf("it was not deleted: %w", err)
		}
		if during != "" && !before.promote {
			return fmt.Errorf("it was not deleted, since a release may be in progress: the Rollout is %s. %s", during, promoteHelp)
		}
		repeated := current.Metadata.Deleting() && before.promote // the controller may have left the workload
		annotated, err := hasReleaseAnnotation(ctx, client, current)
		if repeated || annotated {
			released = current
		}
		return err
	})
	if err != nil || released == nil {
		return err
	}
	return checkResumed(ctx, client, released, "deleted", " Apply again after that: the Rollout is then removed from the state")
}

// checkResumed returns an error if a Rollout that was deleted or disabled during a release
// has left its Deployment paused: then the release had not begun, or the controller is
// configured to leave it so. next is what to do after the Deployment has been resumed.
func checkResumed(ctx context.Context, client *kube.Client, ended *object, did, next string) error {
	namespace, name := httpapi.Text(ended.Metadata.Namespace), httpapi.Text(ended.Spec.WorkloadRef.Name)
	leftPaused, annotated := false, false
	err := wait.Poll(ctx, pollInterval, func(ctx context.Context) (done bool, err error) {
		d, err := readDeployment(ctx, client, ended)
		if err != nil || d == nil {
			return err == nil, err
		}
		workload := party.Workload(d)
		annotated = workload.ReleasedBy() == ended.Metadata.Name
		leftPaused = workload.Paused && workload.ControlledBy() == "" && (annotated || workload.ReleasedBy() == "")
		return true, nil
	})
	switch {
	case err != nil:
		return fmt.Errorf("the Rollout is %s, but it is not known whether Deployment \"%s/%s\" is still paused. If it is, %s gives all pods the new version: %w",
			did, namespace, name, resumeCommand(ended), err)
	case !leftPaused:
		return nil
	}
	command := resumeCommand(ended)
	if annotated {
		command += fmt.Sprintf(", after \"kubectl annotate deployment/%s -n %s %s-\",", name, namespace, kruise.InProgressingAnnotation)
	}
	return fmt.Errorf("the Rollout is %s, but Deployment \"%s/%s\" is still paused, so that not all pods get the new version. "+
		"OpenKruise Rollouts leaves it so if the release had not begun, or with its feature gate KeepWorkloadPausedOnRolloutDeletion. %s continues it.%s",
		did, namespace, name, command, next)
}
