package rules

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// The attributes with the resources of a party.
const (
	AttrResources          = "resources"
	AttrContainerResources = "container_resources"
)

// Resources are the resources of a party: values for all containers, and values
// for named ones, which take precedence. The zero value is left out.
type Resources struct {
	Common ContainerResources
	// Named is nil if container_resources is null.
	Named        map[string]ContainerResources
	NamedUnknown bool
}

// ContainerResources are resources of one or of all containers.
type ContainerResources struct {
	State                                attr.ValueState
	MinCPU, MaxCPU, MinMemory, MaxMemory types.String
}

// Amount is one of the values of a container.
type Amount struct {
	// Name is its attribute, Of the resource.
	Name, Of string
	Value    types.String
}

// Fields are the values in the order of their attributes.
func (r ContainerResources) Fields() []Amount {
	return []Amount{
		{"min_cpu", tfvalue.CPU, r.MinCPU}, {"max_cpu", tfvalue.CPU, r.MaxCPU},
		{"min_memory", tfvalue.Memory, r.MinMemory}, {"max_memory", tfvalue.Memory, r.MaxMemory},
	}
}

// Equal reports whether resources are identical.
func (r Resources) Equal(other Resources) bool {
	return r.Common == other.Common && r.NamedUnknown == other.NamedUnknown &&
		(r.NamedUnknown || (r.Named == nil) == (other.Named == nil) && maps.Equal(r.Named, other.Named))
}

// Known reports whether no value is unknown.
func (r Resources) Known() bool {
	for _, item := range r.Named {
		if !item.Known() {
			return false
		}
	}
	return !r.NamedUnknown && r.Common.Known()
}

// ContainersKnown reports whether it is known which containers have values.
func (r Resources) ContainersKnown() bool {
	for _, item := range r.Named {
		if item.State == attr.ValueStateUnknown {
			return false
		}
	}
	return !r.NamedUnknown && r.Common.State != attr.ValueStateUnknown
}

// Known reports whether no value is unknown.
func (r ContainerResources) Known() bool {
	return r.State != attr.ValueStateUnknown && !r.MinCPU.IsUnknown() && !r.MaxCPU.IsUnknown() &&
		!r.MinMemory.IsUnknown() && !r.MaxMemory.IsUnknown()
}

// AttributeOf returns the attribute that has the values of a container.
func (r Resources) AttributeOf(container string) string {
	if _, named := r.Named[container]; named {
		return AttrContainerResources
	}
	return AttrResources
}

// Amounts are the four values of one container; "" means not set.
type Amounts struct{ MinCPU, MaxCPU, MinMemory, MaxMemory string }

// Empty reports whether nothing is set. Kuscia v1.1 drops the resources of a
// whole party when one container ends up empty.
func (a Amounts) Empty() bool { return a == Amounts{} }

// HasRequests and HasLimits report which side Kuscia stores; adding a first
// value to a side that is not stored crashes its handler (v1.1).
func (a Amounts) HasRequests() bool { return a.MinCPU != "" || a.MinMemory != "" }

// HasLimits is the same for limits.
func (a Amounts) HasLimits() bool { return a.MaxCPU != "" || a.MaxMemory != "" }

// Equal reports whether all four values are equivalent.
func (a Amounts) Equal(b Amounts) bool {
	return tfvalue.QuantityEqual(a.MinCPU, b.MinCPU) && tfvalue.QuantityEqual(a.MaxCPU, b.MaxCPU) &&
		tfvalue.QuantityEqual(a.MinMemory, b.MinMemory) && tfvalue.QuantityEqual(a.MaxMemory, b.MaxMemory)
}

// overlay returns a completed with the values of b.
func (a Amounts) overlay(b Amounts) Amounts {
	return a.each(b, func(own, other string) string { return cmp.Or(own, other) })
}

// each returns the values that a function makes of those of a and b.
func (a Amounts) each(b Amounts, of func(a, b string) string) Amounts {
	return Amounts{
		MinCPU: of(a.MinCPU, b.MinCPU), MaxCPU: of(a.MaxCPU, b.MaxCPU),
		MinMemory: of(a.MinMemory, b.MinMemory), MaxMemory: of(a.MaxMemory, b.MaxMemory),
	}
}

// Amounts returns the values; unknown ones are left out.
func (r ContainerResources) Amounts() Amounts {
	return Amounts{
		MinCPU: r.MinCPU.ValueString(), MaxCPU: r.MaxCPU.ValueString(),
		MinMemory: r.MinMemory.ValueString(), MaxMemory: r.MaxMemory.ValueString(),
	}
}

// SetsNothing reports whether all values are left out.
func (r ContainerResources) SetsNothing() bool {
	return r.MinCPU.IsNull() && r.MaxCPU.IsNull() && r.MinMemory.IsNull() && r.MaxMemory.IsNull()
}

// ResourceSpec are resources as Kuscia interprets them: values for all
// containers, and values for named containers that take precedence field by
// field.
type ResourceSpec struct {
	common Amounts
	named  map[string]Amounts
}

// Spec returns the values of known resources.
func (r Resources) Spec() ResourceSpec {
	spec := ResourceSpec{common: r.Common.Amounts(), named: make(map[string]Amounts, len(r.Named))}
	for name, item := range r.Named {
		spec.named[name] = item.Amounts()
	}
	return spec
}

// IsSet reports whether the spec sets any value.
func (s ResourceSpec) IsSet() bool {
	if !s.common.Empty() {
		return true
	}
	for _, a := range s.named {
		if !a.Empty() {
			return true
		}
	}
	return false
}

// ForContainer returns the values for one container.
func (s ResourceSpec) ForContainer(container string) Amounts {
	return s.named[container].overlay(s.common)
}

// Names returns the containers that the spec names, sorted.
func (s ResourceSpec) Names() []string {
	names := make([]string, 0, len(s.named))
	for name, a := range s.named {
		if !a.Empty() {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Equal reports whether two specs have the same values for each of the given
// containers and for each container that either of them names. Without
// containers the general parts have to be equal as well.
func (s ResourceSpec) Equal(other ResourceSpec, containers []string) bool {
	if len(containers) == 0 && !s.common.Equal(other.common) {
		return false
	}
	for _, names := range [][]string{containers, s.Names(), other.Names()} {
		for _, name := range names {
			if !s.ForContainer(name).Equal(other.ForContainer(name)) {
				return false
			}
		}
	}
	return true
}

// SameResources reports whether known resources are equivalent for a party with
// the given stored containers (empty: unknown).
func SameResources(a, b Resources, containers []string) bool {
	return a.Spec().Equal(b.Spec(), containers)
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

// DescribeContainer names a container in a message.
func DescribeContainer(name string) string {
	if name == "" {
		return "all containers"
	}
	return fmt.Sprintf("container %q", name)
}

// Pending returns the fields of a container whose planned amount is unknown.
func (r Resources) Pending(container string) map[string]bool {
	named := r.Named[container]
	pending := map[string]bool{}
	for field, values := range map[string][2]types.String{
		"min_cpu": {named.MinCPU, r.Common.MinCPU}, "max_cpu": {named.MaxCPU, r.Common.MaxCPU},
		"min_memory": {named.MinMemory, r.Common.MinMemory}, "max_memory": {named.MaxMemory, r.Common.MaxMemory},
	} {
		pending[field] = values[0].IsUnknown() || values[0].IsNull() && values[1].IsUnknown()
	}
	return pending
}

// ChangedFrom returns the values of a that differ from b.
func (a Amounts) ChangedFrom(b Amounts) Amounts {
	return a.each(b, func(now, then string) string {
		if tfvalue.QuantityEqual(now, then) {
			return ""
		}
		return now
	})
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
