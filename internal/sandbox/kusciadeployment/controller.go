// Package kusciadeployment is Kuscia's controller of KusciaDeployments, as recorded:
// the objects that it creates, the fields that it writes back, and the failures that
// it reports or hides. It reads and writes through a Store: the memory of the sandbox,
// or an API server (testing/kubetest).
package kusciadeployment

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// Store has the objects of a control plane. Objects that do not exist are nil.
type Store interface {
	Domain(name string) (*objects.Domain, error)
	HasNamespace(name string) (bool, error)
	AppImage(name string) (*objects.AppImage, error)
	Service(namespace, name string) (*objects.Service, error)
	ConfigMap(namespace, name string) (*objects.ConfigMap, error)
	Deployment(namespace, name string) (*objects.Deployment, error)
	// Waiting is the number of pods of a Deployment, and the reason why one of them
	// does not run.
	Waiting(d *objects.Deployment) (pods int, reason, message string, err error)
	// TakePorts reserves consecutive port numbers, and returns the first.
	TakePorts(domain string, n int) int32

	CreateService(s *objects.Service) error
	CreateConfigMap(m *objects.ConfigMap) error
	CreateDeployment(d *objects.Deployment) error
	UpdateDeployment(before, after *objects.Deployment) error
	// Update writes a whole KusciaDeployment, UpdateStatus its status.
	Update(kd *objects.KusciaDeployment) error
	UpdateStatus(kd *objects.KusciaDeployment) error
}

// ErrLater is returned by a Store that writes later: the pass ends, and nothing is
// reported.
var ErrLater = errors.New("the store writes later")

// MaxRetries is how often the controller repeats a failed pass.
const MaxRetries = 15

// RetryDelay is the delay before a failed pass is repeated for the n-th time, from 0.
func RetryDelay(n int) time.Duration { return 5 * time.Millisecond << n }

// Annotations of a KusciaDeployment.
const (
	annotationInitiator    = "kuscia.secretflow/initiator"
	annotationAsInitiator  = "kuscia.secretflow/self-cluster-as-initiator"
	annotationSelfParties  = "kuscia.secretflow/interconn-self-parties"
	annotationPartners     = "kuscia.secretflow/interconn-kuscia-parties"
	annotationPorts        = "kuscia.secretflow/allocated-ports"
	AnnotationAffinityMode = "kuscia.secretflow/affinity-mode"
)

// failure is an error that is reported in the status, with a reason.
type failure struct {
	reason string
	err    error
}

// Error implements error.
func (f *failure) Error() string { return f.err.Error() }

// Unwrap implements errors.Wrapper.
func (f *failure) Unwrap() error { return f.err }

// Controller is Kuscia's controller of one version.
type Controller struct {
	Store
	// Version is the version of Kuscia; an unknown one does what the newest does.
	Version versions.Version
}

// Reconcile is one pass over a KusciaDeployment, of which the caller gives its own
// copy. It first writes the annotations and allocated ports, and with them the whole
// object; the pass after that change creates the other objects. An error means that
// the pass is to be repeated.
func (c Controller) Reconcile(kd *objects.KusciaDeployment, now time.Time) error {
	if err := validate(kd); err != nil {
		return c.fail(kd, nil, &failure{"ValidateFailed", err}, now)
	}
	annotated, err := c.annotate(kd)
	if err != nil {
		return err
	}
	kits, allocated, err := c.partyKits(kd)
	if err != nil {
		return c.fail(kd, nil, err, now)
	}
	if annotated || allocated {
		return c.Update(kd)
	}
	if err := c.makeChildren(kd, kits); err != nil {
		return c.fail(kd, kits, err, now)
	}
	return c.refresh(kd, kits, kd.Status, now)
}

// Outdated reports whether a Deployment is missing or not as specified.
func (c Controller) Outdated(kd *objects.KusciaDeployment) (bool, error) {
	if c.Version.Has(versions.PortAllocation) && kd.Meta.Annotations[annotationPorts] == "" {
		return true, nil
	}
	kits, _, err := c.partyKits(kd)
	for _, k := range kits {
		d, err := c.Deployment(k.party.DomainID, k.deployment)
		if err != nil || d == nil {
			return true, err
		}
		if _, changed := k.change(kd, d); changed {
			return true, nil
		}
	}
	return false, err
}

// GiveUp reports that a pass has failed MaxRetries times.
func (c Controller) GiveUp(kd *objects.KusciaDeployment, err error, now time.Time) error {
	return c.fail(kd, nil, &failure{"RetryProcessingFailed", fmt.Errorf("process failed after retrying %d times, %w", MaxRetries, err)}, now)
}

// fail reports a failure, unless the Deployments are healthy. For this reason failures
// of updates are not visible. Other errors are returned.
func (c Controller) fail(kd *objects.KusciaDeployment, kits []*partyKit, err error, now time.Time) error {
	var told *failure
	if !errors.As(err, &told) || errors.Is(err, ErrLater) {
		return err
	}
	before := kd.Status
	kd.Status.Phase, kd.Status.Reason, kd.Status.Message = objects.PhaseFailed, told.reason, told.Error()
	return c.refresh(kd, kits, before, now)
}

var serviceNamePrefix = regexp.MustCompile(`^[a-z]([-a-z0-9]{0,46}[a-z0-9])?$`)

func validate(kd *objects.KusciaDeployment) error {
	if len(kd.Spec.Parties) == 0 {
		return fmt.Errorf("parties can't be empty for kusciaDeployment %s", kd.Meta.Name)
	}
	found := false
	for _, party := range kd.Spec.Parties {
		if p := party.ServiceNamePrefix; p != "" && !serviceNamePrefix.MatchString(p) {
			return fmt.Errorf("field %q is invalid, invalid value: %q: regex used for validation is %q ", "ServiceNamePrefix", p, serviceNamePrefix)
		}
		found = found || party.DomainID == kd.Spec.Initiator
	}
	if !found {
		return fmt.Errorf("kusciaDeployment %s initiator %s should be one of the parties", kd.Meta.Name, kd.Spec.Initiator)
	}
	return nil
}

// annotate sets Kuscia's annotations for the parties. All domains must exist. The
// initiator is one of this control plane.
func (c Controller) annotate(kd *objects.KusciaDeployment) (changed bool, err error) {
	var parties, partners []string
	for _, party := range kd.Spec.Parties {
		domain, err := c.Domain(party.DomainID)
		if err != nil {
			return false, err
		}
		if domain == nil {
			return false, fmt.Errorf("domain.kuscia.secretflow %q not found", party.DomainID)
		}
		if domain.Spec.Role != "" {
			partners = append(partners, party.DomainID)
			continue
		}
		parties = append(parties, party.DomainID)
	}
	changed = kd.Meta.Annotate(annotationInitiator, kd.Spec.Initiator)
	changed = kd.Meta.Annotate(annotationAsInitiator, "true") || changed
	changed = kd.Meta.Annotate(annotationSelfParties, strings.Join(parties, "_")) || changed
	if len(partners) > 0 {
		changed = kd.Meta.Annotate(annotationPartners, strings.Join(partners, "_")) || changed
	}
	return changed, nil
}

// refresh updates the status from the Deployments, and writes it if it is not the same
// as before the pass. Removed parties remain in the status.
func (c Controller) refresh(kd *objects.KusciaDeployment, kits []*partyKit, before objects.KusciaDeploymentStatus, now time.Time) error {
	kd.Status = kd.Status.Clone()
	s := &kd.Status
	if s.TotalParties == 0 {
		s.TotalParties = len(kd.Spec.Parties)
	}
	for _, k := range kits {
		if err := c.refreshParty(s, k); err != nil {
			return err
		}
	}
	partial, progressing := false, false
	s.AvailableParties = 0
	for domain, parties := range s.PartyDeploymentStatuses {
		for name, party := range parties {
			switch party.Phase {
			case objects.PhaseAvailable:
				if party.AvailableReplicas > 0 { // also without EmptyPartiesWait
					s.AvailableParties++
				}
			case objects.PhasePartialAvailable:
				s.AvailableParties++
				partial = true
			case objects.PhaseProgressing:
				progressing = true
				if err := c.explain(s, kits, domain, name); err != nil {
					return err
				}
			}
		}
	}
	last := s.Phase
	if progressing && c.Version.Has(versions.AnyPartyProgressing) || !c.Version.Has(versions.EmptyPartiesWait) {
		s.Phase = objects.PhaseProgressing
	} else if s.Phase == "" { // before AnyPartyProgressing it stays what it was
		s.Phase = objects.PhaseProgressing
	}
	if s.AvailableParties == s.TotalParties {
		s.Phase = objects.PhaseAvailable
		if partial {
			s.Phase = objects.PhasePartialAvailable
		}
	}
	if last != s.Phase && (s.Phase == objects.PhaseAvailable || s.Phase == objects.PhasePartialAvailable) {
		s.Reason, s.Message = "", ""
	}
	if reflect.DeepEqual(*s, before) {
		return nil
	}
	s.LastReconcileTime = new(now.Truncate(time.Second))
	return c.UpdateStatus(kd)
}

func (c Controller) refreshParty(s *objects.KusciaDeploymentStatus, k *partyKit) error {
	d, err := c.Deployment(k.party.DomainID, k.deployment)
	if err != nil || d == nil {
		return err
	}
	party := &objects.PartyStatus{
		Phase: objects.PhaseProgressing, Role: k.party.Role,
		Replicas: d.Status.Replicas, UpdatedReplicas: d.Status.UpdatedReplicas,
		AvailableReplicas: d.Status.AvailableReplicas, UnavailableReplicas: d.Status.UnavailableReplicas,
		Conditions: d.Status.Conditions, CreationTimestamp: d.Meta.CreationTimestamp,
	}
	// Neither the desired number nor the updated pods matter.
	switch {
	case party.AvailableReplicas >= party.Replicas && (party.AvailableReplicas > 0 || !c.Version.Has(versions.EmptyPartiesWait)):
		party.Phase = objects.PhaseAvailable
	case party.AvailableReplicas > 0:
		party.Phase = objects.PhasePartialAvailable
	}
	if s.PartyDeploymentStatuses == nil {
		s.PartyDeploymentStatuses = map[string]map[string]*objects.PartyStatus{}
	}
	if s.PartyDeploymentStatuses[d.Meta.Namespace] == nil {
		s.PartyDeploymentStatuses[d.Meta.Namespace] = map[string]*objects.PartyStatus{}
	}
	s.PartyDeploymentStatuses[d.Meta.Namespace][d.Meta.Name] = party
	return nil
}

// explain sets the reason why a pod does not run.
func (c Controller) explain(s *objects.KusciaDeploymentStatus, kits []*partyKit, domain, name string) error {
	if !c.Version.Has(versions.PodReasons) {
		return nil
	}
	for _, k := range kits {
		if k.party.DomainID != domain {
			continue
		}
		s.Reason, s.Message = "", ""
		d, err := c.Deployment(domain, name)
		if err != nil || d == nil {
			return err
		}
		pods, reason, message, err := c.Waiting(d)
		if err != nil {
			return err
		}
		if pods == 0 {
			reason = fmt.Sprintf("kd's pods: %s not found", name)
			message = reason
		}
		s.Message = message
		if reason != "" {
			s.Reason = fmt.Sprintf("domainID: %s, reason: %s", domain, reason)
		}
		return nil
	}
	return nil
}
