package validation

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// invalid are the problems of a value.
func invalid(at *field.Path, value any, problems []string) (found field.ErrorList) {
	for _, problem := range problems {
		found = append(found, field.Invalid(at, value, problem))
	}
	return found
}

func notNegative[T int32 | int64](at *field.Path, value T) field.ErrorList {
	if value < 0 {
		return field.ErrorList{field.Invalid(at, value, "must be greater than or equal to 0")}
	}
	return nil
}

// Deployment returns the problems of a Deployment.
func Deployment(d *objects.Deployment) field.ErrorList {
	spec := field.NewPath("spec")
	found := append(notNegative(spec.Child("replicas"), d.Spec.Pods()), strategy(spec.Child("strategy"), d.Spec.Strategy)...)
	containers, at := d.Spec.Template.Spec.Containers, spec.Child("template", "spec", "containers")
	for i := range containers {
		found = append(found, container(at.Index(i), &containers[i])...)
	}
	for i := range containers {
		found = append(found, resources(at.Index(i).Child("resources"), containers[i].Resources)...)
	}
	return append(found, labels(d.Meta.Labels)...)
}

// unsupported is a type of strategy, printed as the strategy that has it.
type unsupported string

// GoString implements fmt.GoStringer.
func (u unsupported) GoString() string {
	return fmt.Sprintf("apps.DeploymentStrategy{Type:%q, RollingUpdate:(*apps.RollingUpdateDeployment)(nil)}", string(u))
}

// strategy accepts what is missing, for which Kubernetes has defaults.
func strategy(at *field.Path, s objects.Strategy) field.ErrorList {
	switch s.Type {
	case objects.Recreate:
		if s.RollingUpdate != nil {
			return field.ErrorList{field.Forbidden(at.Child("rollingUpdate"), "may not be specified when strategy `type` is 'Recreate'")}
		}
	case "", objects.RollingUpdate:
		if s.RollingUpdate != nil {
			return rollingUpdate(at.Child("rollingUpdate"), *s.RollingUpdate)
		}
	default:
		return field.ErrorList{field.NotSupported(at, unsupported(s.Type), []string{objects.Recreate, objects.RollingUpdate})}
	}
	return nil
}

func rollingUpdate(at *field.Path, bounds objects.Bounds) field.ErrorList {
	unavailable, surge := bounds.MaxUnavailable, bounds.MaxSurge
	found := append(limit(at.Child("maxUnavailable"), unavailable), limit(at.Child("maxSurge"), surge)...)
	if isZero(unavailable) && isZero(surge) {
		found = append(found, field.Invalid(at.Child("maxUnavailable"), *unavailable, "may not be 0 when `maxSurge` is 0"))
	}
	if value, ok := percentage(unavailable); ok && value > 100 {
		found = append(found, field.Invalid(at.Child("maxUnavailable"), *unavailable, "must not be greater than 100%"))
	}
	return found
}

func limit(at *field.Path, value *intstr.IntOrString) field.ErrorList {
	switch {
	case value == nil:
		return nil
	case value.Type == intstr.Int:
		return notNegative(at, value.IntVal)
	}
	return invalid(at, *value, validation.IsValidPercent(value.StrVal))
}

func percentage(limit *intstr.IntOrString) (value int, ok bool) {
	if limit == nil || limit.Type != intstr.String || len(validation.IsValidPercent(limit.StrVal)) > 0 {
		return 0, false
	}
	_, err := fmt.Sscanf(limit.StrVal, "%d%%", &value)
	return value, err == nil
}

// isZero is true for a text that is no percentage, too.
func isZero(limit *intstr.IntOrString) bool {
	if limit == nil || limit.Type == intstr.Int {
		return limit != nil && limit.IntVal == 0
	}
	value, ok := percentage(limit)
	return !ok || value == 0
}

// resourceName is printed without quotes.
type resourceName string

// String implements fmt.Stringer.
func (n resourceName) String() string { return string(n) }

func resources(at *field.Path, r objects.Resources) (found field.ErrorList) {
	for _, list := range []struct {
		name    string
		amounts map[string]resource.Quantity
	}{{"limits", r.Limits}, {"requests", r.Requests}} {
		for _, name := range slices.Sorted(maps.Keys(list.amounts)) {
			here := at.Child(list.name).Key(name)
			if !strings.Contains(name, "/") && !slices.Contains([]string{"cpu", "memory", "ephemeral-storage"}, name) && !strings.HasPrefix(name, "hugepages-") {
				found = append(found, invalid(here, resourceName(name), []string{"must be a standard resource type or fully qualified", "must be a standard resource for containers"})...)
			}
			if amount := list.amounts[name]; amount.Sign() < 0 {
				found = append(found, field.Invalid(here, amount.String(), "must be greater than or equal to 0"))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.Requests)) {
		request := r.Requests[name]
		if limit, limited := r.Limits[name]; limited && request.Cmp(limit) > 0 {
			found = append(found, field.Invalid(at.Child("requests"), request.String(), fmt.Sprintf("must be less than or equal to %s limit of %s", name, limit.String())))
		}
	}
	return found
}

// labels reports each value once.
func labels(with map[string]string) field.ErrorList {
	return labelValues(field.NewPath("metadata", "labels"), with)
}

func labelValues(at *field.Path, with map[string]string) (found field.ErrorList) {
	for _, value := range slices.Compact(slices.Sorted(maps.Values(with))) {
		found = append(found, invalid(at, value, validation.IsValidLabelValue(value))...)
	}
	return found
}

// Service returns the problems of a Service.
func Service(s *objects.Service) field.ErrorList {
	found := invalid(field.NewPath("metadata", "name"), s.Meta.Name, validation.IsDNS1035Label(s.Meta.Name))
	found = append(found, labels(s.Meta.Labels)...)
	for i, port := range s.Spec.Ports {
		at := field.NewPath("spec", "ports").Index(i)
		if port.Name != "" {
			found = append(found, invalid(at.Child("name"), port.Name, validation.IsDNS1123Label(port.Name))...)
		}
		found = append(found, portName(at.Child("targetPort"), port.TargetPort)...)
	}
	return append(found, labelValues(field.NewPath("spec", "selector"), s.Spec.Selector)...)
}

// portName does not check a number.
func portName(at *field.Path, port intstr.IntOrString) field.ErrorList {
	if port.Type != intstr.String {
		return nil
	}
	return invalid(at, port.StrVal, validation.IsValidPortName(port.StrVal))
}
