package cluster

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// InvalidDeployment is the error text of Kubernetes for an invalid Deployment.
func InvalidDeployment(name string, complaints []string) string {
	text := complaints[0]
	if len(complaints) > 1 {
		text = "[" + strings.Join(complaints, ", ") + "]"
	}
	return fmt.Sprintf("Deployment.apps %q is invalid: %s", name, text)
}

// CheckDeployment returns the validation errors of Kubernetes for a Deployment.
// Immutable parts are checked only on creation, when a template is given.
func CheckDeployment(d *Deployment, template *kuscia.DeployTemplate) []string {
	var complaints []string
	if d.Replicas < 0 {
		complaints = append(complaints, fmt.Sprintf("spec.replicas: Invalid value: %d: must be greater than or equal to 0", d.Replicas))
	}
	complaints = append(complaints, checkStrategy(d.Strategy)...)
	if template != nil {
		for i, container := range template.Containers {
			path := fmt.Sprintf("spec.template.spec.containers[%d]", i)
			complaints = append(complaints, checkContainer(path, container)...)
			if strings.TrimSpace(d.Template.Image) != d.Template.Image {
				complaints = append(complaints, fmt.Sprintf("%s.image: Invalid value: %q: must not have leading or trailing whitespace", path, d.Template.Image))
			}
		}
	}
	for i, container := range d.Template.Containers {
		path := fmt.Sprintf("spec.template.spec.containers[%d].resources", i)
		complaints = append(complaints, checkResources(path, container)...)
	}
	return complaints
}

func checkStrategy(s kuscia.UpdateStrategy) []string {
	if s.Type == kuscia.StrategyRecreate {
		return nil
	}
	const path = "spec.strategy.rollingUpdate"
	unavailable, surge := intstr.Parse(s.MaxUnavailable), intstr.Parse(s.MaxSurge)
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

func checkResources(path string, r kuscia.Resource) []string {
	var complaints []string
	for _, side := range []struct{ name, cpu, memory string }{
		{"limits", r.MaxCPU, r.MaxMemory}, {"requests", r.MinCPU, r.MinMemory},
	} {
		for _, field := range []struct{ name, value string }{{"cpu", side.cpu}, {"memory", side.memory}} {
			if parsed, ok := parsedQuantity(field.value); ok && parsed.Sign() < 0 {
				complaints = append(complaints, fmt.Sprintf("%s.%s[%s]: Invalid value: %q: must be greater than or equal to 0",
					path, side.name, field.name, field.value))
			}
		}
	}
	for _, field := range []struct{ name, request, limit string }{
		{"cpu", r.MinCPU, r.MaxCPU}, {"memory", r.MinMemory, r.MaxMemory},
	} {
		request, ok := parsedQuantity(field.request)
		limit, limited := parsedQuantity(field.limit)
		if ok && limited && request.Cmp(limit) > 0 {
			complaints = append(complaints, fmt.Sprintf("%s.requests: Invalid value: %q: must be less than or equal to %s limit of %s",
				path, field.request, field.name, field.limit))
		}
	}
	return complaints
}

func parsedQuantity(text string) (resource.Quantity, bool) {
	if text == "" {
		return resource.Quantity{}, false
	}
	parsed, err := resource.ParseQuantity(text)
	return parsed, err == nil
}
