package cluster

import (
	"encoding/json"
	"hash/fnv"
	"strconv"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/workload"
)

// Deployment is a Deployment with its pods.
type Deployment struct {
	objects.Deployment
	// Workload has its ReplicaSets and pods.
	Workload workload.Deployment
	template workload.Template
	syncAt   time.Time
}

// hash derives the template of the pods from a changed specification.
func (d *Deployment) hash() {
	text, _ := json.Marshal(d.Spec.Template) // only texts and numbers
	h := fnv.New64a()
	_, _ = h.Write(text)
	d.template = workload.Template{Hash: strconv.FormatUint(h.Sum64(), 36), Pod: d.Spec.Template}
}

// Hash identifies the template of the pods.
func (d *Deployment) Hash() string { return d.template.Hash }

// spec is what the controllers read of the Deployment.
func (d *Deployment) spec() workload.Spec {
	return workload.Spec{
		Namespace: d.Meta.Namespace, Name: d.Meta.Name, UID: d.Meta.UID, Replicas: int(d.Spec.Pods()), Paused: d.Spec.Paused,
		Recreate: d.Spec.Strategy.Type == objects.Recreate, Bounds: d.Spec.Strategy.RollingUpdate, Template: d.template,
		Deadline: workload.DefaultDeadline, HistoryLimit: workload.DefaultHistoryLimit,
	}
}

// Schedule schedules a pass of the controllers over the Deployment after delay, unless
// an earlier one is scheduled.
func (c *Cluster) Schedule(d *Deployment, delay time.Duration) {
	at := c.Now().Add(delay)
	if !d.syncAt.IsZero() && !d.syncAt.After(at) {
		return
	}
	d.syncAt = at
	c.After(delay, func() {
		if c.deployments[KeyOf(d.Meta)] == d && d.syncAt.Equal(at) {
			d.syncAt = time.Time{}
			c.sync(d)
		}
	})
}

// sync runs the pods of a Deployment and, unless it lags, the Deployment controller.
func (c *Cluster) sync(d *Deployment) {
	w, now, timing, owner := &d.Workload, c.Now(), c.timing.workload(), d.Meta.Labels[objects.LabelName]
	reason, message := w.Waiting()
	w.Spec = d.spec()
	next := workload.RunPods(w, now, timing, c.starter)
	then := c.lagUntil(owner)
	if !then.After(now) {
		then = workload.Roll(w, now, timing)
	}
	if next.IsZero() || !then.IsZero() && then.Before(next) {
		next = then
	}
	if !next.IsZero() {
		c.Schedule(d, next.Sub(now))
	}
	if newReason, newMessage := w.Waiting(); newReason != reason || newMessage != message || !w.Status.Equal(d.Status) {
		d.Status = w.Status
		c.changed(owner)
	}
}

// Pause pauses a Deployment, as a rollout controller does, or resumes it.
func (c *Cluster) Pause(d *Deployment, paused bool) {
	d.Spec.Paused = paused
	c.Schedule(d, c.timing.Step)
}
