package kubernetes

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"time"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	utilrand "k8s.io/apimachinery/pkg/util/rand"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/controller"
)

const annotationRevision = "deployment.kubernetes.io/revision"

// workload are the objects of a Deployment.
type workload struct {
	key         string
	replicaSets []*replicaSet // oldest first
	revisions   int
	progressed  time.Time // time of the last progress
	wasPaused   bool
	resumed     bool
	created     bool // whether this round created a ReplicaSet
	mostPods    int  // the most pods that the last round allowed

	stored map[string]storedObject // the objects in the API server, by kind and name
}

// storedObject is the last written version of an object.
type storedObject struct {
	text    string
	version string
	uid     types.UID
}

// replicaSet contains the pods of one template.
type replicaSet struct {
	name, hash string
	revision   int
	template   core.PodTemplateSpec
	replicas   int
	minReady   int32 // seconds until a ready pod is available
	pods       []*pod
	// reportedCounts are the numbers in its status, which lag behind.
	reportedCounts counts
	scaled         time.Time
}

// counts are numbers of pods.
type counts struct{ replicas, ready, available int }

type pod struct {
	name    string
	created time.Time
	ready   bool
	broken  bool
	readyAt time.Time
}

// hashOf returns the hash of a template, unique within a Deployment.
func hashOf(template *core.PodTemplateSpec) string {
	text, _ := json.Marshal(template)
	h := fnv.New32a()
	_, _ = h.Write(text)
	return utilrand.SafeEncodeString(strconv.FormatUint(uint64(h.Sum32()), 10))
}

// HashOf returns the hash of a Deployment's template, as in the names of its
// ReplicaSets.
func HashOf(d *apps.Deployment) string { return hashOf(&d.Spec.Template) }

func (w *workload) newest(d *apps.Deployment) *replicaSet {
	hash := HashOf(d)
	for _, rs := range w.replicaSets {
		if rs.hash == hash {
			return rs
		}
	}
	return nil
}

// makeNewest creates the ReplicaSet of the template, or gives an existing one
// the next revision.
func (w *workload) makeNewest(d *apps.Deployment) *replicaSet {
	rs := w.newest(d)
	if rs == nil {
		rs = &replicaSet{name: d.Name + "-" + HashOf(d), hash: HashOf(d), template: *d.Spec.Template.DeepCopy(), minReady: d.Spec.MinReadySeconds}
		w.replicaSets = append(w.replicaSets, rs)
		w.progressed, w.created = time.Now(), true
	}
	if rs.revision != w.revisions || rs.revision == 0 {
		w.revisions++
		rs.revision = w.revisions
	}
	return rs
}

// setMinReady sets minReadySeconds of the ReplicaSets. Kubernetes changes only that of the
// newest; for a blue-green release Kruise raises that of the old one too.
func (w *workload) setMinReady(d *apps.Deployment) {
	newest := w.newest(d)
	for _, rs := range w.replicaSets {
		if rs == newest || rs.minReady < d.Spec.MinReadySeconds {
			rs.minReady = d.Spec.MinReadySeconds
		}
	}
}

func (w *workload) revision() string {
	if w.revisions == 0 {
		return ""
	}
	return strconv.Itoa(w.revisions)
}

// replace replaces pods that another client has deleted: ReplicaSets do so for a paused
// Deployment too.
func (w *workload) replace(deleted []string, now time.Time) {
	for _, rs := range w.replicaSets {
		rs.pods = slices.DeleteFunc(rs.pods, func(p *pod) bool { return slices.Contains(deleted, p.name) })
		rs.setReplicas(rs.replicas, now)
	}
}

// setReplicas adds pods, or removes the least useful ones.
func (rs *replicaSet) setReplicas(n int, now time.Time) {
	if rs.replicas = n; len(rs.pods) != n {
		rs.scaled = now
	}
	for len(rs.pods) < n {
		random := make([]byte, 5)
		_, _ = rand.Read(random)
		suffix := utilrand.SafeEncodeString(fmt.Sprintf("%x", random))[:5]
		rs.pods = append(rs.pods, &pod{name: rs.name + "-" + suffix, created: now})
	}
	if len(rs.pods) > n {
		slices.SortStableFunc(rs.pods, func(a, b *pod) int {
			if a.ready != b.ready {
				return map[bool]int{true: -1, false: 1}[a.ready]
			}
			return a.created.Compare(b.created)
		})
		rs.pods = rs.pods[:n]
	}
}

// start makes pods ready whose start time has passed, and returns the time
// until the next one.
func (rs *replicaSet) start(now time.Time, start time.Duration) (next time.Duration, changed bool) {
	broken := slices.ContainsFunc(rs.template.Spec.Containers, func(c core.Container) bool {
		return strings.Contains(c.Image, "broken")
	})
	for _, p := range rs.pods {
		if p.ready || p.broken {
			continue
		}
		if rest := start - now.Sub(p.created); rest > 0 {
			if next == 0 || rest < next {
				next = rest
			}
			continue
		}
		p.ready, p.broken = !broken, broken
		p.readyAt = now
		changed = changed || !broken
	}
	return next, changed
}

func (rs *replicaSet) ready() int {
	n := 0
	for _, p := range rs.pods {
		if p.ready {
			n++
		}
	}
	return n
}

// available counts pods that have been ready for long enough.
func (rs *replicaSet) available(now time.Time, clock *controller.Clock) int {
	n := 0
	for _, p := range rs.pods {
		if p.ready && now.Sub(p.readyAt) >= clock.Scaled(time.Duration(rs.minReady)*time.Second) {
			n++
		}
	}
	return n
}

// write writes ReplicaSets and pods to the API server.
func (w *workload) write(ctx context.Context, objects *controller.Objects, d *apps.Deployment) error {
	if w.stored == nil {
		w.stored = map[string]storedObject{}
	}
	desired := map[string]bool{}
	for _, rs := range w.replicaSets {
		desired["rs/"+rs.name] = true
		if err := writeOne(ctx, objects, w, ReplicaSets, "rs/"+rs.name, rs.object(d)); err != nil {
			return err
		}
		for _, p := range rs.pods {
			desired["pod/"+p.name] = true
			if err := writeOne(ctx, objects, w, Pods, "pod/"+p.name, p.object(rs, d, w.stored["rs/"+rs.name].uid)); err != nil {
				return err
			}
		}
	}
	for key := range w.stored {
		if desired[key] {
			continue
		}
		var err error
		if name, isPod := strings.CutPrefix(key, "pod/"); isPod {
			err = Pods.Delete(ctx, objects, d.Namespace, name)
		} else {
			err = ReplicaSets.Delete(ctx, objects, d.Namespace, strings.TrimPrefix(key, "rs/"))
		}
		if err != nil {
			return err
		}
		delete(w.stored, key)
	}
	return nil
}

func writeOne[T any, P interface {
	*T
	metav1.Object
}](ctx context.Context, objects *controller.Objects, w *workload, kind controller.Kind[T], key string, value *T) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	before, there := w.stored[key]
	if before.text == string(text) {
		return nil
	}
	var after *T
	if there {
		P(value).SetResourceVersion(before.version)
		after, err = kind.Update(ctx, objects, value)
	} else {
		after, err = kind.Create(ctx, objects, value)
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", key, err)
	}
	w.stored[key] = storedObject{text: string(text), version: P(after).GetResourceVersion(), uid: P(after).GetUID()}
	return nil
}

func (rs *replicaSet) labels() map[string]string {
	labels := map[string]string{apps.DefaultDeploymentUniqueLabelKey: rs.hash}
	for name, value := range rs.template.Labels {
		labels[name] = value
	}
	return labels
}

func (rs *replicaSet) object(d *apps.Deployment) *apps.ReplicaSet {
	object := &apps.ReplicaSet{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: d.Namespace, Name: rs.name, Labels: rs.labels(),
			Annotations:     map[string]string{annotationRevision: strconv.Itoa(rs.revision)},
			OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(d, apps.SchemeGroupVersion.WithKind("Deployment"))},
		},
		Spec: apps.ReplicaSetSpec{
			Replicas: new(int32(rs.replicas)), MinReadySeconds: rs.minReady,
			Selector: &metav1.LabelSelector{MatchLabels: rs.labels()}, Template: rs.template,
		},
		Status: apps.ReplicaSetStatus{Replicas: int32(len(rs.pods)), ReadyReplicas: int32(rs.ready())},
	}
	object.Spec.Template.Labels = rs.labels()
	return object
}

func (p *pod) object(rs *replicaSet, d *apps.Deployment, owner types.UID) *core.Pod {
	object := &core.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: d.Namespace, Name: p.name, Labels: rs.labels(), Annotations: rs.template.Annotations,
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: rs.name, UID: owner, Controller: new(true)}},
		},
		Spec:   rs.template.Spec,
		Status: core.PodStatus{Phase: core.PodPending},
	}
	ready := core.ConditionFalse
	if p.ready {
		ready, object.Status.Phase = core.ConditionTrue, core.PodRunning
	}
	object.Status.Conditions = []core.PodCondition{{Type: core.PodReady, Status: ready}}
	for _, c := range rs.template.Spec.Containers {
		status := core.ContainerStatus{Name: c.Name, Image: c.Image, Ready: p.ready}
		switch {
		case p.ready:
			status.State.Running = &core.ContainerStateRunning{}
		case p.broken:
			status.State.Waiting = &core.ContainerStateWaiting{Reason: "ImagePullBackOff", Message: fmt.Sprintf("Back-off pulling image %q", c.Image)}
		default:
			status.State.Waiting = &core.ContainerStateWaiting{Reason: "ContainerCreating"}
		}
		object.Status.ContainerStatuses = append(object.Status.ContainerStatuses, status)
	}
	return object
}
