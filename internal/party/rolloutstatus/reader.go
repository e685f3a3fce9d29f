package rolloutstatus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/judge"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/podstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// Reader reads the rollout status of one KusciaDeployment, repeatedly. It is not
// safe for concurrent use.
type Reader struct {
	cluster Cluster
	name    string
	began   time.Time
	// known are the domains of the configured parties.
	known map[string]bool

	images   map[string]*kube.AppImage
	imagesAt time.Time
	// deadlines and otherOwner are what earlier reads recorded about Deployments.
	deadlines  map[party.Key]deadline
	otherOwner map[party.Key]time.Time
	// histories are those of the Deployments for the judge.
	histories map[party.Key]judge.History

	// last is the result of the last read that succeeded; nil before it.
	last *Status
	// first is what Kuscia had reported at the first read.
	first *kube.KusciaDeploymentStatus
	// reported is what Kuscia has reported of pods.
	reported podstatus.Reported
	// podFailures are what earlier reads recorded about pods.
	podFailures map[party.Key]*podFailure

	partners map[string]bool
	// unreadable has the errors for domains that could not be queried.
	unreadable map[string]error
	created    string
	// releasing are the Rollouts that were releasing a Deployment in an earlier
	// read, by its namespace and name.
	releasing map[string]string
	// timers are those of the releases that earlier reads have seen.
	timers map[party.Key]*releaseTimers
}

// New returns a reader for the KusciaDeployment with a name.
func New(cluster Cluster, name string) *Reader {
	return &Reader{cluster: cluster, name: name, began: time.Now()}
}

// Created is when the KusciaDeployment that Preflight found was created, in RFC
// 3339; "" if it found none.
func (r *Reader) Created() string { return r.created }

// Status is the result of a read.
type Status struct {
	KusciaDeployment *kube.KusciaDeployment
	// Parties are those whose Deployments this cluster has or will have.
	Parties []Party
	// Partners are the parties of other control planes, which have their
	// Deployments. Nothing is known about these.
	Partners []party.Key
	// Done is set if all parties run as desired.
	Done bool
	// Paused describes which OpenKruise Rollouts pause the parties that are not
	// done, and how to resume them; "" as long as one of these parties continues
	// without that.
	Paused string
	// PausedByOthers describes a party that is not done and whose Deployment has been paused
	// without a Rollout for pausedTimeout; "" if there is none.
	PausedByOthers string
	// PodsFail says that pods of a party have not started for wait.PodFailureTimeout; "" if
	// they may still start. Pods has the reasons. It is not masked.
	PodsFail string
}

// Party is a party with the status of its Deployment.
type Party struct {
	Key     party.Key
	Desired party.DesiredDeployment
	party.DeploymentStatus
	// Image is the image of its Deployment; "" without one of this KusciaDeployment.
	Image string
	// generation is that of the Deployment, and selector that of its pods; "" without a Deployment
	// of this KusciaDeployment.
	generation int64
	selector   string
	// release is the progress of its Rollout, nil if no Rollout releases it.
	release *release
	// textSuffix is appended to the description of the party, with its punctuation.
	textSuffix string
}

// Text describes the parties, for messages. It is not masked.
func (s *Status) Text() string {
	if s == nil || s.KusciaDeployment == nil {
		return "no status was read"
	}
	var lines []string
	for _, p := range s.Parties {
		lines = append(lines, fmt.Sprintf("domain %q: %s%s", p.Desired.Namespace, p.DeploymentStatus.Text, p.textSuffix))
	}
	if len(lines) == 0 {
		lines = []string{"no party belongs to this control plane"}
	}
	text := strings.Join(lines, "; ")
	status := s.KusciaDeployment.Status
	if s.PodReason() != "" {
		return text // Pods has it
	}
	if status.Reason != "" || status.Message != "" {
		text += fmt.Sprintf(". Kuscia reports: %s %s", httpapi.Text(status.Reason), httpapi.Text(status.Message))
	}
	return text
}

// PodReason is the reason that Kuscia reports for pods that do not run, of one party; "" if it
// reports none. It is not masked.
func (s *Status) PodReason() string {
	status := s.KusciaDeployment.Status
	if wait.PodHint(status.Reason+" "+status.Message) == "" {
		return ""
	}
	return httpapi.Text(status.Reason)
}

// GivenUp describes why Kuscia has given up; "" if it has not. Right after an
// update it may still be the status from before it.
func (s *Status) GivenUp() string {
	status := s.KusciaDeployment.Status
	if s.Done || status.Phase != kube.PhaseFailed {
		return ""
	}
	return fmt.Sprintf("Kuscia reports the phase Failed, reason %s: %s", httpapi.Text(status.Reason), httpapi.Text(status.Message))
}

// Read reads the KusciaDeployment and the Deployments that Kuscia created for
// it. The error is apierror.ErrNotFound if there is no KusciaDeployment.
func (r *Reader) Read(ctx context.Context) (*Status, error) {
	object, err := r.cluster.Get(ctx, kube.KusciaDeployments, kube.CrossDomain, r.name)
	if err != nil {
		if errors.Is(err, apierror.ErrNotFound) {
			r.last = nil
		}
		return nil, err
	}
	kd := &kube.KusciaDeployment{}
	if err := kube.Decode(object, kd); err != nil {
		return nil, fmt.Errorf("the KusciaDeployment cannot be read: %w", err)
	}
	result := &Status{KusciaDeployment: kd, Done: true}
	allPausedOrDone := true
	for _, p := range kd.Spec.Parties {
		key := party.Key{DomainID: p.DomainID, Role: p.Role}
		if r.isPartner(ctx, p.DomainID) {
			result.Partners = append(result.Partners, key)
			continue
		}
		image, err := r.image(ctx, p.AppImageRef)
		if err != nil {
			return nil, err
		}
		desired := party.DesiredDeploymentOf(kd, p, image)
		deployment, err := r.deployment(ctx, desired.Namespace, desired.Name)
		if err != nil {
			return nil, err
		}
		partyStatus := statusOf(key, desired, deployment)
		r.takeOver(&partyStatus, deployment)
		r.addRelease(ctx, &partyStatus, deployment)
		if err := partyStatus.readError(ctx); err != nil {
			return nil, err
		}
		if why := r.unreadable[p.DomainID]; why != nil && deployment == nil {
			partyStatus.DeploymentStatus.Text += fmt.Sprintf(". If its domain belongs to another control plane, it has no Deployment in this cluster; whether it does could not be determined: %s", strings.TrimRight(why.Error(), "."))
		}
		r.ignoreStaleDeadline(&partyStatus)
		if image == nil {
			partyStatus.DeploymentStatus = party.DeploymentStatus{Text: fmt.Sprintf("its app image %q does not exist", httpapi.Text(p.AppImageRef))}
		}
		r.judge(&partyStatus)
		if partyStatus.Reason == judge.PodsPaused {
			result.PausedByOthers = fmt.Sprintf("the Deployment of domain %q does not get the change: %s", httpapi.Text(p.DomainID), partyStatus.DeploymentStatus.Text)
		}
		result.PodsFail = cmp.Or(result.PodsFail, r.podsFail(ctx, kd, partyStatus))
		result.Parties = append(result.Parties, partyStatus)
		result.Done = result.Done && partyStatus.Runs()
		allPausedOrDone = allPausedOrDone && (partyStatus.Runs() || partyStatus.ReleasedBy != "")
	}
	if !result.Done && allPausedOrDone {
		result.Paused = r.describePaused(ctx, result)
	}
	r.last = result
	if r.isNews(kd.Status) {
		r.reported.Record(kd.Status.Reason, kd.Status.Message)
	}
	return result, nil
}

// isNews reports whether what Kuscia reports is not from before an update: it has changed since the
// first read.
func (r *Reader) isNews(status kube.KusciaDeploymentStatus) bool {
	if r.first == nil {
		r.first = &status
	}
	return r.last.KusciaDeployment.Metadata.Generation == 1 || status.Reason != r.first.Reason || status.Message != r.first.Message
}

func statusOf(key party.Key, desired party.DesiredDeployment, d *kube.Deployment) Party {
	p := Party{Key: key, Desired: desired, DeploymentStatus: party.CheckDeployment(desired, d)}
	if d != nil {
		p.generation = d.Metadata.Generation
		if containers := d.Spec.Template.Spec.Containers; len(containers) > 0 && !p.OtherOwner() {
			p.Image = containers[0].Image // Kuscia gives all containers the same
		}
		if !p.OtherOwner() {
			p.selector = labels.Set(d.Spec.Selector.MatchLabels).String()
		}
	}
	return p
}

// NotInClusterError reports that the cluster lacks an object that Kuscia has, so
// that it is not the cluster of this Kuscia.
type NotInClusterError struct {
	// Kind and Name identify the missing object.
	Kind, Name string
}

// Error names the missing object.
func (e *NotInClusterError) Error() string {
	return fmt.Sprintf("the cluster has no %s %q, but Kuscia has it: it is not the cluster of this Kuscia", e.Kind, httpapi.Text(e.Name))
}

// Preflight makes the requests of Read before the KusciaDeployment is created or
// changed. An error means that Read could never succeed.
func (r *Reader) Preflight(ctx context.Context, exists bool, parties []kube.KusciaDeploymentParty) error {
	found, err := r.cluster.Get(ctx, kube.KusciaDeployments, kube.CrossDomain, r.name)
	switch missing := errors.Is(err, apierror.ErrNotFound); {
	case missing && exists:
		return &NotInClusterError{kube.KusciaDeployments.Kind, r.name}
	case err != nil && !missing:
		return err
	case err == nil:
		r.created, _, _ = unstructured.NestedString(found.Object, "metadata", "creationTimestamp")
	}
	for _, p := range parties {
		r.Knows(p.DomainID)
		if r.isPartner(ctx, p.DomainID) {
			continue
		}
		if !exists && errors.Is(r.unreadable[p.DomainID], apierror.ErrNotFound) {
			return &NotInClusterError{kube.Domains.Kind, p.DomainID}
		}
		image, err := r.image(ctx, p.AppImageRef)
		if err == nil && image == nil {
			delete(r.images, p.AppImageRef)
			return &NotInClusterError{kube.AppImages.Kind, p.AppImageRef}
		}
		if err == nil {
			_, err = r.deployment(ctx, p.DomainID, party.DeploymentName(r.name, p.Role))
		}
		if err != nil {
			return err
		}
	}
	return nil
}
