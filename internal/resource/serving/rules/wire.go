package rules

import (
	"cmp"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// FindWire returns the party with a key in a response or a request; nil if there
// is none.
func FindWire(parties []kuscia.ServingParty, key party.Key) *kuscia.ServingParty {
	for i := range parties {
		if (party.Key{DomainID: parties[i].DomainID, Role: parties[i].Role}) == key {
			return &parties[i]
		}
	}
	return nil
}

// toWire returns a planned serving as a create sends it.
func toWire(planned Serving) *kuscia.CreateServingRequest {
	request := &kuscia.CreateServingRequest{
		ServingID:          planned.ServingID().ValueString(),
		ServingInputConfig: planned.ServingInputConfig().ValueString(),
		Initiator:          planned.Initiator().ValueString(),
		AffinityMode:       planned.String("affinity_mode").ValueString(),
	}
	for _, p := range planned.Parties().Items {
		replicas := p.Replicas().ValueInt32()
		request.Parties = append(request.Parties, kuscia.ServingParty{
			DomainID: p.DomainID().ValueString(), Role: p.Role().ValueString(), AppImage: p.AppImage().ValueString(),
			Replicas: &replicas, UpdateStrategy: p.Strategy().Wire(), Resources: p.Resources().Wire(),
			ServiceNamePrefix: p.ServiceNamePrefix().ValueString(),
		})
	}
	return request
}

// refreshParty returns a party after a response: what means the same stays as it was. known is set if it
// was in the state, and not only its name.
func refreshParty(old Party, known bool, wire kuscia.ServingParty, private Private, defaultReplicas func(kuscia.ServingParty) int32) Party {
	var resources Resources
	if known {
		resources = refreshResources(old, wire.Resources, private)
	} else {
		resources = ObservedResources(wire.Resources)
	}
	p := old.WithResources(resources).WithPartyAttribute("domain_id", types.StringValue(wire.DomainID)).WithPartyAttribute("role", textLike(old.Role(), wire.Role)).
		WithPartyAttribute("app_image", types.StringValue(wire.AppImage)).WithPartyAttribute("service_name_prefix", textLike(old.ServiceNamePrefix(), wire.ServiceNamePrefix))
	if strategy := ReadStrategy(wire.UpdateStrategy); !SameStrategy(strategy, p.Strategy()) {
		p = p.WithStrategy(strategy)
	}
	switch {
	case wire.Replicas != nil:
		p = p.WithPartyAttribute("replicas", types.Int32Value(*wire.Replicas))
	case !known:
		p = p.WithPartyAttribute("replicas", types.Int32Value(defaultReplicas(wire)))
	}
	if revision := p.PodRevision(); revision.IsNull() || revision.IsUnknown() {
		p = p.WithPartyAttribute(party.AttrPodRevision, types.Int64Value(party.FirstRevision))
	}
	return p
}

// textLike returns a text of a response; an empty one is null, unless the state has it
// as empty.
func textLike(old types.String, text string) types.String {
	if text == "" && old.IsNull() {
		return old
	}
	return types.StringValue(text)
}

// Wire returns the strategy in Kuscia's form, always complete, since an update
// replaces the whole strategy.
func (s Strategy) Wire() *kuscia.UpdateStrategy {
	return &kuscia.UpdateStrategy{
		Type: s.Type().ValueString(), MaxSurge: s.MaxSurge().ValueString(), MaxUnavailable: s.MaxUnavailable().ValueString(),
	}
}

// ReadStrategy returns the strategy in a response of Kuscia. A percentage has one spelling: an
// update may have sent another one (follow.go).
func ReadStrategy(wire *kuscia.UpdateStrategy) Strategy {
	tree := definition.Tree{}
	if wire != nil && wire.Type != "" {
		tree["type"] = wire.Type
		for _, bound := range [][2]string{{"max_surge", wire.MaxSurge}, {"max_unavailable", wire.MaxUnavailable}} {
			if bound[1] != "" {
				tree[bound[0]] = tfvalue.CanonicalCountOrPercent(bound[1])
			}
		}
	}
	return Strategy{strategyDefinition.WithDefaults(definition.ViewOf(strategyDefinition.Encode(tree)))}
}

// EncodeEndpoints returns all endpoints. The key of one is its party and its port;
// a server before v0.5 does not name ports, and the address takes that place.
func EncodeEndpoints(statuses []kuscia.PartyStatus) types.Map {
	elements := map[string]attr.Value{}
	for _, status := range statuses {
		ports := slices.Clone(status.Endpoints)
		slices.SortFunc(ports, func(a, b kuscia.Endpoint) int {
			return cmp.Or(cmp.Compare(a.Endpoint, b.Endpoint), cmp.Compare(a.Scope, b.Scope))
		})
		for _, e := range ports {
			name := party.Key{DomainID: status.DomainID, Role: status.Role}.MapKey() + "/" + cmp.Or(e.PortName, e.Endpoint)
			for elements[name] != nil {
				name += "/"
			}
			elements[name] = types.StringValue(e.Endpoint)
		}
	}
	return types.MapValueMust(types.StringType, elements)
}
