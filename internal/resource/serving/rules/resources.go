package rules

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// Resources are a view of the resources of a party: values for all containers, and values
// for named ones, which take precedence. The zero value is left out.
type Resources struct{ common, named definition.Value }

// Common are the values for all containers.
func (r Resources) Common() ContainerResources {
	return ContainerResources{definition.ViewOf(r.common)}
}

// Named are the values for a container, and whether it has any.
func (r Resources) Named(container string) (values ContainerResources, ok bool) {
	value, ok := definition.FieldsOf(r.named)[container]
	return ContainerResources{definition.ViewOf(value)}, ok
}

// ContainerNames are the names of the containers with values of their own, sorted.
func (r Resources) ContainerNames() []string {
	return slices.Sorted(maps.Keys(definition.FieldsOf(r.named)))
}

// WithCommon returns the resources with other values for all containers.
func (r Resources) WithCommon(values ContainerResources) Resources {
	r.common = values.Value()
	return r
}

// WithContainer returns the resources with other values of a container.
func (r Resources) WithContainer(container string, values ContainerResources) Resources {
	named := maps.Clone(definition.FieldsOf(r.named))
	if named == nil {
		named = map[string]definition.Value{}
	}
	named[container] = values.Value()
	r.named = amountsDefinition.MapOf(named)
	return r
}

// ContainerResources are a view of the resources of one or of all containers.
type ContainerResources struct{ definition.View }

// Amount is one of the values of a container.
type Amount struct {
	// Name is its attribute, Of the resource.
	Name, Of string
	Value    types.String
}

// Fields are the values in the order of their attributes.
func (r ContainerResources) Fields() []Amount {
	return []Amount{
		{"min_cpu", tfvalue.CPU, r.String("min_cpu")}, {"max_cpu", tfvalue.CPU, r.String("max_cpu")},
		{"min_memory", tfvalue.Memory, r.String("min_memory")}, {"max_memory", tfvalue.Memory, r.String("max_memory")},
	}
}

// Equal reports whether resources are identical.
func (r Resources) Equal(other Resources) bool {
	return definition.Equal(r.common, other.common) && definition.Equal(r.named, other.named)
}

// Known reports whether no value is unknown.
func (r Resources) Known() bool { return r.common.IsFullyKnown() && r.named.IsFullyKnown() }

// ContainersKnown reports whether it is known which containers have values.
func (r Resources) ContainersKnown() bool {
	for _, item := range definition.FieldsOf(r.named) {
		if !item.IsKnown() {
			return false
		}
	}
	return r.named.IsKnown() && r.common.IsKnown()
}

// Known reports whether no value is unknown.
func (r ContainerResources) Known() bool { return r.Value().IsFullyKnown() }

// AttributeOf returns the attribute that has the values of a container.
func (r Resources) AttributeOf(container string) string {
	if _, named := r.Named(container); named {
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
	text := func(name string) string { return definition.StringOf(r.At(name)) }
	return Amounts{MinCPU: text("min_cpu"), MaxCPU: text("max_cpu"), MinMemory: text("min_memory"), MaxMemory: text("max_memory")}
}

// SetsNothing reports whether all values are left out.
func (r ContainerResources) SetsNothing() bool {
	return !slices.ContainsFunc(r.Fields(), func(a Amount) bool { return !a.Value.IsNull() })
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
	named := definition.FieldsOf(r.named)
	spec := ResourceSpec{common: r.Common().Amounts(), named: make(map[string]Amounts, len(named))}
	for name, item := range named {
		spec.named[name] = ContainerResources{definition.ViewOf(item)}.Amounts()
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

// DescribeContainer names a container in a message.
func DescribeContainer(name string) string {
	if name == "" {
		return "all containers"
	}
	return fmt.Sprintf("container %q", name)
}

// Pending returns the fields of a container whose planned amount is unknown.
func (r Resources) Pending(container string) map[string]bool {
	if r.Known() {
		return nil
	}
	named, _ := r.Named(container)
	own, pending := named.Fields(), map[string]bool{}
	for i, common := range r.Common().Fields() {
		pending[common.Name] = own[i].Value.IsUnknown() || own[i].Value.IsNull() && common.Value.IsUnknown()
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
