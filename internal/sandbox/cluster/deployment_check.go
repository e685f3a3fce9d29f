package cluster

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// invalidDeployment is the error text of Kubernetes for an invalid Deployment.
func invalidDeployment(name string, complaints []string) string {
	text := complaints[0]
	if len(complaints) > 1 {
		text = "[" + strings.Join(complaints, ", ") + "]"
	}
	return fmt.Sprintf("Deployment.apps %q is invalid: %s", name, text)
}

// checkDeployment returns the validation errors of Kubernetes for a Deployment. What
// Kuscia never changes is checked only on creation.
func checkDeployment(d *objects.Deployment, created bool) []string {
	var complaints []string
	if replicas := d.Spec.Pods(); replicas < 0 {
		complaints = append(complaints, fmt.Sprintf("spec.replicas: Invalid value: %d: must be greater than or equal to 0", replicas))
	}
	complaints = append(complaints, checkStrategy(d.Spec.Strategy)...)
	containers := d.Spec.Template.Spec.Containers
	for i := range containers {
		if created {
			complaints = append(complaints, checkContainer(fmt.Sprintf("spec.template.spec.containers[%d]", i), &containers[i])...)
		}
	}
	for i := range containers {
		complaints = append(complaints, checkResources(fmt.Sprintf("spec.template.spec.containers[%d].resources", i), containers[i].Resources)...)
	}
	return complaints
}

func checkStrategy(s objects.Strategy) []string {
	if s.Type == objects.Recreate || s.RollingUpdate == nil {
		return nil
	}
	const path = "spec.strategy.rollingUpdate"
	unavailable, surge := *s.RollingUpdate.MaxUnavailable, *s.RollingUpdate.MaxSurge
	complaints := append(checkLimit(path+".maxUnavailable", unavailable), checkLimit(path+".maxSurge", surge)...)
	if isZero(unavailable) && isZero(surge) {
		complaints = append(complaints, invalid(path+".maxUnavailable", printed(unavailable), "may not be 0 when `maxSurge` is 0"))
	}
	if value, ok := percentage(unavailable); ok && value > 100 {
		complaints = append(complaints, invalid(path+".maxUnavailable", printed(unavailable), "must not be greater than 100%"))
	}
	return complaints
}

func checkLimit(path string, limit intstr.IntOrString) []string {
	if limit.Type == intstr.Int {
		if limit.IntVal < 0 {
			return []string{invalid(path, printed(limit), "must be greater than or equal to 0")}
		}
		return nil
	}
	if problems := validation.IsValidPercent(limit.StrVal); len(problems) > 0 {
		return []string{invalid(path, printed(limit), problems[0])}
	}
	return nil
}

func invalid(path, value, problem string) string {
	return fmt.Sprintf("%s: Invalid value: %s: %s", path, value, problem)
}

// printed is the Go syntax of the value, which the server prints.
func printed(limit intstr.IntOrString) string { return fmt.Sprintf("%#v", limit) }

func percentage(limit intstr.IntOrString) (int, bool) {
	if limit.Type != intstr.String || len(validation.IsValidPercent(limit.StrVal)) > 0 {
		return 0, false
	}
	var value int
	if _, err := fmt.Sscanf(limit.StrVal, "%d%%", &value); err != nil {
		return 0, false
	}
	return value, true
}

func isZero(limit intstr.IntOrString) bool {
	if limit.Type == intstr.Int {
		return limit.IntVal == 0
	}
	value, ok := percentage(limit)
	return !ok || value == 0
}

func checkResources(path string, r objects.Resources) []string {
	var complaints []string
	names := []string{"cpu", "memory"}
	for _, side := range []struct {
		name    string
		amounts map[string]resource.Quantity
	}{{"limits", r.Limits}, {"requests", r.Requests}} {
		for _, name := range names {
			if amount, ok := side.amounts[name]; ok && amount.Sign() < 0 {
				complaints = append(complaints, fmt.Sprintf("%s.%s[%s]: Invalid value: %q: must be greater than or equal to 0",
					path, side.name, name, amount.String()))
			}
		}
	}
	for _, name := range names {
		request, ok := r.Requests[name]
		limit, limited := r.Limits[name]
		if ok && limited && request.Cmp(limit) > 0 {
			complaints = append(complaints, fmt.Sprintf("%s.requests: Invalid value: %q: must be less than or equal to %s limit of %s",
				path, request.String(), name, limit.String()))
		}
	}
	return complaints
}
