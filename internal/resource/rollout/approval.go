package rollout

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-log/tflog"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// approveTimeout is the default time limit of a step. A step takes about six
// seconds plus the start time of its pods.
const approveTimeout = 20 * time.Minute

// approval is the approval of one step of a Rollout.
type approval struct {
	client          *kube.Client
	namespace, name string
	request         kruise.Approval
	// onProgress reports progress to the user. May be nil.
	onProgress func(text string)
	// isResource is set for the resource, which can be imported.
	isResource bool
	// resumed is set for the wait for a step that an earlier apply approved.
	resumed bool
	// pause and stuck are the timers for the steps that follow.
	pause kruise.PauseTimer
	stuck kruise.StuckTimer
	// before is the release at the time of the approval.
	before kruise.Release
}

func (a *approval) id() string { return a.namespace + "/" + a.name }

// importID returns the import ID: namespace/name/step, and /to_step if it is set.
func (a *approval) importID() string {
	id := fmt.Sprintf("%s/%d", a.id(), a.request.Step)
	if a.request.ToStep != 0 {
		id += fmt.Sprintf("/%d", a.request.ToStep)
	}
	return id
}

func (a *approval) reportProgress(ctx context.Context, text string) {
	tflog.Info(ctx, "approving a step of a rollout", map[string]any{"rollout": a.id(), "progress": text})
	if a.onProgress != nil {
		a.onProgress(fmt.Sprintf("rollout %s: %s", a.id(), text))
	}
}

// send approves the step, and returns after the cluster has stored the
// approval. On an error nothing was written, except with
// apierror.OutcomeUnknown. It is sent again after a conflict with another
// version of the Rollout, which may be an unrelated write of the controller, and
// after a lost response: the test operations of its patch ensure that it is
// applied only once.
func (a *approval) send(ctx context.Context) error {
	var lost error
	return kube.Retry(ctx, func(try int) (isRetry bool, err error) {
		found, kind, err := query(ctx, a.client, a.namespace, a.name)
		if err == nil && lost != nil && !a.isAtStep(found.Release()) {
			return false, nil // the approval was stored; the wait evaluates the release
		}
		if err == nil {
			err = a.sendOnce(ctx, kind, found, try > 1)
		}
		switch {
		case err == nil:
			return false, nil
		case apierror.OutcomeUnknown(err):
			lost = err
			return true, err
		}
		isRetry = errors.Is(err, kube.ErrPatchTest) || lost != nil && clients.KubernetesErrors.Transient(err)
		return isRetry, cmp.Or(lost, err)
	})
}

// sendOnce approves a release in the version that was read. isRetry means that
// this is not the first attempt: the release must still be paused at the same
// step.
func (a *approval) sendOnce(ctx context.Context, kind kube.Kind, found *object, isRetry bool) error {
	release := found.Release()
	if isRetry && !a.isAtStep(release) {
		return &kruise.NotApprovableError{Release: release, Why: "The release has continued in the meantime: the Rollout is " + release.String() + "."}
	}
	if err := a.request.Check(&found.Rollout); err != nil {
		return err
	}
	a.before = release
	return a.patch(ctx, kind, found)
}

// sendAgain repeats an approval that the controller has overwritten. Nothing happens
// if the release is no longer as it was read; the next poll evaluates it.
func (a *approval) sendAgain(ctx context.Context, kind kube.Kind, found *object) error {
	err := a.sendOnce(ctx, kind, found, true)
	if errors.Is(err, kube.ErrPatchTest) || apierror.OutcomeUnknown(err) {
		return nil
	}
	if err == nil {
		a.reportProgress(ctx, "approved again: the controller has overwritten the approval")
	}
	return err
}

// isAtStep reports whether a release is still paused at the approved step.
func (a *approval) isAtStep(release kruise.Release) bool {
	waits := release.State == kruise.AwaitingApproval || release.State == kruise.TimedPause
	return waits && release.Step == a.before.Step && release.Revision == a.before.Revision
}

func (a *approval) patch(ctx context.Context, kind kube.Kind, found *object) error {
	var patch []kube.PatchOperation
	for _, operation := range a.request.Patch(&found.Rollout) {
		patch = append(patch, kube.PatchOperation{Op: operation.Op, Path: operation.Path, Value: operation.Value})
	}
	_, err := a.client.Patch(ctx, kind, a.namespace, a.name, "status", patch)
	return err
}

// heartbeatInterval is the interval of progress messages during a wait without
// changes.
const heartbeatInterval = 10 * time.Second

// releaseOverError is the error of a resumed wait whose release is over: there is
// nothing left to wait for.
type releaseOverError struct{ why string }

func (e *releaseOverError) Error() string { return e.why }

// waitNextPause polls the release until its next pause or its end.
func (a *approval) waitNextPause(ctx context.Context) error {
	progress, shown := kruise.Progress{}, newProgressMessages(time.Now())
	err := wait.Poll(ctx, pollInterval, func(ctx context.Context) (done bool, err error) {
		text := ""
		found, kind, err := query(ctx, a.client, a.namespace, a.name)
		switch {
		case err == nil:
			if progress, text = a.progress(ctx, found); progress.Overwritten {
				err = a.sendAgain(ctx, kind, found)
			}
		case errors.Is(err, apierror.ErrNotFound):
			progress, err = kruise.Progress{Failed: "The Rollout was deleted in the meantime; its deletion gives all pods the new version.", Over: true}, nil
		}
		ends := progress.Done || progress.Failed != "" || a.resumed && progress.Over
		if message := shown.next(text, ends); message != "" {
			a.reportProgress(ctx, message)
		}
		return ends, err
	})
	switch {
	case err != nil:
		return fmt.Errorf("last seen: %s: %w", shown.last, err)
	case a.resumed && progress.Over:
		return &releaseOverError{cmp.Or(progress.Failed, "The release has restarted or gone back since the approval: it is "+shown.last+".")}
	case progress.Failed != "":
		return errors.New(progress.Failed)
	default:
		return nil
	}
}

// progress evaluates a release after the approval, and describes it.
func (a *approval) progress(ctx context.Context, found *object) (kruise.Progress, string) {
	release := a.stuck.Confirm(found.Release())
	progress := a.request.ProgressSince(a.before, release)
	if a.pause.OutlastsWait(ctx, release) && release.Step != a.before.Step {
		progress.Done = true
	}
	if progress.Done && release.State == kruise.Healthy && !a.allUpdated(ctx, found) {
		return kruise.Progress{}, "the release is completed, and its last pods are starting"
	}
	return progress, release.String()
}

// progressMessages are the progress messages of one wait: one for each change,
// and one every heartbeatInterval without a change.
type progressMessages struct {
	began, sent time.Time
	last        string
}

func newProgressMessages(now time.Time) progressMessages {
	return progressMessages{began: now, sent: now, last: "no status yet"}
}

// next returns the message after a poll, "" for none. text is "" if the poll
// failed.
func (m *progressMessages) next(text string, ends bool) string {
	switch {
	case ends, text != "" && text != m.last:
		m.last, m.sent = cmp.Or(text, m.last), time.Now()
		return text
	case time.Since(m.sent) >= heartbeatInterval:
		m.sent = time.Now()
		return fmt.Sprintf("%s (%s)", m.last, time.Since(m.began).Round(time.Second))
	default:
		return ""
	}
}

// allUpdated reports whether all pods of a Deployment run the new version. The
// controller reports a release as completed up to two seconds too early.
// Returns true if the Deployment cannot be read, except for a transient error.
func (a *approval) allUpdated(ctx context.Context, o *object) bool {
	deployment, err := workload(ctx, a.client, o)
	if err != nil {
		return !clients.KubernetesErrors.Transient(err)
	}
	intAt := func(fields ...string) int64 {
		n, _, _ := unstructured.NestedInt64(deployment.Object, fields...)
		return n
	}
	desired := intAt("spec", "replicas")
	return intAt("status", "observedGeneration") >= deployment.GetGeneration() && intAt("status", "updatedReplicas") >= desired &&
		intAt("status", "replicas") <= desired && intAt("status", "availableReplicas") >= desired
}

// report adds the error of a step that was not approved, or of which that is unknown.
func (a *approval) report(diags *diag.Diagnostics, at path.Path, err error) {
	var refused *kruise.NotApprovableError
	const summary = "Unable to approve step"
	switch {
	case errors.As(err, &refused):
		text := fmt.Sprintf("Rollout %q: %s", a.id(), refused.Why)
		if refused.Next != "" {
			text += "\n\n" + refused.Next
		}
		if a.isResource && (refused.Release.State == kruise.Healthy || refused.Release.Step > a.request.Step) {
			text += "\n\nIf an apply that was killed has approved this step, " + a.toImport()
		}
		diags.AddAttributeError(at, summary, strings.TrimRight(text, "\n")+"\n\nNothing was written.")
	case errors.Is(err, apierror.ErrNotFound):
		diags.AddAttributeError(path.Root(attrName), "Rollout does not exist", fmt.Sprintf("The cluster has no Rollout %q. Check namespace and name, and that kubernetes in the provider block is the intended cluster.", a.id()))
	case apierror.OutcomeUnknown(err):
		next := ": without a step, the next approval is that of the next step"
		if a.isResource {
			next = ". If this step was approved, " + a.toImport()
		}
		message.AddError(diags, "Unknown whether step was approved", fmt.Errorf(
			"%w\n\nLook at the release, for example with the data source kuscia_rollout, before you approve again%s", err, next))
	default:
		message.AddError(diags, summary, err)
	}
}

// toImport tells how to import an approval that is not in the state.
func (a *approval) toImport() string {
	return "import the approval:\n\n" + message.ImportBlock("kuscia_rollout_approval", a.importID()) + "\n"
}

// warnOver adds the warning of a resumed wait whose release is over.
func (a *approval) warnOver(diags *diag.Diagnostics, over *releaseOverError) {
	diags.AddAttributeWarning(path.Root(attrStep), "Approved release is over", fmt.Sprintf(
		"An earlier apply approved step %d of rollout %q, and its wait did not see the next pause. %s\n\n"+
			"There is nothing left to wait for, so the approval is complete. Nothing was approved: for the next release change step or triggers once it is paused.", a.request.Step, a.id(), over.why))
}

// reportWait adds the error of a release that did not reach its next pause.
func (a *approval) reportWait(diags *diag.Diagnostics, err error, next string) {
	if errors.Is(err, wait.ErrCanceled) {
		message.AddError(diags, "Wait for the next pause was canceled", fmt.Errorf("the step of rollout %q was approved. %w\n\n%s", a.id(), err, next))
		return
	}
	message.AddError(diags, "Rollout did not reach its next pause", fmt.Errorf(
		"the step of rollout %q was approved. %w\n\n%s The controller waits for the pods of the new version indefinitely: check the pods in namespace %s. If there are none, or the release stays at this step, check %s; the feature gate is needed for releases in place. "+
			"To cancel the release, roll the workload back to the previous image and configuration", a.id(), err, next, a.namespace, kruise.FeatureGateHint))
}

// approvalOf returns the approval of a plan or state.
func approvalOf(value tftypes.Value) *approval {
	fields := definition.FieldsOf(value)
	number := func(name string) int32 {
		n, _ := definition.NumberOf(fields[name])
		return int32(n) //nolint:gosec // validated to be at most 50
	}
	return &approval{
		isResource: true,
		namespace:  definition.StringOf(fields[attrNamespace]), name: definition.StringOf(fields[attrName]),
		request: kruise.Approval{Step: number(attrStep), ToStep: number(attrToStep)},
		before:  kruise.Release{Step: number(attrStep), Revision: definition.StringOf(fields[attrRevision])},
	}
}
