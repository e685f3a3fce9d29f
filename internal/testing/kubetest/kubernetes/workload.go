package kubernetes

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	utilrand "k8s.io/apimachinery/pkg/util/rand"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
	work "github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/workload"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/controller"
)

// Labels and annotations that OpenKruise sets on a Deployment whose pods its
// own controller scales.
const (
	LabelAdvanced      = "rollouts.kruise.io/controlled-by-advanced-deployment-controller"
	AnnotationStrategy = "rollouts.kruise.io/deployment-strategy"
)

const annotationRevision = "deployment.kubernetes.io/revision"

// AdvancedStrategy is the strategy of OpenKruise's controller.
type AdvancedStrategy struct {
	RollingStyle  string                        `json:"rollingStyle,omitempty"`
	RollingUpdate *apps.RollingUpdateDeployment `json:"rollingUpdate,omitempty"`
	Paused        bool                          `json:"paused,omitempty"`
	Partition     intstr.IntOrString            `json:"partition"`
}

// workload is a Deployment with its objects in the API server.
type workload struct {
	work.Deployment
	key    string
	stored map[string]storedObject // by kind and name
}

// storedObject is the last written version of an object.
type storedObject struct {
	text    string
	version string
	uid     types.UID
}

// HashOf returns the hash of a Deployment's template, as in the names of its
// ReplicaSets.
func HashOf(d *apps.Deployment) string {
	text, _ := json.Marshal(&d.Spec.Template)
	h := fnv.New32a()
	_, _ = h.Write(text)
	return utilrand.SafeEncodeString(strconv.FormatUint(uint64(h.Sum32()), 10))
}

// specOf is what the controllers read of a Deployment. advanced reports whether the
// controller of OpenKruise runs, known is the template of before.
func specOf(d *apps.Deployment, advanced bool, known work.Template) work.Spec {
	spec := work.Spec{
		Namespace: d.Namespace, Name: d.Name, UID: string(d.UID), Replicas: int(valueOr(d.Spec.Replicas, 1)), Paused: d.Spec.Paused,
		Recreate: d.Spec.Strategy.Type == apps.RecreateDeploymentStrategyType, Bounds: boundsOf(d.Spec.Strategy.RollingUpdate),
		MinReady: d.Spec.MinReadySeconds, Deadline: valueOr(d.Spec.ProgressDeadlineSeconds, work.DefaultDeadline),
		HistoryLimit: int(valueOr(d.Spec.RevisionHistoryLimit, work.DefaultHistoryLimit)),
		Template:     known,
	}
	if hash := HashOf(d); hash != known.Hash {
		spec.Template = work.Template{Hash: hash, Object: d.Spec.Template.DeepCopy(), Pod: podTemplateOf(&d.Spec.Template)}
	}
	var strategy AdvancedStrategy
	if advanced && d.Labels[LabelAdvanced] == "true" && json.Unmarshal([]byte(d.Annotations[AnnotationStrategy]), &strategy) == nil {
		spec.Partition = &work.Partition{Limit: strategy.Partition, Paused: strategy.Paused, Bounds: boundsOf(strategy.RollingUpdate)}
	}
	return spec
}

// podTemplateOf is a template as the kubelet of package workload reads it.
func podTemplateOf(template *core.PodTemplateSpec) (read objects.PodTemplate) {
	text, _ := json.Marshal(template)
	_ = json.Unmarshal(text, &read) // a template of the API server, whose fields have these types
	return read
}

func valueOr(value *int32, otherwise int32) int32 {
	if value == nil {
		return otherwise
	}
	return *value
}

func boundsOf(update *apps.RollingUpdateDeployment) *objects.Bounds {
	if update == nil {
		return nil
	}
	return &objects.Bounds{MaxSurge: update.MaxSurge, MaxUnavailable: update.MaxUnavailable}
}

// statusOf is the status as the API has it.
func (w *workload) statusOf(d *apps.Deployment) apps.DeploymentStatus {
	status := apps.DeploymentStatus{
		ObservedGeneration: d.Generation, CollisionCount: d.Status.CollisionCount,
		Replicas: w.Status.Replicas, UpdatedReplicas: w.Status.UpdatedReplicas, ReadyReplicas: w.Status.ReadyReplicas,
		AvailableReplicas: w.Status.AvailableReplicas, UnavailableReplicas: w.Status.UnavailableReplicas,
	}
	for _, c := range w.Status.Conditions {
		status.Conditions = append(status.Conditions, apps.DeploymentCondition{
			Type: apps.DeploymentConditionType(c.Type), Status: core.ConditionStatus(c.Status), Reason: c.Reason, Message: c.Message,
			LastUpdateTime: metav1.NewTime(c.LastUpdateTime), LastTransitionTime: metav1.NewTime(c.LastTransitionTime),
		})
	}
	return status
}

// write writes ReplicaSets and pods to the API server.
func (w *workload) write(ctx context.Context, objects *controller.Objects, d *apps.Deployment) error {
	if w.stored == nil {
		w.stored = map[string]storedObject{}
	}
	desired := map[string]bool{}
	for _, set := range w.Sets {
		desired["rs/"+set.Name] = true
		if err := writeOne(ctx, objects, w, ReplicaSets, "rs/"+set.Name, replicaSetOf(set, d)); err != nil {
			return err
		}
		for _, p := range set.Pods {
			desired["pod/"+p.Name] = true
			if err := writeOne(ctx, objects, w, Pods, "pod/"+p.Name, podOf(p, set, d, w.stored["rs/"+set.Name].uid)); err != nil {
				return err
			}
			p.UID = string(w.stored["pod/"+p.Name].uid)
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

// templateOf is the template of a ReplicaSet, with the labels of its pods.
func templateOf(set *work.ReplicaSet) core.PodTemplateSpec {
	template, ok := set.Template.Object.(*core.PodTemplateSpec)
	if !ok {
		return core.PodTemplateSpec{}
	}
	made := *template
	made.Labels = map[string]string{apps.DefaultDeploymentUniqueLabelKey: set.Template.Hash}
	for name, value := range template.Labels {
		made.Labels[name] = value
	}
	return made
}

func replicaSetOf(set *work.ReplicaSet, d *apps.Deployment) *apps.ReplicaSet {
	template := templateOf(set)
	return &apps.ReplicaSet{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: d.Namespace, Name: set.Name, Labels: template.Labels,
			Annotations:     map[string]string{annotationRevision: strconv.Itoa(set.Revision)},
			OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(d, apps.SchemeGroupVersion.WithKind("Deployment"))},
		},
		Spec: apps.ReplicaSetSpec{
			Replicas: new(int32(set.Desired)), MinReadySeconds: set.MinReady,
			Selector: &metav1.LabelSelector{MatchLabels: template.Labels}, Template: template,
		},
		Status: apps.ReplicaSetStatus{Replicas: int32(len(set.Pods)), ReadyReplicas: int32(set.Ready())},
	}
}
