package rolloutstatus

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// controlTimeout is how long an update waits for the Rollout of a Deployment to control
// it: the controller takes 0.1 s, and some seconds while it restarts or ends a rollback.
const controlTimeout = 30 * time.Second

// ChangedDeployment is a Deployment that an update gives a new version, and the attribute
// for messages about it.
type ChangedDeployment struct {
	Namespace, Name string

	At path.Path
}

// AwaitControl is called before an update that gives Deployments a new version. If one
// has an enabled Rollout whose controller has not taken it over yet, all its pods
// would get the new version at once: the call waits, and adds an error at the attribute
// if that takes too long. It also waits while the last release ends or has not begun, or its
// Rollout is being disabled, since a version that arrives then can stay paused, and a rollback
// can be released step by step; and while the pods of several versions prevent a release with
// traffic routing. If that takes too long, it adds a warning, because the update may be the
// one that lets the release end. If the Rollouts cannot be read, it adds a warning. It does
// nothing without access to a cluster.
func AwaitControl(ctx context.Context, r *run.Run, diags *diag.Diagnostics, deployments []ChangedDeployment) {
	awaitControl(ctx, r, controlTimeout, diags, deployments)
}

func awaitControl(ctx context.Context, r *run.Run, timeout time.Duration, diags *diag.Diagnostics, deployments []ChangedDeployment) {
	client, err := r.OpenKubernetes()
	if err != nil {
		return
	}
	warnings, failures := make([]diag.Diagnostics, len(deployments)), make([]error, len(deployments))
	var all sync.WaitGroup
	for i, deployment := range deployments {
		all.Go(func() { failures[i] = awaitControlOf(ctx, r, client, timeout, &warnings[i], deployment) })
	}
	all.Wait()
	for i, deployment := range deployments {
		diags.Append(warnings[i]...)
		warnRolloutsUnknown(r, diags, deployment, failures[i])
	}
}

// awaitControlOf is AwaitControl for one Deployment. readErr is the error if its
// Rollouts cannot be read, and the update is sent nevertheless.
func awaitControlOf(ctx context.Context, r *run.Run, client *kube.Client, timeout time.Duration, diags *diag.Diagnostics, deployment ChangedDeployment) (readErr error) {
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	namespace := deployment.Namespace
	last, known, name := controlled, false, deployment.Name
	var failure error
	err := wait.Poll(limited, wait.Interval{First: 100 * time.Millisecond, Longest: time.Second}, func(ctx context.Context) (done bool, err error) {
		defer func() {
			if ctx.Err() == nil || failure == nil { // the end of the context says less than the failure before it
				failure = err
			}
		}()
		kind, rollout, has, err := r.CurrentRollout(ctx, namespace, deployment.Name)
		if err != nil || !has {
			return err == nil || apierror.IsLasting(err), err
		}
		now, err := rolloutControl(ctx, client, kind, namespace, rollout, deployment.Name)
		if err == nil { // a failed request does not change what is known
			last, known, name = now, true, rollout
		}
		return err == nil && (now == controlled || now.letThrough), err
	})
	switch {
	case known && (err != nil || last.letThrough):
		last.report(diags, deployment.At, httpapi.Text(namespace+"/"+name), stopped(ctx))
	case failure != nil && ctx.Err() != nil:
		diags.AddAttributeError(deployment.At, unknownRollouts, fmt.Sprintf(
			"It is not known whether a Rollout has to release the change of Deployment \"%s/%s\", and %s. Nothing was sent. Apply again when the cluster can be read.\n\n%s",
			httpapi.Text(namespace), httpapi.Text(deployment.Name), stopped(ctx), message.Detail(failure)))
	default:
		return failure
	}
	return nil
}

// stopped describes why the context of an apply has ended; "" if it has not.
func stopped(ctx context.Context) string {
	switch {
	case ctx.Err() == nil:
		return ""
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "the time limit has passed"
	}
	return "the apply was canceled"
}

// unknownRollouts is the summary of messages about Rollouts that cannot be read.
const unknownRollouts = "Unable to read Rollout of the Deployment"

// warnedOfAccess limits the warnings of missing permissions to one per run.
const warnedOfAccess run.Key[*sync.Once] = "warning of missing access to Rollouts"

// warnRolloutsUnknown warns of an update that does not wait, although it is unknown whether a
// Rollout has to release it. A missing permission causes one warning per run.
func warnRolloutsUnknown(r *run.Run, diags *diag.Diagnostics, deployment ChangedDeployment, err error) {
	warn := func() {
		diags.AddAttributeWarning(deployment.At, unknownRollouts, fmt.Sprintf(
			"The update of Deployment \"%s/%s\" does not wait for it. If a Rollout of the Deployment does not control it yet, all pods get the new version at once.\n\n%s",
			httpapi.Text(deployment.Namespace), httpapi.Text(deployment.Name), message.Detail(err)))
	}
	switch {
	case err == nil:
	case errors.Is(err, apierror.ErrUnauthorized):
		run.Value(r, warnedOfAccess, func() *sync.Once { return new(sync.Once) }).Do(warn)
	case !apierror.IsLasting(err): // a cluster without Rollouts needs no warning
		warn()
	}
}

// control is what a Rollout does with the next version of its Deployment.
type control struct {
	// state describes a Rollout that does not release the next version step by step;
	// "" if it does.
	state string
	// ending: the Rollout still ends the last release.
	ending bool
	// beginning: the Rollout has not yet begun to release the last change.
	beginning bool
	// disabling: the Rollout is to be disabled, but its controller has not done that yet. Until
	// then, the webhook pauses the Deployment for a change, which no one releases.
	disabling bool
	// mixed: the Deployment has pods of several versions, and the Rollout routes traffic. The
	// webhook then lets a change through.
	mixed bool
	// letThrough: the webhook would let the change through, which no wait changes.
	letThrough bool
}

// controlled is the control of a Rollout that releases the next version step by step, and
// of one that does not have to.
var controlled control

// awaited returns the summary of messages about a state for whose end an update waits only for
// some time, and what is to be known if it is sent before; "" for other states.
func (c control) awaited() (summary, sentAnyway string) {
	switch {
	case c.beginning:
		return "Last release of the Deployment has not begun", "If this update is a rollback, it may be released step by step, or leave the Deployment paused.\n\n" +
			"Check that kruise-rollout-controller-manager runs, and that the objects of the traffic routing of the Rollout exist."
	case c.disabling:
		return "Rollout of the Deployment is not disabled yet", "The Deployment may stay paused.\n\n" +
			"Check that kruise-rollout-controller-manager runs, and then the Deployment. If it stays paused, enable the Rollout, so that the change is released step by step; " +
			"or remove the annotation " + kruise.InProgressingAnnotation + " of the Deployment and resume it (kubectl rollout resume), which gives all pods the new version."
	case c.mixed:
		return "Last rollout of the Deployment has not ended", "The new version may not be released step by step: all pods may get it at once.\n\n" +
			"Check the pods of the Deployment, and whether it is paused."
	case c.ending:
		return "Last release of the Deployment has not ended", "The new version may not be released step by step, or may stay paused.\n\n" +
			"Check the pods of the Deployment. If it stays paused, roll it back to the previous image and configuration, and change it again after that."
	}
	return "", ""
}

// report reports a Rollout that did not get control in time. stopped is why the update
// is not sent, "" if it is.
func (c control) report(diags *diag.Diagnostics, at path.Path, rollout, stopped string) {
	summary, sentAnyway := c.awaited()
	switch {
	case c == controlled:
	case summary != "" && stopped != "":
		diags.AddAttributeError(at, summary, fmt.Sprintf("Rollout %q is %s, and %s. Nothing was sent.\n\nApply again.", rollout, c.state, stopped))
	case summary != "":
		diags.AddAttributeWarning(at, summary, fmt.Sprintf(
			"Rollout %q is still %s after %s, and the update no longer waits for it. %s", rollout, c.state, controlTimeout, sentAnyway))
	default:
		next := "Check that kruise-rollout-controller-manager runs, and apply again."
		if c.letThrough {
			next = "Remove the annotation (kubectl annotate deployment NAME " + kruise.RolloutIDAnnotation + "-), and apply again."
		}
		diags.AddAttributeError(at, "Rollout does not control the Deployment yet", fmt.Sprintf(
			"Rollout %q is %s, so the change would not be released step by step: all pods would get the new version at once. Nothing was sent.\n\n"+
				"%s To update all pods at once, disable or delete the Rollout first.", rollout, c.state, next))
	}
}

// rolloutControl returns what a Rollout does with the next version of its Deployment. A
// missing object, a Rollout that the webhook ignores and a Deployment without pods need no wait.
func rolloutControl(ctx context.Context, client *kube.Client, kind kube.Kind, namespace, name, deployment string) (control, error) {
	object, err := client.Get(ctx, kind, namespace, name)
	if apierror.IsLasting(err) {
		return controlled, nil
	}
	if err != nil {
		return control{}, err
	}
	rollout, err := kruise.RolloutFrom(object.Object)
	if err != nil || rollout.IsIgnored() || rollout.Spec.WorkloadRef != (kruise.ObjectRef{APIVersion: "apps/v1", Kind: "Deployment", Name: deployment}) {
		return controlled, nil //nolint:nilerr // what cannot be decoded is not waited for
	}
	found, err := client.Get(ctx, kube.Deployments, namespace, deployment)
	if apierror.IsLasting(err) {
		return controlled, nil
	}
	if err != nil {
		return control{}, err
	}
	d := &kube.Deployment{}
	if err := kube.Decode(found, d); err != nil || d.Spec.Replicas != nil && *d.Spec.Replicas == 0 {
		return controlled, nil //nolint:nilerr // what cannot be decoded is not waited for
	}
	if rollout.Spec.Disabled {
		state := "to be disabled, which its controller has not done yet"
		if release := rollout.Release(); release.State == kruise.Disabling {
			state = release.String()
		}
		return control{state: state, disabling: true}, nil
	}
	workload := kruise.Workload{Paused: d.Spec.Paused, Labels: found.GetLabels(), Annotations: found.GetAnnotations()}
	now := controlOf(rollout.Release(), kind.Version != kruise.V1Alpha1, workload)
	if style := rollout.Spec.Strategy.Style(); now == controlled && style != nil && len(style.TrafficRoutings) > 0 && workload.ReleasedBy() == "" && isMixed(d) {
		now = control{state: "not able to release a change, since its traffic routing needs a Deployment with pods of a single version", mixed: true}
	}
	return now, nil
}

// isMixed reports whether a Deployment may have pods of several versions. The webhook counts
// its ReplicaSets with replicas in their specs: the Deployment controller sets those of the
// old ones to 0 before the pods, which the status counts, are gone.
func isMixed(d *kube.Deployment) bool {
	return d.Status.ObservedGeneration < d.Metadata.Generation || d.Status.Replicas != d.Status.UpdatedReplicas
}

// controlOf interprets a release. labelled: the controller labels the Deployments that it
// controls, which Rollouts before 0.4 did not.
func controlOf(release kruise.Release, labelled bool, workload kruise.Workload) control {
	switch release.State {
	case kruise.NotObserved, kruise.Disabled, kruise.Disabling:
		return control{state: release.String()}
	case kruise.NoWorkload:
		return control{state: "not aware of its Deployment yet"}
	case kruise.Cancelling, kruise.Completing:
		return control{state: release.String(), ending: true}
	}
	isOver := release.State == kruise.Stuck || release.State == kruise.Suspended // it does not begin without another change
	if workload.IsAwaitingControl() && !isOver {
		state := "about to release the last change of its Deployment"
		if release.InProgress() {
			state = release.String()
		}
		return control{state: state, beginning: true}
	}
	if workload.IsLetThrough() {
		return control{state: "not asked about changes of its Deployment, which has the annotation " + kruise.RolloutIDAnnotation, letThrough: true}
	}
	if labelled && workload.Labels[kruise.WorkloadTypeLabel] == "" {
		return control{state: "not in control of its Deployment yet, which has no label " + kruise.WorkloadTypeLabel}
	}
	return controlled
}
