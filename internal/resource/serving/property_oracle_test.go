package serving

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// sameMeaning reports whether two states are equivalent for Kuscia.
func sameMeaning(a, b rules.Serving) bool {
	before := slices.Clone(b.Parties.Items)
	after := slices.Clone(a.Parties.Items)
	for _, p := range after {
		old, _ := rules.FindParty(before, p.Key())
		if change := rules.CompareParties(old, p, rules.Private{}); change.Any() {
			return false
		}
	}
	return tfvalue.ConfigTextEqual(a.ServingInputConfig.ValueString(), b.ServingInputConfig.ValueString())
}

// idleParts are the parts of an update that Kuscia already has.
func idleParts(request *kuscia.UpdateServingRequest, current *kuscia.Serving, private rules.Private) (idle []string) {
	if request.ServingInputConfig != "" && tfvalue.ConfigTextEqual(request.ServingInputConfig, current.ServingInputConfig) {
		idle = append(idle, "serving_input_config")
	}
	for _, p := range request.Parties {
		key := party.Key{DomainID: p.DomainID, Role: p.Role}
		now := rules.FindWire(current.Parties, key)
		if p.AppImage == "" && p.Replicas == nil && p.UpdateStrategy == nil && len(p.Resources) == 0 {
			idle = append(idle, key.String())
		}
		if p.AppImage == now.AppImage {
			idle = append(idle, key.String()+" app_image")
		}
		if p.Replicas != nil && now.Replicas != nil && *p.Replicas == *now.Replicas {
			idle = append(idle, key.String()+" replicas")
		}
		if p.UpdateStrategy != nil && rules.SameStrategy(rules.ReadStrategy(p.UpdateStrategy), rules.ReadStrategy(now.UpdateStrategy)) {
			idle = append(idle, key.String()+" update_strategy")
		}
		if p.UpdateStrategy != nil && p.UpdateStrategy.Type == kuscia.StrategyRollingUpdate && (p.UpdateStrategy.MaxSurge == "" || p.UpdateStrategy.MaxUnavailable == "") {
			idle = append(idle, key.String()+" a part of update_strategy")
		}
		if len(private.ContainersOf(key)) == 0 || private.ResourcesObserved(key) {
			continue // the first resources of a party are sent completely
		}
		for _, r := range p.Resources {
			i := slices.IndexFunc(now.Resources, func(n kuscia.Resource) bool { return n.ContainerName == r.ContainerName })
			if i < 0 || rules.AmountsOf(r).Empty() {
				idle = append(idle, key.String()+" resources of "+r.ContainerName)
				continue
			}
			for name, pair := range map[string][2]string{
				"min_cpu": {r.MinCPU, now.Resources[i].MinCPU}, "max_cpu": {r.MaxCPU, now.Resources[i].MaxCPU},
				"min_memory": {r.MinMemory, now.Resources[i].MinMemory}, "max_memory": {r.MaxMemory, now.Resources[i].MaxMemory},
			} {
				if pair[0] != "" && tfvalue.QuantityEqual(pair[0], pair[1]) {
					idle = append(idle, key.String()+" "+name+" of "+r.ContainerName)
				}
			}
		}
	}
	return idle
}

func sameStored(have, want []kuscia.Resource, stale bool) bool {
	if len(want) == 0 {
		return len(have) == 0
	}
	if !stale && len(have) != len(want) {
		return false
	}
	for _, w := range want {
		i := slices.IndexFunc(have, func(h kuscia.Resource) bool { return h.ContainerName == w.ContainerName })
		if i < 0 || !rules.AmountsOf(have[i]).Equal(rules.AmountsOf(w)) {
			return false
		}
	}
	return true
}

// oracle is the class of a plan derived from the facts alone: what Kuscia
// stores, what an update can change, and how its merge works.
func oracle(stored sandbox.ServingSpec, state, config rules.Serving, images party.ImageLookup) Outcome {
	want := rules.WithDefaults(config)
	want.ProgressDeadline = rules.KeepProgressDeadline(want.ProgressDeadline, state.ProgressDeadline)
	want.Timeouts = rules.KeepTimeouts(want.Timeouts, state.Timeouts)
	want.RedeployTriggers = rules.KeepTriggers(want.RedeployTriggers, state.RedeployTriggers)
	want.ReplaceTriggers = rules.KeepTriggers(want.ReplaceTriggers, state.ReplaceTriggers)
	found := NoOp
	is := func(c Outcome, when bool) {
		if when && found != Replace {
			found = c
		}
	}
	is(Update, !rules.SameNotReturned(want, state))
	is(Replace, stored.Initiator != want.Initiator.ValueString())
	is(Replace, otherTrigger(want.ReplaceTriggers, state.ReplaceTriggers))
	is(Replace, cmp.Or(stored.AffinityMode, kuscia.AntiAffinity) != want.AffinityMode.ValueString())
	text := rules.ConfigText(config)
	is(Update, !tfvalue.ConfigTextEqual(stored.InputConfig, text.ValueString()))
	is(Update, state.ServingInputConfig.IsNull() && !config.ServingInputConfig.IsNull()) // which Terraform does not let a plan ignore
	is(Replace, stored.InputConfig != "" && text.ValueString() == "")
	parties := slices.Clone(want.Parties.Items)
	is(Replace, len(parties) != len(stored.Parties))
	is(Update, !sameNames(want, state))
	for _, p := range parties {
		i := slices.IndexFunc(stored.Parties, func(s sandbox.PartySpec) bool { return (party.Key{DomainID: s.DomainID, Role: s.Role}) == p.Key() })
		if i < 0 {
			return Replace
		}
		have := stored.Parties[i]
		is(Replace, have.ServiceNamePrefix != p.ServiceNamePrefix.ValueString())
		is(Update, have.AppImage != p.AppImage.ValueString())
		is(Update, followsImage(config, state, images))
		is(Update, *have.Replicas != p.Replicas.ValueInt32())
		is(Update, !rules.SameStrategy(rules.ReadStrategy(&have.Strategy), p.Strategy))
		is(resourcesClass(have.Containers, p, images))
	}
	return found
}

// followsImage reports whether a serving has to be updated only because an app image has
// another image than the pods.
func followsImage(config, state rules.Serving, images party.ImageLookup) bool {
	text := rules.ConfigText(config).ValueString()
	if text == "" && !state.ConfigIsWriteOnly() {
		text = state.ServingInputConfig.ValueString() // which an import has read
	}
	if !config.FollowAppImage.IsNull() && !config.FollowAppImage.ValueBool() || !tfvalue.IsJSON(text) {
		return false
	}
	return slices.ContainsFunc(state.Parties.Items, func(p rules.Party) bool {
		image := images(p.AppImage.ValueString())
		return image != nil && p.Image.ValueString() != image.Image.Name+":"+image.Image.Tag
	})
}

// otherTrigger reports whether a key that both maps have has another value.
func otherTrigger(want, have types.Map) bool {
	for key, value := range want.Elements() {
		if before, set := have.Elements()[key]; set && !before.Equal(value) {
			return true
		}
	}
	return false
}

func resourcesClass(stored []kuscia.Resource, p rules.Party, images party.ImageLookup) (Outcome, bool) {
	desired := p.Resources.Spec()
	if len(stored) == 0 {
		return Update, desired.IsSet()
	}
	for _, c := range party.TemplateFor(images(p.AppImage.ValueString()), p.Role.ValueString()).Containers {
		if !slices.ContainsFunc(stored, func(r kuscia.Resource) bool { return r.ContainerName == c.Name }) && !desired.ForContainer(c.Name).Empty() {
			return Replace, true
		}
	}
	changed := false
	for _, r := range stored {
		want := desired.ForContainer(r.ContainerName)
		for _, field := range []struct {
			have, want string
			sideStored bool
		}{
			{r.MinCPU, want.MinCPU, r.MinCPU+r.MinMemory != ""}, {r.MinMemory, want.MinMemory, r.MinCPU+r.MinMemory != ""},
			{r.MaxCPU, want.MaxCPU, r.MaxCPU+r.MaxMemory != ""}, {r.MaxMemory, want.MaxMemory, r.MaxCPU+r.MaxMemory != ""},
		} {
			switch {
			case field.have == "" && field.want == "", tfvalue.QuantityEqual(field.have, field.want):
			case field.want == "", field.have == "" && !field.sideStored, field.have == "" && tfvalue.QuantityEqual(field.want, "0"):
				return Replace, true
			default:
				changed = true
			}
		}
	}
	return Update, changed
}

// sameNames reports whether the parties of two servings have the same names.
func sameNames(a, b rules.Serving) bool {
	return slices.EqualFunc(a.Parties.Items, b.Parties.Items, func(p, other rules.Party) bool { return p.Name == other.Name && p.Key() == other.Key() })
}

// withNames returns a configuration with other names of its parties.
func withNames(m rules.Serving, name func(party.Key) string) rules.Serving {
	return InParties(m, func(parties []rules.Party) []rules.Party {
		for i, p := range parties {
			Named(name(p.Key()))(&parties[i])
		}
		return parties
	})
}

// newResources reports whether a party gets its first resources, which a state
// that never had any does not show.
func newResources(state, planned rules.Serving) bool {
	before := slices.Clone(state.Parties.Items)
	after := slices.Clone(planned.Parties.Items)
	return slices.ContainsFunc(after, func(p rules.Party) bool {
		old, _ := rules.FindParty(before, p.Key())
		return p.Resources.Spec().IsSet() && !old.Resources.Spec().IsSet()
	})
}

// drifted are the attributes that a refresh changed; expectedDrift are those in
// which an update differs in meaning.
func drifted(state, refreshed rules.Serving) (names []string) {
	for _, name := range ChangedPaths(state, refreshed) {
		if !strings.HasPrefix(name, "endpoints") && name != "create_time" && name != "rollout_complete" {
			names = append(names, strings.NewReplacer("parties.", "", "container_resources", "resources").Replace(name))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func expectedDrift(state, planned rules.Serving) (names []string) {
	if !state.ConfigIsWriteOnly() && !tfvalue.ConfigTextEqual(state.ServingInputConfig.ValueString(), planned.ServingInputConfig.ValueString()) {
		names = append(names, "serving_input_config")
	}
	before := slices.Clone(state.Parties.Items)
	after := slices.Clone(planned.Parties.Items)
	for _, p := range after {
		old, _ := rules.FindParty(before, p.Key())
		for attribute, differs := range map[string]bool{
			"app_image": !p.AppImage.Equal(old.AppImage), "image": !p.Image.Equal(old.Image), "replicas": !p.Replicas.Equal(old.Replicas),
			"update_strategy": !rules.SameStrategy(p.Strategy, old.Strategy),
			"resources":       !p.Resources.Spec().Equal(old.Resources.Spec(), ContainersOf(old)),
		} {
			if differs {
				names = append(names, p.Key().DomainID+"."+attribute)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
