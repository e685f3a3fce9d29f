package kuscia

import (
	"fmt"
	"reflect"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/kubernetes"
)

// refresh updates the status from the Deployments, and reports whether it has
// changed. Removed parties remain in the status.
func (c *Controller) refresh(kd *Deployment, kits []*partyKit) bool {
	s := &kd.Status
	changed := s.TotalParties == 0
	if changed {
		s.TotalParties = len(kd.Spec.Parties)
	}
	if s.PartyDeploymentStatuses == nil {
		s.PartyDeploymentStatuses = map[string]map[string]*PartyStatus{}
	}
	for _, k := range kits {
		changed = c.refreshParty(s, k) || changed
	}
	available, partial, progressing := 0, false, 0
	for domain, parties := range s.PartyDeploymentStatuses {
		for name, party := range parties {
			switch party.Phase {
			case phaseAvailable:
				available++
			case phasePartialAvailable:
				available++
				partial = true
			case phaseProgressing:
				progressing++
				c.explain(s, kits, domain, name)
			}
		}
	}
	changed = changed || s.AvailableParties != available || progressing > 0
	s.AvailableParties = available
	before := s.Phase
	if progressing > 0 {
		s.Phase = phaseProgressing
	}
	if available == s.TotalParties {
		s.Phase = phaseAvailable
		if partial {
			s.Phase = phasePartialAvailable
		}
	}
	if before != s.Phase {
		changed = true
		if s.Phase == phaseAvailable || s.Phase == phasePartialAvailable {
			s.Reason, s.Message = "", ""
		}
	}
	if len(s.PartyDeploymentStatuses) == 0 {
		s.PartyDeploymentStatuses = nil
	}
	return changed
}

func (c *Controller) refreshParty(s *DeploymentStatus, k *partyKit) bool {
	d, err := kubernetes.Deployments.Cached(c.objects, k.party.DomainID, k.deployment)
	if err != nil || d == nil {
		return false
	}
	now := &PartyStatus{
		Phase: phaseProgressing, Role: k.party.Role,
		Replicas: d.Status.Replicas, UpdatedReplicas: d.Status.UpdatedReplicas,
		AvailableReplicas: d.Status.AvailableReplicas, UnavailableReplicas: d.Status.UnavailableReplicas,
		Conditions: d.Status.Conditions, CreationTimestamp: &d.CreationTimestamp,
	}
	switch {
	case now.AvailableReplicas > 0 && now.AvailableReplicas >= now.Replicas:
		now.Phase = phaseAvailable
	case now.AvailableReplicas > 0:
		now.Phase = phasePartialAvailable
	}
	parties := s.PartyDeploymentStatuses[d.Namespace]
	if parties == nil {
		parties = map[string]*PartyStatus{}
		s.PartyDeploymentStatuses[d.Namespace] = parties
	}
	if parties[d.Name] != nil && reflect.DeepEqual(parties[d.Name], now) {
		return false
	}
	parties[d.Name] = now
	return true
}

// explain returns the reason why a pod does not run.
func (c *Controller) explain(s *DeploymentStatus, kits []*partyKit, domain, name string) {
	for _, k := range kits {
		if k.party.DomainID != domain {
			continue
		}
		reason, message := c.reasonOfPods(domain, name)
		s.Reason, s.Message = "", message
		if reason != "" {
			s.Reason = fmt.Sprintf("domainID: %s, reason: %s", domain, reason)
		}
		return
	}
}

func (c *Controller) reasonOfPods(namespace, name string) (reason, message string) {
	d, err := kubernetes.Deployments.Cached(c.objects, namespace, name)
	if err != nil || d == nil || d.Spec.Selector == nil {
		return "", ""
	}
	pods, err := kubernetes.Pods.CachedWith(c.objects, namespace, labels.Set(d.Spec.Selector.MatchLabels))
	if err != nil {
		return "", ""
	}
	if len(pods) == 0 {
		none := fmt.Sprintf("kd's pods: %s not found", name)
		return none, none
	}
	for _, pod := range pods {
		for _, container := range pod.Status.ContainerStatuses {
			if reason, message, found := reasonOf(container.State); found {
				return reason, message
			}
		}
	}
	return "", ""
}

func reasonOf(state core.ContainerState) (reason, message string, found bool) {
	if state.Terminated != nil {
		return state.Terminated.Reason, state.Terminated.Message, true
	}
	if w := state.Waiting; w != nil && w.Reason != "" && w.Reason != "ContainerCreating" && w.Reason != "PodInitializing" {
		return w.Reason, w.Message, true
	}
	return "", "", false
}
