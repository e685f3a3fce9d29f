package rolloutstatus

import (
	"context"
	"errors"
	"fmt"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/judge"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
)

// release is the progress of a Rollout, or the error of reading it.
type release struct {
	kruise.Release
	err error
}

// addRelease adds the release of a party's Deployment to its status. The
// desired replica counts do not end a release: a step may wait for an approval,
// and a rollback leaves pods of the canceled version for a while.
func (r *Reader) addRelease(ctx context.Context, p *Party, d *kube.Deployment) {
	if d == nil {
		return
	}
	namespace := p.Desired.Namespace
	key := namespace + "/" + p.Desired.Name
	name := p.ReleasedBy
	if name == "" {
		name = party.Workload(d).ControlledBy()
	}
	if name == "" {
		name = r.releasing[key]
	}
	if name == "" {
		if !p.SpecAsExpected() && d.Metadata.Labels[kruise.WorkloadTypeLabel] != "" && !r.inGracePeriod() {
			p.textSuffix = ". It has the label " + kruise.WorkloadTypeLabel + ", so Kuscia cannot change it while the webhook of OpenKruise Rollouts does not respond: check that kruise-rollout-controller-manager runs"
		}
		return
	}
	if r.releasing == nil {
		r.releasing = map[string]string{}
	}
	r.releasing[key] = name
	at, err := r.readRelease(ctx, namespace, name, p.Desired.Name)
	p.release = &release{at, err}
	p.Workload.Releasing = !r.releaseEnded(p)
	p.Judge(judge.History{})
	if err == nil && !p.Runs() {
		p.textSuffix = fmt.Sprintf("; Rollout %q: %s", name, at)
		if hint := at.Hint(); hint != "" {
			p.textSuffix += "; " + hint
		}
	}
}

// releaseEnded reports whether a release has ended. If its progress cannot be read, it
// counts as ended after a while.
func (r *Reader) releaseEnded(p *Party) bool {
	if p.release.err != nil {
		return !r.inGracePeriod()
	}
	return !p.release.InProgress()
}

// readError returns the error of a Rollout that could not be read for a reason that
// passes, or because the time is over: nothing is known about the release then.
func (p *Party) readError(ctx context.Context) error {
	if p.release == nil || p.release.err == nil || ctx.Err() == nil && !errors.Is(p.release.err, apierror.ErrUnavailable) {
		return nil
	}
	return p.release.err
}

// readRelease reads the progress of the Rollout of a Deployment.
func (r *Reader) readRelease(ctx context.Context, namespace, name, deployment string) (at kruise.Release, err error) {
	kind, served, err := r.cluster.FirstServed(ctx, kube.Rollouts...)
	switch {
	case err != nil:
		return at, err
	case !served:
		return at, fmt.Errorf("the cluster does not serve %s", kube.Rollouts[0])
	}
	object, err := r.cluster.Get(ctx, kind, namespace, name)
	if err != nil {
		return at, err
	}
	rollout, err := kruise.RolloutFrom(object.Object)
	if err != nil {
		return at, err
	}
	if ref := rollout.Spec.WorkloadRef; ref.Kind != kube.Deployments.Kind || ref.Name != deployment {
		return at, fmt.Errorf("it refers to %s %q now, and nothing continues the release of this Deployment. Let it refer to this Deployment again, or give all pods the new version with \"kubectl annotate deployment/%[3]s -n %[4]s %[5]s-\" and then \"kubectl rollout resume deployment/%[3]s -n %[4]s\"",
			httpapi.Text(ref.Kind), httpapi.Text(ref.Name), httpapi.Text(deployment), httpapi.Text(namespace), kruise.InProgressingAnnotation)
	}
	return rollout.Release(), nil
}
