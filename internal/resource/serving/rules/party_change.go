package rules

import (
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// PartyChange is the semantic difference between a party in the state and the
// same party in the plan.
type PartyChange struct {
	AppImage, Replicas, Strategy bool
	// Containers are the stored containers whose resources change.
	Containers []string
	// FirstResources is set if a party gets resources for which Kuscia stores
	// none yet.
	FirstResources bool
	// Replace are the reasons why the party cannot be changed in place.
	Replace []replaceReason
}

// Any reports whether anything differs.
func (c PartyChange) Any() bool {
	return c.AppImage || c.Replicas || c.Strategy || len(c.Containers) > 0 || c.FirstResources || len(c.Replace) > 0
}

// replaceReason is one change that Kuscia cannot make to a live serving.
type replaceReason struct {
	// Attribute within the party; "" for the party itself.
	Attribute string
	// Why is shown as a plan warning; "" if the attribute is self-explanatory.
	Why string
}

// CompareParties compares prior and planned of the same key.
func CompareParties(prior, planned Party, private Private) PartyChange {
	change := PartyChange{
		AppImage: !prior.AppImage().Equal(planned.AppImage()),
		Replicas: !prior.Replicas().Equal(planned.Replicas()),
		Strategy: !SameStrategy(prior.Strategy(), planned.Strategy()),
	}
	for _, a := range partyAttributes {
		if !a.Replace.IsAlways() || slices.Contains(partyKey, a.Name) {
			continue
		}
		if before, after := prior.At(a.Name), planned.At(a.Name); !definition.Equal(before, after) && (!definition.IsEmpty(before) || !definition.IsEmpty(after)) {
			change.Replace = append(change.Replace, replaceReason{Attribute: a.Name, Why: a.Replace.Why()})
		}
	}
	if private.ResourcesObserved(prior.Key()) && !prior.Resources().Spec().IsSet() {
		prior = prior.WithResources(private.Deployed[prior.Key().String()].readResources())
	}
	switch {
	case private.KeepsObserved(prior.Key(), planned.Resources()):
	case private.ResourcesObserved(prior.Key()) && !prior.Resources().Spec().IsSet():
		// What was read is not known any more.
		change.Replace = append(change.Replace, replaceReason{Attribute: AttrResources,
			Why: "The serving was imported, so it is unknown whether Kuscia stores resources for this party, and Kuscia's handler can crash when an update adds to stored ones."})
	default:
		change.compareResources(prior.Resources(), planned.Resources(), private.ContainersOf(prior.Key()))
	}
	return change
}

// TouchesResources reports whether an update sends resources.
func (c PartyChange) TouchesResources() bool { return c.FirstResources || len(c.Containers) > 0 }

// compareResources compares the resources of a party. stored are the containers
// for which Kuscia stores resources (empty: unknown).
func (c *PartyChange) compareResources(prior, planned Resources, stored []string) {
	if planned.Known() && planned.Equal(prior) {
		return
	}
	before := prior.Spec()
	if !before.IsSet() {
		c.FirstResources = !planned.Known() || planned.Spec().IsSet()
		return
	}
	if !planned.ContainersKnown() {
		c.Replace = append(c.Replace, replaceReason{Attribute: AttrResources,
			Why: "It is not known yet which containers the resources are for, and Kuscia cannot remove resources from a container of a live serving."})
		return
	}
	after := planned.Spec()
	for _, name := range comparedContainers(before, after, stored) {
		change, why := CompareAmounts(before.ForContainer(name), after.ForContainer(name), planned.Pending(name))
		switch {
		case why != "":
			c.Replace = append(c.Replace, replaceReason{Attribute: AttrResources, Why: fmt.Sprintf("%s: %s", DescribeContainer(name), why)})
		case change && len(stored) > 0 && !slices.Contains(stored, name):
			c.Replace = append(c.Replace, replaceReason{Attribute: AttrResources, Why: fmt.Sprintf(
				"%s: Kuscia stores resources for the containers that the app image had when they were first set (%v) and silently ignores any other in an update.", DescribeContainer(name), stored)})
		case change:
			c.Containers = append(c.Containers, name)
		}
	}
}

// comparedContainers returns the containers in which two specs may differ; the
// empty name means those that neither names, if the stored ones are unknown.
func comparedContainers(a, b ResourceSpec, stored []string) []string {
	names := slices.Clone(stored)
	if len(stored) == 0 {
		names = append(names, "")
	}
	names = append(append(names, a.Names()...), b.Names()...)
	slices.Sort(names)
	return slices.Compact(names)
}

// fieldChange is the change of one of the four amounts of a container.
type fieldChange struct {
	name          string
	before, after string
	pending       bool
}

// CompareAmounts reports whether a container's amounts change, and the reason if
// they cannot change in place. pending names the fields whose planned value is
// not known yet.
func CompareAmounts(before, after Amounts, pending map[string]bool) (changed bool, why string) {
	sides := []struct {
		stored bool
		other  string
		fields []fieldChange
	}{
		{before.HasRequests(), "request (min_cpu or min_memory)", []fieldChange{
			{"min_cpu", before.MinCPU, after.MinCPU, pending["min_cpu"]},
			{"min_memory", before.MinMemory, after.MinMemory, pending["min_memory"]}}},
		{before.HasLimits(), "limit (max_cpu or max_memory)", []fieldChange{
			{"max_cpu", before.MaxCPU, after.MaxCPU, pending["max_cpu"]},
			{"max_memory", before.MaxMemory, after.MaxMemory, pending["max_memory"]}}},
	}
	for _, side := range sides {
		for _, field := range side.fields {
			switch {
			case !field.pending && tfvalue.QuantityEqual(field.before, field.after):
				continue
			case field.pending && field.before != "":
			case !field.pending && field.after == "":
				return true, fmt.Sprintf("%s is removed, but Kuscia merges the resources of an update, so a value that is set cannot be removed. Keep a value to change it in place.", field.name)
			case !side.stored:
				return true, fmt.Sprintf("%s would be its first %s. Kuscia's handler crashes when an update adds the first one to a container that has none. Set one when the serving is created.", field.name, side.other)
			case field.before == "" && tfvalue.QuantityEqual(field.after, "0"):
				return true, fmt.Sprintf("%s is set to zero but was not set before. Kuscia treats the two as equal in an update and ignores the change.", field.name)
			}
			changed = true
		}
	}
	return changed, ""
}

// updateParty returns what an update sends of a party: only what changes.
func updateParty(old, p Party, change PartyChange, private Private) kuscia.ServingParty {
	wire := kuscia.ServingParty{DomainID: p.DomainID().ValueString(), Role: p.Role().ValueString()}
	if change.AppImage {
		wire.AppImage = p.AppImage().ValueString()
	}
	if change.Replicas {
		replicas := p.Replicas().ValueInt32()
		wire.Replicas = &replicas
	}
	if change.Strategy {
		wire.UpdateStrategy = p.Strategy().Wire()
	}
	switch stored := private.ContainersOf(p.Key()); {
	case change.FirstResources:
		// Kuscia looks up the app image to expand a first list; it must do so
		// only for the image that this update sets.
		wire.Resources = p.Resources().Wire()
	case len(change.Containers) > 0 && private.ResourcesObserved(p.Key()):
		// It is unknown whether Kuscia stores the values or shows those of the
		// app image; complete values for all containers are correct in both
		// cases.
		desired := p.Resources().Spec()
		for _, name := range stored {
			wire.Resources = append(wire.Resources, desired.ForContainer(name).Wire(name))
		}
	default:
		before, desired := old.Resources().Spec(), p.Resources().Spec()
		for _, name := range change.Containers {
			wire.Resources = append(wire.Resources, desired.ForContainer(name).ChangedFrom(before.ForContainer(name)).Wire(name))
		}
		if slices.Contains(change.Containers, "") {
			wire.Resources = append(wire.Resources, emptyEntries(desired, change.Containers)...)
		}
	}
	return wire
}

// emptyEntries returns entries without values. The values for all containers are
// sent if the stored containers are unknown; these entries exclude the
// containers with values of their own, since Kuscia uses one entry for a
// container, the named one first.
func emptyEntries(desired ResourceSpec, sent []string) (entries []kuscia.Resource) {
	for _, name := range desired.Names() {
		if !slices.Contains(sent, name) {
			entries = append(entries, Amounts{}.Wire(name))
		}
	}
	return entries
}

// carries reports whether an update sets an attribute of a party.
func carries(request *kuscia.UpdateServingRequest, key party.Key, attribute string) bool {
	wire := FindWire(request.Parties, key)
	if wire == nil {
		return false
	}
	switch attribute {
	case "app_image":
		return wire.AppImage != ""
	case "replicas":
		return wire.Replicas != nil
	case "update_strategy":
		return wire.UpdateStrategy != nil
	case "resources":
		return len(wire.Resources) > 0
	}
	return false
}

// path returns the path of the reason in a plan, or that of all parties if the
// party has another name: Terraform compares the values at the path before and
// after.
func (r replaceReason) path(old, p Party) path.Path {
	switch {
	case old.Name != p.Name:
		return path.Root("parties")
	case r.Attribute == AttrResources && definition.Equal(old.At(AttrResources), p.At(AttrResources)):
		return p.Path().AtName(AttrContainerResources)
	}
	return p.Path().AtName(r.Attribute)
}
