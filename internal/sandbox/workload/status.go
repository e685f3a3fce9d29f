package workload

import (
	"fmt"
	"slices"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// The conditions of a Deployment, and their status.
const (
	conditionAvailable   = "Available"
	conditionProgressing = "Progressing"
	statusTrue           = "True"
	statusFalse          = "False"
	statusUnknown        = "Unknown"
)

const (
	deadlineExceeded = "ProgressDeadlineExceeded"
	setUpdated       = "ReplicaSetUpdated"
)

func (p pass) status() objects.DeploymentStatus {
	s := objects.DeploymentStatus{Conditions: slices.Clone(p.Status.Conditions)}
	for _, set := range p.Sets {
		s.Replicas += int32(set.reported.pods)
		s.ReadyReplicas += int32(set.reported.ready)
		s.AvailableReplicas += int32(set.reported.available)
	}
	current := p.Current()
	if current != nil {
		s.UpdatedReplicas = int32(current.reported.pods)
	}
	s.UnavailableReplicas = max(int32(total(p.Sets...))-s.AvailableReplicas, 0)
	mayMiss := 0
	if !p.Recreate && p.Replicas > 0 {
		_, mayMiss = resolve(p.Bounds, p.Replicas)
	}
	if int(s.AvailableReplicas) >= p.Replicas-min(mayMiss, p.Replicas) {
		p.set(&s, conditionAvailable, statusTrue, "MinimumReplicasAvailable", "Deployment has minimum availability.")
	} else {
		p.set(&s, conditionAvailable, statusFalse, "MinimumReplicasUnavailable", "Deployment does not have minimum availability.")
	}
	p.progress(&s, current)
	return s
}

// moved reports whether a rollout has progressed since the previous status.
func moved(s, before objects.DeploymentStatus) bool {
	return s.UpdatedReplicas > before.UpdatedReplicas || s.Replicas-s.UpdatedReplicas < before.Replicas-before.UpdatedReplicas ||
		s.ReadyReplicas > before.ReadyReplicas || s.AvailableReplicas > before.AvailableReplicas
}

// progress sets the Progressing condition. An exceeded deadline remains until a new
// ReplicaSet is created or a number changes, also if the template is reverted to an
// earlier one.
func (p pass) progress(s *objects.DeploymentStatus, current *ReplicaSet) {
	name := ""
	if current != nil {
		name = current.Name
	}
	before := condition(s, conditionProgressing)
	exceeded := before != nil && before.Reason == deadlineExceeded
	created := p.created
	p.created = false
	switch {
	case p.Paused && exceeded:
	case p.Paused:
		p.set(s, conditionProgressing, statusUnknown, "DeploymentPaused", "Deployment is paused")
	case p.resumed:
		p.resumed = false
		p.set(s, conditionProgressing, statusUnknown, "DeploymentResumed", "Deployment is resumed")
	case p.complete(s):
		p.set(s, conditionProgressing, statusTrue, "NewReplicaSetAvailable", fmt.Sprintf("ReplicaSet %q has successfully progressed.", name))
	case before == nil || created || s.UpdatedReplicas == 0 && !exceeded:
		p.set(s, conditionProgressing, statusTrue, "NewReplicaSetCreated", fmt.Sprintf("Created new replica set %q", name))
	case moved(*s, p.Status):
		if before.Reason == setUpdated {
			before.LastUpdateTime = p.now.Truncate(time.Second)
		}
		p.set(s, conditionProgressing, statusTrue, setUpdated, fmt.Sprintf("ReplicaSet %q is progressing.", name))
	case exceeded, p.now.Sub(p.progressed) > p.allowed():
		p.set(s, conditionProgressing, statusFalse, deadlineExceeded, fmt.Sprintf("ReplicaSet %q has timed out progressing.", name))
	default:
		p.set(s, conditionProgressing, statusTrue, setUpdated, fmt.Sprintf("ReplicaSet %q is progressing.", name))
	}
}

// complete reports whether all pods are new and available, and no others exist.
func (p pass) complete(s *objects.DeploymentStatus) bool {
	desired := int32(p.Replicas)
	return s.UpdatedReplicas == desired && s.Replicas == desired && s.AvailableReplicas == desired
}

// allowed is the time without progress until the deadline is exceeded, at least a
// second of the clock.
func (p pass) allowed() time.Duration {
	return max(p.timing.seconds(p.Deadline), time.Second)
}

// deadline is when the deadline will be exceeded; zero for a rollout that has ended.
func (p pass) deadline() time.Time {
	last := condition(&p.Status, conditionProgressing)
	if p.Paused || p.complete(&p.Status) || last.Reason == deadlineExceeded {
		return time.Time{}
	}
	if at := p.progressed.Add(p.allowed() + time.Millisecond); at.After(p.now) {
		return at
	}
	return time.Time{}
}

func condition(s *objects.DeploymentStatus, kind string) *objects.Condition {
	for i := range s.Conditions {
		if s.Conditions[i].Type == kind {
			return &s.Conditions[i]
		}
	}
	return nil
}

// set sets a condition, unless it already has this status and reason, with any
// message.
func (p pass) set(s *objects.DeploymentStatus, kind, status, reason, message string) {
	now := p.now.Truncate(time.Second)
	c := condition(s, kind)
	if c == nil {
		s.Conditions = append(s.Conditions, objects.Condition{Type: kind})
		c = condition(s, kind)
	}
	if c.Status == status && c.Reason == reason {
		return
	}
	if c.Status != status {
		c.LastTransitionTime = now
	}
	c.Status, c.Reason, c.Message, c.LastUpdateTime = status, reason, message, now
}
