package review

import (
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/plan"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/quantity"
)

// addResources adds what the pods of a party may use more or less after the change. ok is false if
// that is not known.
func (b *builder) addResources(w workload, p partyChange, cpu, memory *quantity.Sum) (ok bool) {
	if ok = true; w.Action == plan.Update && p.Effect == EffectNone {
		return ok // nothing of it changes
	}
	// Other resources of an app image reach only new pods.
	newPods := p.restarts || w.Action != plan.Update || !p.pair.before.Exists()
	for _, side := range []struct {
		party keyed
		after bool
		sign  int
	}{{p.pair.before, false, -1}, {p.pair.after, newPods, 1}} {
		if side.party.Exists() {
			ok = b.addParty(w, side.party, side.after, side.sign, cpu, memory) && ok
		}
	}
	return ok
}

// addParty adds the limits of all containers of a party, or their requests without: those of the
// party, else of its app image.
func (b *builder) addParty(w workload, p keyed, after bool, sign int, cpu, memory *quantity.Sum) (ok bool) {
	replicas := p.At("replicas")
	if own := p.At("containers"); own.Exists() && w.Kind == "kuscia_deployment" {
		return addContainers(own, replicas, sign, cpu, memory)
	}
	own, ofContainer := p.At("resources"), p.At("container_resources")
	containers := b.containersOf(w.Provider, p.At("app_image").ID(), after)
	if !own.Exists() && !ofContainer.Exists() && !containers.Exists() {
		return !p.At("app_image").Exists() // without one there is nothing to add
	}
	n, known := times(replicas, sign)
	if !known {
		return false
	}
	if !containers.Exists() {
		for _, key := range ofContainer.AllKeys() {
			known = addServing(ofContainer.At(key), n, cpu, memory) && known
		}
		if !ofContainer.Exists() {
			known = addServing(own, n, cpu, memory)
		}
		return known
	}
	for _, key := range containers.AllKeys() {
		c := containers.At(key)
		switch set := ofContainer.At(c.At("name").ID()); {
		case set.Exists():
			known = addServing(set, n, cpu, memory) && known
		case own.Exists():
			known = addServing(own, n, cpu, memory) && known
		default:
			known = addLimits(c.At("resources"), n, cpu, memory) && known
		}
	}
	return known
}

// containersOf are the containers of an app image in the plan.
func (b *builder) containersOf(provider, name string, after bool) plan.Value {
	for _, o := range b.byKind["kuscia_app_image"] {
		if o.Latest().At("name").ID() == name && name != "" && !o.Deposed && plan.SameProvider(o.Provider, provider) != plan.No {
			side := o.Before
			if after || !side.Exists() {
				side = o.After
			}
			return side.At("deploy_templates", "0", "containers")
		}
	}
	return plan.Value{}
}

// times is a number of pods with a sign.
func times(replicas plan.Value, sign int) (n int, ok bool) {
	if !replicas.Exists() {
		return sign, true
	}
	number, ok := replicas.Raw.(float64)
	return sign * int(number), ok
}

// addContainers adds what containers have for a number of pods.
func addContainers(containers, replicas plan.Value, sign int, cpu, memory *quantity.Sum) (ok bool) {
	n, ok := times(replicas, sign)
	ok = ok && len(containers.AllKeys()) > 0
	for _, key := range containers.AllKeys() {
		c := containers.At(key)
		if !c.At("limits").Exists() && !c.At("requests").Exists() {
			c = c.At("resources")
		}
		ok = ok && addLimits(c, n, cpu, memory)
	}
	return ok
}

// addLimits adds limits, or requests without.
func addLimits(resources plan.Value, n int, cpu, memory *quantity.Sum) bool {
	return addFirst(cpu, n, resources.At("limits", "cpu"), resources.At("requests", "cpu")) &&
		addFirst(memory, n, resources.At("limits", "memory"), resources.At("requests", "memory"))
}

// addServing adds resources as a serving has them.
func addServing(resources plan.Value, n int, cpu, memory *quantity.Sum) bool {
	return addFirst(cpu, n, resources.At("max_cpu"), resources.At("min_cpu")) && addFirst(memory, n, resources.At("max_memory"), resources.At("min_memory"))
}

// addFirst adds the first of values that is set. Without any, nothing is said of what a pod uses.
func addFirst(sum *quantity.Sum, n int, values ...plan.Value) bool {
	at := slices.IndexFunc(values, func(v plan.Value) bool { return !plan.IsUnset(v) })
	switch {
	case at < 0:
		if n != 0 {
			sum.Unset()
		}
		return true
	case values[at].IsSensitive():
		return false
	}
	return sum.Add(values[at].ID(), n)
}
