package kruise

import (
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/kruise/v1beta1"
)

// problemsOf returns the validation errors of the webhook, in its words.
func problemsOf(rollout *v1beta1.Rollout, others []*v1beta1.Rollout) field.ErrorList {
	spec := field.NewPath("Spec")
	found := problemsOfWorkload(rollout, spec.Child("ObjectRef"))
	found = append(found, problemsOfStrategy(&rollout.Spec.Strategy, spec.Child("Strategy"))...)
	for _, other := range others {
		if other.Name != rollout.Name && other.Spec.WorkloadRef == rollout.Spec.WorkloadRef {
			found = append(found, field.Invalid(field.NewPath("Conflict Checker"), rollout.Name,
				fmt.Sprintf("This rollout conflict with Rollout(%s/%s), one workload only have less than one Rollout", other.Namespace, other.Name)))
			break
		}
	}
	return found
}

// supported are the workload kinds of a Rollout, for any version.
var supported = map[schema.GroupKind]bool{
	{Group: "apps", Kind: "Deployment"}:            true,
	{Group: "apps", Kind: "StatefulSet"}:           true,
	{Group: "apps", Kind: "DaemonSet"}:             true,
	{Group: "apps", Kind: "ReplicaSet"}:            true,
	{Group: "apps.kruise.io", Kind: "CloneSet"}:    true,
	{Group: "apps.kruise.io", Kind: "StatefulSet"}: true,
	{Group: "apps.kruise.io", Kind: "DaemonSet"}:   true,
}

func problemsOfWorkload(rollout *v1beta1.Rollout, at *field.Path) field.ErrorList {
	ref := &rollout.Spec.WorkloadRef
	kind := schema.FromAPIVersionAndKind(ref.APIVersion, ref.Kind).GroupKind()
	if !supported[kind] {
		return field.ErrorList{field.Invalid(at.Child("WorkloadRef"), ref, "WorkloadRef kind is not supported")}
	}
	if rollout.Spec.Strategy.BlueGreen != nil && kind.Kind != "Deployment" && kind.Kind != "CloneSet" {
		return field.ErrorList{field.Invalid(at.Child("WorkloadRef"), ref, "WorkloadRef kind is not supported for bluegreen style")}
	}
	return nil
}

func problemsOfStrategy(strategy *v1beta1.RolloutStrategy, at *field.Path) field.ErrorList {
	switch {
	case strategy.Canary == nil && strategy.BlueGreen == nil:
		return field.ErrorList{field.Invalid(at, nil, "Canary and BlueGreen cannot both be empty")}
	case strategy.Canary != nil && strategy.BlueGreen != nil:
		return field.ErrorList{field.Invalid(at, nil, "Canary and BlueGreen cannot both be set")}
	}
	at = at.Child("Canary")
	if strategy.BlueGreen != nil {
		at = field.NewPath("Spec", "Strategy", "BlueGreen")
	}
	found := problemsOfSteps(strategy.Steps(), strategy.Style(), at.Child("Steps"))
	if routings := strategy.Routings(); len(routings) > 1 {
		found = append(found, field.Invalid(at, routings, "Rollout currently only support single TrafficRouting."))
	}
	for _, routing := range strategy.Routings() {
		found = append(found, problemsOfRouting(routing, at.Child("TrafficRouting"))...)
	}
	return found
}

func problemsOfRouting(routing v1beta1.TrafficRoutingRef, at *field.Path) field.ErrorList {
	var found field.ErrorList
	if routing.GracePeriodSeconds < 0 {
		found = append(found, field.Invalid(at.Child("GracePeriodSeconds"), routing.Service, "TrafficRouting.GracePeriodSeconds cannot be negative"))
	}
	if routing.Service == "" {
		found = append(found, field.Invalid(at.Child("Service"), routing.Service, "TrafficRouting.Service cannot be empty"))
	}
	if routing.Gateway == nil && routing.Ingress == nil && routing.CustomNetworkRefs == nil {
		found = append(found, field.Invalid(at.Child("TrafficRoutings"), routing.Ingress, "TrafficRoutings are not set"))
	}
	if routing.Ingress != nil && routing.Ingress.Name == "" {
		found = append(found, field.Invalid(at.Child("Ingress"), routing.Ingress, "TrafficRouting.Ingress.Ingress cannot be empty"))
	}
	if routing.Gateway != nil && (routing.Gateway.HTTPRouteName == nil || *routing.Gateway.HTTPRouteName == "") {
		found = append(found, field.Invalid(at.Child("Gateway"), routing.Gateway, "TrafficRouting.Gateway must set the name of HTTPRoute or HTTPsRoute"))
	}
	return found
}

// problemsOfSteps returns the first problem only.
func problemsOfSteps(steps []v1beta1.CanaryStep, style string, at *field.Path) field.ErrorList {
	if len(steps) == 0 {
		return field.ErrorList{field.Invalid(at, steps, "The number of Canary.Steps cannot be empty")}
	}
	for i, step := range steps {
		if step.Replicas == nil {
			return field.ErrorList{field.Invalid(at.Index(i).Child("steps"), steps, "replicas cannot be empty")}
		}
		replicas, err := intstr.GetScaledValueFromIntOrPercent(step.Replicas, 100, true)
		if err != nil || replicas <= 0 || (replicas > 100 && isPercent(step)) {
			return field.ErrorList{field.Invalid(at.Index(i).Child("Replicas"), step.Replicas, `replicas must be positive number, or a percentage with "0%" < canaryReplicas <= "100%"`)}
		}
		if problem := problemOfTraffic(step, replicas, style); problem != "" {
			return field.ErrorList{field.Invalid(at.Index(i).Child("steps"), steps, problem)}
		}
	}
	for i := 1; i < len(steps); i++ {
		if isPercent(steps[i-1]) != isPercent(steps[i]) {
			continue
		}
		before, _ := intstr.GetScaledValueFromIntOrPercent(steps[i-1].Replicas, 100, true)
		after, _ := intstr.GetScaledValueFromIntOrPercent(steps[i].Replicas, 100, true)
		if after < before {
			return field.ErrorList{field.Invalid(at.Child("CanaryReplicas"), steps, "Steps.CanaryReplicas must be a non decreasing sequence")}
		}
	}
	return nil
}

func isPercent(step v1beta1.CanaryStep) bool {
	return step.Replicas.Type == intstr.String
}

// mostWithTraffic is the maximum percentage of pods in a partition release with
// traffic routing.
const mostWithTraffic = 50

func problemOfTraffic(step v1beta1.CanaryStep, replicas int, style string) string {
	if step.Traffic == nil && len(step.Matches) == 0 {
		return ""
	}
	if style == v1beta1.StylePartition && isPercent(step) && replicas > mostWithTraffic {
		return "For partition style rollout: step[x].replicas must not greater than partition-percent-limit if traffic specified"
	}
	if step.Traffic == nil {
		return ""
	}
	traffic := intstr.FromString(*step.Traffic)
	weight, err := intstr.GetScaledValueFromIntOrPercent(&traffic, 100, true)
	switch {
	case style == v1beta1.StyleBlueGreen && (err != nil || weight < 0 || weight > 100):
		return `traffic must be percentage with "0%" <= traffic <= "100%" in blueGreen strategy`
	case style != v1beta1.StyleBlueGreen && (err != nil || weight <= 0 || weight > 100):
		return `traffic must be percentage with "0%" < traffic <= "100%" in canary strategy`
	}
	return ""
}

// problemsOfUpdate returns the changes that are not allowed during a release.
func problemsOfUpdate(old, rollout *v1beta1.Rollout) field.ErrorList {
	if old.Status.Phase != phaseProgressing && old.Status.Phase != phaseTerminating {
		return nil
	}
	before, after := &old.Spec.Strategy, &rollout.Spec.Strategy
	const style = "Spec.Strategy.Canary|BlueGreen"
	switch {
	case old.Spec.WorkloadRef != rollout.Spec.WorkloadRef:
		return field.ErrorList{field.Forbidden(field.NewPath("Spec.ObjectRef"), "Rollout 'ObjectRef' field is immutable")}
	case !reflect.DeepEqual(before.Routings(), after.Routings()):
		return field.ErrorList{field.Forbidden(field.NewPath(style+".TrafficRoutings"), "Rollout 'Strategy.Canary|BlueGreen.TrafficRoutings' field is immutable")}
	case before.Style() != after.Style():
		return field.ErrorList{field.Forbidden(field.NewPath(style), "Rollout style and enableExtraWorkloadForCanary are immutable")}
	case len(before.Steps()) != len(after.Steps()):
		return field.ErrorList{field.Forbidden(field.NewPath(style), "Amount of Rollout steps are immutable")}
	}
	return nil
}
