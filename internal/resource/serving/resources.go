package serving

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// amounts are the four values of one container; "" means not set.
type amounts struct{ minCPU, maxCPU, minMemory, maxMemory string }

// empty reports whether nothing is set. Kuscia v1.1 drops the resources of a
// whole party when one container ends up empty.
func (a amounts) empty() bool { return a == amounts{} }

// hasRequests and hasLimits tell which side Kuscia stores; adding a first
// value to a side that is not stored crashes its handler (v1.1).
func (a amounts) hasRequests() bool { return a.minCPU != "" || a.minMemory != "" }
func (a amounts) hasLimits() bool   { return a.maxCPU != "" || a.maxMemory != "" }

func (a amounts) equal(b amounts) bool {
	return tfvalue.QuantityEqual(a.minCPU, b.minCPU) && tfvalue.QuantityEqual(a.maxCPU, b.maxCPU) &&
		tfvalue.QuantityEqual(a.minMemory, b.minMemory) && tfvalue.QuantityEqual(a.maxMemory, b.maxMemory)
}

// over lays a over b: what a does not set comes from b.
func (a amounts) over(b amounts) amounts {
	return amounts{
		minCPU: first(a.minCPU, b.minCPU), maxCPU: first(a.maxCPU, b.maxCPU),
		minMemory: first(a.minMemory, b.minMemory), maxMemory: first(a.maxMemory, b.maxMemory),
	}
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func (r containerResources) amounts() amounts {
	return amounts{
		minCPU: r.minCPU.ValueString(), maxCPU: r.maxCPU.ValueString(),
		minMemory: r.minMemory.ValueString(), maxMemory: r.maxMemory.ValueString(),
	}
}

// setsNothing reports whether all values are left out.
func (r containerResources) setsNothing() bool {
	return r.minCPU.IsNull() && r.maxCPU.IsNull() && r.minMemory.IsNull() && r.maxMemory.IsNull()
}

func wireAmounts(r kuscia.Resource) amounts {
	return amounts{minCPU: r.MinCPU, maxCPU: r.MaxCPU, minMemory: r.MinMemory, maxMemory: r.MaxMemory}
}

func (a amounts) wire(container string) kuscia.Resource {
	return kuscia.Resource{
		ContainerName: container,
		MinCPU:        a.minCPU, MaxCPU: a.maxCPU, MinMemory: a.minMemory, MaxMemory: a.maxMemory,
	}
}

// form is a resources list in the meaning that Kuscia gives it: values for all
// containers, and values for named ones that go before them field by field.
type form struct {
	common amounts
	named  map[string]amounts
}

// form reads a known list. Of two entries for the same container the last one
// counts, as on the server; validation refuses such lists anyway.
func (l resourceList) form() form {
	f := form{named: map[string]amounts{}}
	for _, item := range l.items {
		if name := item.container.ValueString(); name == "" {
			f.common = item.amounts()
		} else {
			f.named[name] = item.amounts()
		}
	}
	return f
}

// asks reports whether the form asks for anything at all.
func (f form) asks() bool {
	if !f.common.empty() {
		return true
	}
	for _, a := range f.named {
		if !a.empty() {
			return true
		}
	}
	return false
}

// of is what the form wants for one container.
func (f form) of(container string) amounts { return f.named[container].over(f.common) }

// names are the containers that the form names, sorted.
func (f form) names() []string {
	names := make([]string, 0, len(f.named))
	for name, a := range f.named {
		if !a.empty() {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// equal reports whether two forms want the same for every one of the given
// containers and for every container that either of them names. Without
// containers the general parts have to agree as well.
func (f form) equal(g form, containers []string) bool {
	if len(containers) == 0 && !f.common.equal(g.common) {
		return false
	}
	for _, names := range [][]string{containers, f.names(), g.names()} {
		for _, name := range names {
			if !f.of(name).equal(g.of(name)) {
				return false
			}
		}
	}
	return true
}

// sameResources reports whether two known lists mean the same for a party
// whose stored containers are given (empty: not known).
func sameResources(a, b resourceList, containers []string) bool {
	return a.form().equal(b.form(), containers)
}

// observedResources is the server's answer as a list, one entry for each
// container that has a value.
func observedResources(answer []kuscia.Resource) resourceList {
	var items []containerResources
	for _, r := range answer {
		if wireAmounts(r).empty() {
			continue
		}
		items = append(items, containerResources{
			container: types.StringValue(r.ContainerName),
			minCPU:    quantityOrNull(r.MinCPU), maxCPU: quantityOrNull(r.MaxCPU),
			minMemory: quantityOrNull(r.MinMemory), maxMemory: quantityOrNull(r.MaxMemory),
		})
	}
	return resourceList{items: items}
}

func quantityOrNull(text string) tfvalue.Quantity {
	if text == "" {
		return tfvalue.NewQuantityNull()
	}
	return tfvalue.NewQuantityValue(text)
}

// answerContainers are the container names of the server's answer.
func answerContainers(answer []kuscia.Resource) []string {
	names := make([]string, len(answer))
	for i, r := range answer {
		names[i] = r.ContainerName
	}
	return names
}
