// Package workload has the controllers of Kubernetes for Deployments and
// ReplicaSets, and the kubelet that starts pods, as functions of a Deployment and
// the time: RunPods and Roll. They change nothing but the Deployment and return
// when they have to be called again. The stores call them: the sandbox in memory,
// testing/kubetest for an API server. What becomes of a container that is started
// decides a Starter; nothing of pods that fail was recorded.
package workload

import (
	"time"

	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// Spec is what the controllers read of a Deployment.
type Spec struct {
	Namespace, Name string
	UID             string
	Replicas        int
	Paused          bool
	Recreate        bool
	// Bounds are those of a rolling update; nil if the Deployment has none.
	Bounds *objects.Bounds
	// Template is that of the pods.
	Template Template
	// MinReady and Deadline are minReadySeconds and progressDeadlineSeconds.
	MinReady, Deadline int32
	// HistoryLimit is the number of old ReplicaSets that are kept.
	HistoryLimit int
	// Partition is set if the controller of OpenKruise scales the Deployment.
	Partition *Partition
}

// The defaults of Kubernetes.
const (
	DefaultDeadline     = 600
	DefaultHistoryLimit = 10
)

// Partition is the strategy of OpenKruise's controller: it limits the share of pods
// with the new template.
type Partition struct {
	Limit  intstr.IntOrString
	Bounds *objects.Bounds
	Paused bool
}

// Template is a template of pods.
type Template struct {
	// Hash identifies the template within a Deployment.
	Hash string
	// Pod is the template as the kubelet reads it.
	Pod objects.PodTemplate
	// Object is the template in the form of the store.
	Object any
}

// Deployment is a Deployment with its ReplicaSets and pods.
type Deployment struct {
	Spec
	Sets   []*ReplicaSet // oldest first
	Status objects.DeploymentStatus
	// Revisions counts the changes of the current ReplicaSet.
	Revisions int

	progressed time.Time // of the last progress
	wasPaused  bool
	resumed    bool
	created    bool            // whether a ReplicaSet was created since the last status
	mostPods   int             // the most pods that the last pass allowed
	pods       int             // created in the life of the Deployment
	names      map[string]bool // the ends of their names
}

// ReplicaSet has the pods of one template.
type ReplicaSet struct {
	Name     string
	Template Template
	Revision int
	// Desired is the number of pods that it shall have; its pods follow.
	Desired  int
	MinReady int32
	Pods     []*Pod

	podsAt   time.Time // when pods are created or removed
	changed  time.Time // when its pods last changed
	reported counts    // the numbers in its status, which follow later
}

// counts are numbers of pods.
type counts struct{ pods, ready, available int }

// Timing has the durations of the controllers' steps.
type Timing struct {
	// Step is the time until the controller notices that a ReplicaSet was scaled.
	Step time.Duration
	// Create and Remove are the times until the pods of a scaled ReplicaSet are
	// created and removed.
	Create, Remove time.Duration
	// Report is the time until the status of a ReplicaSet has the number of its pods.
	Report time.Duration
	// Start is the time until a pod is ready, or its image could not be pulled.
	Start time.Duration
	// BackOff is the first delay before a container that has ended again is restarted, which is
	// ten seconds of the kubelet.
	BackOff time.Duration
	// Second is the length of a second of the specification.
	Second time.Duration
}

// seconds is a number of seconds of the specification.
func (t Timing) seconds(n int32) time.Duration { return time.Duration(n) * t.Second }

// Current is the ReplicaSet of the Deployment's template, nil if there is none.
func (d *Deployment) Current() *ReplicaSet {
	for _, set := range d.Sets {
		if set.Template.Hash == d.Template.Hash {
			return set
		}
	}
	return nil
}

// Running returns the ReplicaSets with desired pods.
func (d *Deployment) Running() []*ReplicaSet {
	var running []*ReplicaSet
	for _, set := range d.Sets {
		if set.Desired > 0 {
			running = append(running, set)
		}
	}
	return running
}

// PodCount is the number of pods, including old ones.
func (d *Deployment) PodCount() int {
	n := 0
	for _, set := range d.Sets {
		n += len(set.Pods)
	}
	return n
}

// Ready is the number of ready pods.
func (s *ReplicaSet) Ready() int {
	n := 0
	for _, p := range s.Pods {
		if p.Ready {
			n++
		}
	}
	return n
}

// available counts pods that have been ready for long enough.
func (s *ReplicaSet) available(now time.Time, t Timing) int {
	n := 0
	for _, p := range s.Pods {
		if p.Ready && now.Sub(p.readyAt) >= t.seconds(s.MinReady) {
			n++
		}
	}
	return n
}

// soonest returns the earlier of two times, of which zero means never.
func soonest(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
