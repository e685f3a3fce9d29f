package kubernetes

import (
	"encoding/json"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// withDefaults sets Kubernetes' defaults of a Deployment with strategy
// RollingUpdate or no strategy, and of its containers.
func withDefaults(object *unstructured.Unstructured) error {
	before, found, err := unstructured.NestedMap(object.Object, "spec")
	if err != nil || !found {
		return err
	}
	var spec apps.DeploymentSpec
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(before, &spec); err != nil {
		return nil //nolint:nilerr // the schema validation reports the error
	}
	DefaultStrategy(&spec.Strategy)
	pod := &spec.Template.Spec
	setDefault(&pod.RestartPolicy, core.RestartPolicyAlways)
	setDefault(&pod.DNSPolicy, core.DNSClusterFirst)
	setDefault(&pod.SchedulerName, core.DefaultSchedulerName)
	if pod.TerminationGracePeriodSeconds == nil {
		pod.TerminationGracePeriodSeconds = new(int64(core.DefaultTerminationGracePeriodSeconds))
	}
	if pod.SecurityContext == nil {
		pod.SecurityContext = &core.PodSecurityContext{}
	}
	for i := range pod.Containers {
		c := &pod.Containers[i]
		setDefault(&c.TerminationMessagePath, core.TerminationMessagePathDefault)
		setDefault(&c.TerminationMessagePolicy, core.TerminationMessageReadFile)
		setDefault(&c.ImagePullPolicy, core.PullIfNotPresent)
		for j := range c.Ports {
			setDefault(&c.Ports[j].Protocol, core.ProtocolTCP)
		}
		roundUp(c.Resources.Requests)
		roundUp(c.Resources.Limits)
	}
	return setSpec(object, spec)
}

// roundUp rounds amounts to thousandths.
func roundUp(amounts core.ResourceList) {
	for name, amount := range amounts {
		amount.RoundUp(resource.Milli)
		amounts[name] = amount
	}
}

// setSpec uses JSON, so that numbers have the types that the API server
// expects.
func setSpec(object *unstructured.Unstructured, spec apps.DeploymentSpec) error {
	text, err := json.Marshal(spec)
	if err != nil {
		return err
	}
	after := &unstructured.Unstructured{}
	if err := after.UnmarshalJSON([]byte(`{"apiVersion":"v1","kind":"x","spec":` + string(text) + `}`)); err != nil {
		return err
	}
	object.Object["spec"] = after.Object["spec"]
	return nil
}

// DefaultStrategy sets the defaults of the strategy of a Deployment.
func DefaultStrategy(strategy *apps.DeploymentStrategy) {
	setDefault(&strategy.Type, apps.RollingUpdateDeploymentStrategyType)
	if strategy.Type != apps.RollingUpdateDeploymentStrategyType {
		return
	}
	if strategy.RollingUpdate == nil {
		strategy.RollingUpdate = &apps.RollingUpdateDeployment{}
	}
	quarter := intstr.FromString("25%")
	if strategy.RollingUpdate.MaxUnavailable == nil {
		strategy.RollingUpdate.MaxUnavailable = &quarter
	}
	if strategy.RollingUpdate.MaxSurge == nil {
		strategy.RollingUpdate.MaxSurge = &quarter
	}
}

func setDefault[T comparable](value *T, otherwise T) {
	var zero T
	if *value == zero {
		*value = otherwise
	}
}
