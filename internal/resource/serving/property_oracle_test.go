package serving

import (
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
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

// drifted are the attributes that a refresh changed.
func drifted(state, refreshed rules.Serving) (names []string) {
	for _, name := range ChangedPaths(state, refreshed) {
		if !strings.HasPrefix(name, "endpoints") && name != "create_time" && name != "rollout_complete" {
			names = append(names, strings.NewReplacer("parties.", "", "container_resources", "resources").Replace(name))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
