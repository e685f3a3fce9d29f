package model

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// ResourceList is the decoded resources list.
type ResourceList struct {
	Unknown, Null bool
	Items         []ContainerResources
}

// ContainerResources is one element of resources; an empty container name means
// all containers.
type ContainerResources struct {
	Unknown                              bool
	Container                            types.String
	MinCPU, MaxCPU, MinMemory, MaxMemory tfvalue.Quantity
}

// Equal reports whether two lists are identical.
func (l ResourceList) Equal(other ResourceList) bool {
	if l.Unknown || other.Unknown || l.Null || other.Null {
		return l.Unknown == other.Unknown && (l.Unknown || l.Null == other.Null)
	}
	return slices.EqualFunc(l.Items, other.Items, ContainerResources.equal)
}

func (r ContainerResources) equal(other ContainerResources) bool {
	return r == other || r.Unknown && other.Unknown
}

// Known reports whether nothing in the list is unknown.
func (l ResourceList) Known() bool {
	if l.Unknown {
		return false
	}
	for _, item := range l.Items {
		if !item.Known() {
			return false
		}
	}
	return true
}

// Known reports whether nothing in the element is unknown.
func (r ContainerResources) Known() bool {
	return !r.Unknown && !r.Container.IsUnknown() && !r.MinCPU.IsUnknown() && !r.MaxCPU.IsUnknown() &&
		!r.MinMemory.IsUnknown() && !r.MaxMemory.IsUnknown()
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
	return Amounts{
		MinCPU: cmp.Or(a.MinCPU, b.MinCPU), MaxCPU: cmp.Or(a.MaxCPU, b.MaxCPU),
		MinMemory: cmp.Or(a.MinMemory, b.MinMemory), MaxMemory: cmp.Or(a.MaxMemory, b.MaxMemory),
	}
}

// Amounts returns the values of a known element.
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

// ResourceSpec is a resources list as Kuscia interprets it: values for all
// containers, and values for named containers that take precedence field by
// field.
type ResourceSpec struct {
	common Amounts
	named  map[string]Amounts
}

// Spec reads a known list. Of two entries for the same container the last one
// counts, as on the server; validation rejects such lists anyway.
func (l ResourceList) Spec() ResourceSpec {
	spec := ResourceSpec{named: map[string]Amounts{}}
	for _, item := range l.Items {
		if name := item.Container.ValueString(); name == "" {
			spec.common = item.Amounts()
		} else {
			spec.named[name] = item.Amounts()
		}
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

// SameResources reports whether two known lists are equivalent for a party with
// the given stored containers (empty: unknown).
func SameResources(a, b ResourceList, containers []string) bool {
	return a.Spec().Equal(b.Spec(), containers)
}

// QuantityOrNull returns a quantity; "" becomes null.
func QuantityOrNull(text string) tfvalue.Quantity {
	if text == "" {
		return tfvalue.NewQuantityNull()
	}
	return tfvalue.NewQuantityValue(text)
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
func (s ResourceSpec) Pending(list ResourceList, container string) map[string]bool {
	var pending map[string]bool
	for _, item := range list.Items {
		name := item.Container.ValueString()
		if name != container && (name != "" || item.Unknown) {
			continue
		}
		for field, value := range map[string]tfvalue.Quantity{
			"min_cpu": item.MinCPU, "max_cpu": item.MaxCPU, "min_memory": item.MinMemory, "max_memory": item.MaxMemory,
		} {
			if value.IsUnknown() {
				if pending == nil {
					pending = map[string]bool{}
				}
				pending[field] = true
			}
		}
	}
	return pending
}

// ChangedFrom returns the values of a that differ from b.
func (a Amounts) ChangedFrom(b Amounts) Amounts {
	keep := func(now, then string) string {
		if tfvalue.QuantityEqual(now, then) {
			return ""
		}
		return now
	}
	return Amounts{
		MinCPU: keep(a.MinCPU, b.MinCPU), MaxCPU: keep(a.MaxCPU, b.MaxCPU),
		MinMemory: keep(a.MinMemory, b.MinMemory), MaxMemory: keep(a.MaxMemory, b.MaxMemory),
	}
}
