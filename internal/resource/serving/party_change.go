package serving

import (
	"fmt"
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// partyChange is what differs in meaning between a party in the state and the
// same party in the plan.
type partyChange struct {
	appImage, replicas, strategy bool
	// containers are the stored containers whose resources change.
	containers []string
	// firstResources says that resources are given to a party for which
	// Kuscia stores none.
	firstResources bool
	// replace are the reasons for which the party cannot be changed in place.
	replace []replaceReason
}

// any reports whether anything differs at all.
func (c partyChange) any() bool {
	return c.appImage || c.replicas || c.strategy || len(c.containers) > 0 || c.firstResources || len(c.replace) > 0
}

// replaceReason is one thing that Kuscia cannot change on a live serving.
type replaceReason struct {
	// attribute within the party; "" for the party itself.
	attribute string
	// why is shown as a plan warning; "" where the attribute says it all.
	why string
}

// compareParties tells prior and planned of the same key apart.
func compareParties(prior, planned party, private privateData) partyChange {
	change := partyChange{
		appImage: !prior.appImage.Equal(planned.appImage),
		replicas: !prior.replicas.Equal(planned.replicas),
		strategy: !sameStrategy(prior.strategy, planned.strategy),
	}
	if !prior.serviceNamePrefix.Equal(planned.serviceNamePrefix) {
		change.replace = append(change.replace, replaceReason{attribute: "service_name_prefix",
			why: "Kuscia names a party's Services when the serving is created and silently ignores a new service_name_prefix in an update."})
	}
	switch {
	case private.keepsObserved(prior.key(), planned.resources):
	case private.observed(prior.key()) && !prior.resources.form().asks():
		// The state lost what was read when the configuration of an imported
		// serving had an empty list for it.
		change.replace = append(change.replace, replaceReason{attribute: "resources",
			why: "The serving was imported, so that nobody knows whether Kuscia stores resources for this party, and Kuscia's handler can crash when an update adds to stored ones."})
	default:
		change.compareResources(prior.resources, planned.resources, private.containers(prior.key()))
	}
	return change
}

// touchesResources reports whether an update carries resources.
func (c partyChange) touchesResources() bool { return c.firstResources || len(c.containers) > 0 }

func sameStrategy(a, b strategy) bool {
	return a.known() && b.known() && a.kind.Equal(b.kind) &&
		tfvalue.CountOrPercentEqual(a.surge.ValueString(), b.surge.ValueString()) &&
		tfvalue.CountOrPercentEqual(a.unavailable.ValueString(), b.unavailable.ValueString())
}

// compareResources compares two lists of a party. stored are the containers
// that Kuscia stores resources for (empty: not known).
func (c *partyChange) compareResources(prior, planned resourceList, stored []string) {
	before := prior.form()
	if !before.asks() {
		c.firstResources = !planned.known() || planned.form().asks()
		return
	}
	if planned.unknown || slices.ContainsFunc(planned.items, func(r containerResources) bool { return r.unknown || r.container.IsUnknown() }) {
		c.replace = append(c.replace, replaceReason{attribute: "resources",
			why: "It is not known yet which containers the resources are for, and Kuscia cannot take resources away from a container of a live serving."})
		return
	}
	after := planned.form()
	for _, name := range comparedContainers(before, after, stored) {
		change, why := compareAmounts(before.of(name), after.of(name), after.pending(planned, name))
		switch {
		case why != "":
			c.replace = append(c.replace, replaceReason{attribute: "resources", why: fmt.Sprintf("%s: %s", describeContainer(name), why)})
		case change && len(stored) > 0 && !slices.Contains(stored, name):
			c.replace = append(c.replace, replaceReason{attribute: "resources", why: fmt.Sprintf(
				"%s: Kuscia stores resources for the containers that the app image had when they were first set (%v) and silently ignores any other in an update.", describeContainer(name), stored)})
		case change:
			c.containers = append(c.containers, name)
		}
	}
}

func describeContainer(name string) string {
	if name == "" {
		return "all containers"
	}
	return fmt.Sprintf("container %q", name)
}

// comparedContainers are the containers in which two forms may differ; the
// empty name stands for those that neither names, where the stored ones are
// not known.
func comparedContainers(a, b form, stored []string) []string {
	names := slices.Clone(stored)
	if len(stored) == 0 {
		names = append(names, "")
	}
	names = append(append(names, a.names()...), b.names()...)
	slices.Sort(names)
	return slices.Compact(names)
}

// fieldChange is the change of one of the four amounts of a container.
type fieldChange struct {
	name          string
	before, after string
	pending       bool
}

// compareAmounts reports whether a container's amounts change, and why they
// cannot change in place if they cannot. pending names the fields whose
// planned value is not known yet.
func compareAmounts(before, after amounts, pending map[string]bool) (changed bool, why string) {
	sides := []struct {
		stored bool
		other  string
		fields []fieldChange
	}{
		{before.hasRequests(), "request (min_cpu or min_memory)", []fieldChange{
			{"min_cpu", before.minCPU, after.minCPU, pending["min_cpu"]},
			{"min_memory", before.minMemory, after.minMemory, pending["min_memory"]}}},
		{before.hasLimits(), "limit (max_cpu or max_memory)", []fieldChange{
			{"max_cpu", before.maxCPU, after.maxCPU, pending["max_cpu"]},
			{"max_memory", before.maxMemory, after.maxMemory, pending["max_memory"]}}},
	}
	for _, side := range sides {
		for _, field := range side.fields {
			switch {
			case !field.pending && tfvalue.QuantityEqual(field.before, field.after):
				continue
			case field.pending && field.before != "":
			case !field.pending && field.after == "":
				return true, fmt.Sprintf("%s is taken away, and Kuscia merges the resources of an update, so that a value once set cannot be cleared. Keep a value to change it in place.", field.name)
			case !side.stored:
				return true, fmt.Sprintf("%s would be its first %s. Kuscia's handler crashes when an update adds the first one to a container that has none. Set one when the serving is created.", field.name, side.other)
			case field.before == "" && tfvalue.QuantityEqual(field.after, "0"):
				return true, fmt.Sprintf("%s is set to zero where it was not set. Kuscia takes the two for the same in an update and ignores it.", field.name)
			}
			changed = true
		}
	}
	return changed, ""
}

// pending are the fields of a container whose planned amount is unknown.
func (f form) pending(list resourceList, container string) map[string]bool {
	var pending map[string]bool
	for _, item := range list.items {
		name := item.container.ValueString()
		if name != container && (name != "" || item.unknown) {
			continue
		}
		for field, value := range map[string]tfvalue.Quantity{
			"min_cpu": item.minCPU, "max_cpu": item.maxCPU, "min_memory": item.minMemory, "max_memory": item.maxMemory,
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
