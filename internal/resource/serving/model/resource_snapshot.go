package model

import (
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// ResourceSnapshot has the amounts of each container, in thousandths, and 0 for
// unset ones. Kubernetes rounds up to thousandths in a Deployment; such a
// difference is not a change.
type ResourceSnapshot map[string][4]int64

// SnapshotOf returns the snapshot of a server's response.
func SnapshotOf(response []kuscia.Resource) ResourceSnapshot {
	f := make(ResourceSnapshot, len(response))
	for _, r := range response {
		f[r.ContainerName] = [4]int64{thousandths(r.MinCPU), thousandths(r.MaxCPU), thousandths(r.MinMemory), thousandths(r.MaxMemory)}
	}
	return f
}

func thousandths(text string) int64 {
	amount, err := tfvalue.ParseQuantity(text)
	if err != nil {
		return 0
	}
	return amount.MilliValue()
}

// TemplateResources returns the resources in a deploy template.
func TemplateResources(template *kuscia.DeployTemplate) []kuscia.Resource {
	resources := make([]kuscia.Resource, len(template.Containers))
	for i := range template.Containers {
		resources[i] = WithImageDefaults(Amounts{}, template.Containers[i].Resources).Wire(template.Containers[i].Name)
	}
	return resources
}
