package kubernetes

import (
	"fmt"
	"slices"
	"strings"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	printed "github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/kubernetes/apps"
)

func problemsOfDeployment(d *apps.Deployment) field.ErrorList {
	spec := field.NewPath("spec")
	var found field.ErrorList
	if d.Spec.Replicas != nil && *d.Spec.Replicas < 0 {
		found = append(found, field.Invalid(spec.Child("replicas"), *d.Spec.Replicas, "must be greater than or equal to 0"))
	}
	found = append(found, problemsOfStrategy(d.Spec.Strategy, spec.Child("strategy"))...)
	for i, c := range d.Spec.Template.Spec.Containers {
		at := spec.Child("template", "spec", "containers").Index(i).Child("resources")
		found = append(found, problemsOfResources(c.Resources, at)...)
	}
	return append(found, problemsOfLabels(d.Labels)...)
}

func problemsOfStrategy(strategy apps.DeploymentStrategy, at *field.Path) field.ErrorList {
	switch strategy.Type {
	case apps.RecreateDeploymentStrategyType:
		if strategy.RollingUpdate != nil {
			return field.ErrorList{field.Forbidden(at.Child("rollingUpdate"), "may not be specified when strategy `type` is 'Recreate'")}
		}
	case apps.RollingUpdateDeploymentStrategyType:
		return problemsOfRollingUpdate(strategy.RollingUpdate, at.Child("rollingUpdate"))
	default:
		shown := printed.DeploymentStrategy{Type: string(strategy.Type)}
		return field.ErrorList{field.NotSupported(at, shown, []string{"Recreate", "RollingUpdate"})}
	}
	return nil
}

func problemsOfRollingUpdate(update *apps.RollingUpdateDeployment, at *field.Path) field.ErrorList {
	found := problemsOfAmount(update.MaxUnavailable, at.Child("maxUnavailable"))
	found = append(found, problemsOfAmount(update.MaxSurge, at.Child("maxSurge"))...)
	if len(found) == 0 && isZero(update.MaxUnavailable) && isZero(update.MaxSurge) {
		found = append(found, field.Invalid(at.Child("maxUnavailable"), *update.MaxUnavailable, "may not be 0 when `maxSurge` is 0"))
	}
	return found
}

func problemsOfAmount(value *intstr.IntOrString, at *field.Path) field.ErrorList {
	if value.Type == intstr.Int {
		if value.IntVal < 0 {
			return field.ErrorList{field.Invalid(at, value.IntVal, "must be greater than or equal to 0")}
		}
		return nil
	}
	var found field.ErrorList
	for _, problem := range validation.IsValidPercent(value.StrVal) {
		found = append(found, field.Invalid(at, *value, problem))
	}
	return found
}

func isZero(value *intstr.IntOrString) bool {
	n, err := intstr.GetScaledValueFromIntOrPercent(value, 100, true)
	return err == nil && n == 0
}

// problemsOfResources validates the kinds of resources that Kuscia's pods have.
func problemsOfResources(resources core.ResourceRequirements, at *field.Path) field.ErrorList {
	var found field.ErrorList
	for _, list := range []struct {
		name   string
		values core.ResourceList
	}{{"limits", resources.Limits}, {"requests", resources.Requests}} {
		for _, name := range sortedNames(list.values) {
			here := at.Child(list.name).Key(name)
			found = append(found, problemsOfResourceName(name, here)...)
			if amount := list.values[core.ResourceName(name)]; amount.Sign() < 0 {
				found = append(found, field.Invalid(here, amount.String(), "must be greater than or equal to 0"))
			}
		}
	}
	for _, name := range sortedNames(resources.Requests) {
		request, limit := resources.Requests[core.ResourceName(name)], resources.Limits[core.ResourceName(name)]
		if _, limited := resources.Limits[core.ResourceName(name)]; limited && request.Cmp(limit) > 0 {
			found = append(found, field.Invalid(at.Child("requests"), request.String(), fmt.Sprintf("must be less than or equal to %s limit of %s", name, limit.String())))
		}
	}
	return found
}

func problemsOfResourceName(name string, at *field.Path) field.ErrorList {
	if strings.Contains(name, "/") || slices.Contains([]string{"cpu", "memory", "ephemeral-storage"}, name) || strings.HasPrefix(name, "hugepages-") {
		return nil
	}
	return field.ErrorList{
		field.Invalid(at, core.ResourceName(name), "must be a standard resource type or fully qualified"),
		field.Invalid(at, core.ResourceName(name), "must be a standard resource for containers"),
	}
}

func sortedNames(values core.ResourceList) []string {
	names := make([]string, 0, len(values))
	for name := range values {
		names = append(names, string(name))
	}
	slices.Sort(names)
	return names
}

func problemsOfLabels(labels map[string]string) field.ErrorList {
	var found field.ErrorList
	for _, value := range sortedValues(labels) {
		for _, problem := range validation.IsValidLabelValue(value) {
			found = append(found, field.Invalid(field.NewPath("metadata", "labels"), value, problem))
		}
	}
	return found
}

// sortedValues returns the distinct values of a map.
func sortedValues(labels map[string]string) []string {
	var values []string
	for _, value := range labels {
		values = append(values, value)
	}
	slices.Sort(values)
	return slices.Compact(values)
}

func problemsOfService(s *core.Service) field.ErrorList {
	var found field.ErrorList
	for _, problem := range validation.IsDNS1035Label(s.Name) {
		found = append(found, field.Invalid(field.NewPath("metadata", "name"), s.Name, problem))
	}
	found = append(found, problemsOfLabels(s.Labels)...)
	ports := field.NewPath("spec", "ports")
	for i, port := range s.Spec.Ports {
		for _, problem := range validation.IsDNS1123Label(port.Name) {
			found = append(found, field.Invalid(ports.Index(i).Child("name"), port.Name, problem))
		}
		if target := port.TargetPort; target.Type == intstr.String {
			for _, problem := range validation.IsValidPortName(target.StrVal) {
				found = append(found, field.Invalid(ports.Index(i).Child("targetPort"), target.StrVal, problem))
			}
		}
	}
	for _, value := range sortedValues(s.Spec.Selector) {
		for _, problem := range validation.IsValidLabelValue(value) {
			found = append(found, field.Invalid(field.NewPath("spec", "selector"), value, problem))
		}
	}
	return found
}
