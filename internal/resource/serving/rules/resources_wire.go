package rules

import (
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// Wire returns the resources as they are sent; nil if they set nothing, which
// the server would otherwise interpret as a list of empty values.
func (r Resources) Wire() (resources []kuscia.Resource) {
	if !r.Spec().IsSet() {
		return nil
	}
	if common := r.Common().Amounts(); !common.Empty() {
		resources = append(resources, common.Wire(""))
	}
	for _, name := range r.ContainerNames() {
		values, _ := r.Named(name)
		resources = append(resources, values.Amounts().Wire(name))
	}
	return resources
}

// AmountsOf returns the values of a container in a server's response.
func AmountsOf(r kuscia.Resource) Amounts {
	return Amounts{MinCPU: r.MinCPU, MaxCPU: r.MaxCPU, MinMemory: r.MinMemory, MaxMemory: r.MaxMemory}
}

// Wire returns the values for a container in Kuscia's form.
func (a Amounts) Wire(container string) kuscia.Resource {
	return kuscia.Resource{
		ContainerName: container,
		MinCPU:        a.MinCPU, MaxCPU: a.MaxCPU, MinMemory: a.MinMemory, MaxMemory: a.MaxMemory,
	}
}

// Resources returns the values in the form of the configuration.
func (a Amounts) Resources() ContainerResources {
	tree := definition.Tree{}
	for name, amount := range map[string]string{"min_cpu": a.MinCPU, "max_cpu": a.MaxCPU, "min_memory": a.MinMemory, "max_memory": a.MaxMemory} {
		if amount != "" {
			tree[name] = amount
		}
	}
	return ContainerResources{definition.ViewOf(amountsDefinition.Encode(tree))}
}

// ObservedResources returns the server's response, with an entry for each
// container that has a value.
func ObservedResources(response []kuscia.Resource) (observed Resources) {
	for _, r := range response {
		if amounts := AmountsOf(r); !amounts.Empty() {
			observed = observed.WithContainer(r.ContainerName, amounts.Resources())
		}
	}
	return observed
}

// observedSpec returns the values in the server's response.
func observedSpec(response []kuscia.Resource) ResourceSpec {
	spec := ResourceSpec{named: make(map[string]Amounts, len(response))}
	for _, r := range response {
		if amounts := AmountsOf(r); !amounts.Empty() {
			spec.named[r.ContainerName] = amounts
		}
	}
	return spec
}

// ObservedLike returns the server's response in the form that the state has, as
// long as that has only values for all containers and all still have the same: a
// difference is then beside the configured value.
func ObservedLike(form Resources, response []kuscia.Resource) Resources {
	if form.named.IsNull() && len(response) > 0 {
		common := AmountsOf(response[0])
		if !common.Empty() && !slices.ContainsFunc(response, func(r kuscia.Resource) bool { return !common.Equal(AmountsOf(r)) }) {
			return Resources{}.WithCommon(ContainerResources{amountsDefinition.WithSpelling(common.Resources().View, form.Common().View)})
		}
	}
	return ObservedResources(response)
}

// ResponseContainers returns the container names in the server's response.
func ResponseContainers(response []kuscia.Resource) []string {
	names := make([]string, len(response))
	for i, r := range response {
		names[i] = r.ContainerName
	}
	return names
}

// refreshResources keeps the configured form as long as the response, which has
// one entry for each container, equals its expansion. If no resources are
// configured, the response has those of the app image and is ignored. Containers
// for which Kuscia stores nothing are those of a newer app image; they never run
// on this serving.
func refreshResources(old Party, response []kuscia.Resource, private Private) Resources {
	desired := old.Resources().Spec()
	if !desired.IsSet() {
		return old.Resources()
	}
	relevant := response
	if stored := private.ContainersOf(old.Key()); len(stored) > 0 {
		relevant = slices.DeleteFunc(slices.Clone(response), func(r kuscia.Resource) bool { return !slices.Contains(stored, r.ContainerName) })
	}
	if desired.Equal(observedSpec(relevant), ResponseContainers(relevant)) {
		return old.Resources()
	}
	return ObservedLike(old.Resources(), relevant)
}

// WithImageDefaults returns the values that a container gets: Kuscia v1.1
// replaces the app image's requests as a block, and its limits as a block.
func WithImageDefaults(set Amounts, defaults *kuscia.ResourceRequirements) Amounts {
	if defaults == nil {
		return set
	}
	if !set.HasRequests() && defaults.Requests != nil {
		set.MinCPU, set.MinMemory = defaults.Requests.CPU, defaults.Requests.Memory
	}
	if !set.HasLimits() && defaults.Limits != nil {
		set.MaxCPU, set.MaxMemory = defaults.Limits.CPU, defaults.Limits.Memory
	}
	return set
}

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
