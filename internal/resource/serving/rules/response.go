package rules

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// FromResponse returns the state of a serving after a response of Kuscia: what
// differs in meaning from prior is taken from the response, and everything else
// keeps its spelling, and parties their names. defaultReplicas returns the replicas of a party
// whose replicas were never set; the app image's template determines them.
func FromResponse(prior Serving, response *kuscia.Serving, private Private, defaultReplicas func(kuscia.ServingParty) int32) (Serving, Private) {
	state := prior.WithDefaults().With("id", prior.ServingID()).
		With("initiator", types.StringValue(response.Initiator)).
		With(AttrConfig, refreshConfigText(prior, response.ServingInputConfig))

	parties := make([]Party, len(response.Parties))
	for i, name := range namesOf(prior.Parties(), response.Parties) {
		wire := response.Parties[i]
		key := party.Key{DomainID: wire.DomainID, Role: wire.Role}
		old, known := prior.Parties().Named(name)
		known = known && old.Key() == key
		p := refreshParty(name, old, known, wire, private, defaultReplicas)
		if !known && p.Resources().Spec().IsSet() && !private.ResourcesObserved(key) {
			private.ObservedResources = append(slices.Clone(private.ObservedResources), key.String())
			private = private.WithContainers(key, ResponseContainers(wire.Resources))
		}
		private = private.ObserveReplicas(key, known, wire.Replicas)
		parties[i] = p
	}
	endpoints, createTime := refreshComputed(prior, response.Status)
	return state.WithParties(PartiesOf(parties...)).With("endpoints", endpoints).With("create_time", createTime), private
}

// namesOf returns the names of the parties of a response.
func namesOf(prior Parties, response []kuscia.ServingParty) []string {
	keys, known := make([]party.Key, len(response)), make(map[string]party.Key, len(prior.Items))
	for i, wire := range response {
		keys[i] = party.Key{DomainID: wire.DomainID, Role: wire.Role}
	}
	for _, p := range prior.Items {
		known[p.Name] = p.Key()
	}
	return party.MapKeys(keys, known)
}

// refreshConfigText keeps a write-only text out of the state and leaves an unset
// text unset.
func refreshConfigText(prior Serving, text string) types.String {
	if prior.ConfigIsWriteOnly() || text == "" && prior.ServingInputConfig().IsNull() {
		return types.StringNull()
	}
	return KeepConfigText(types.StringValue(text), prior.ServingInputConfig())
}

// refreshParty returns a party after a response: what means the same stays as it was.
func refreshParty(name string, old Party, known bool, wire kuscia.ServingParty, private Private, defaultReplicas func(kuscia.ServingParty) int32) Party {
	p := old
	if known {
		p = p.WithResources(refreshResources(old, wire.Resources, private))
	} else {
		p = NewParty(name, definition.Tree{}).WithResources(ObservedResources(wire.Resources))
	}
	p = p.With("domain_id", types.StringValue(wire.DomainID)).With("role", textLike(p.Role(), wire.Role)).
		With("app_image", types.StringValue(wire.AppImage)).With("service_name_prefix", textLike(p.ServiceNamePrefix(), wire.ServiceNamePrefix))
	if strategy := ReadStrategy(wire.UpdateStrategy); !SameStrategy(strategy, p.Strategy()) {
		p = p.WithStrategy(strategy)
	}
	switch {
	case wire.Replicas != nil:
		p = p.With("replicas", types.Int32Value(*wire.Replicas))
	case !known:
		p = p.With("replicas", types.Int32Value(defaultReplicas(wire)))
	}
	if revision := p.PodRevision(); revision.IsNull() || revision.IsUnknown() {
		p = p.With(party.AttrPodRevision, types.Int64Value(party.FirstRevision))
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

// refreshResources keeps the configured form as long as the response, which has
// one entry for each container, equals its expansion. If no resources are
// configured, the response has those of the app image and is ignored. Containers
// for which Kuscia stores nothing are those of a newer app image; they never run
// on this serving.
func refreshResources(old Party, response []kuscia.Resource, private Private) Resources {
	desired := old.Resources().Spec()
	if !desired.IsSet() {
		return old.Resources()
	}
	relevant := response
	if stored := private.ContainersOf(old.Key()); len(stored) > 0 {
		relevant = slices.DeleteFunc(slices.Clone(response), func(r kuscia.Resource) bool { return !slices.Contains(stored, r.ContainerName) })
	}
	if desired.Equal(observedSpec(relevant), ResponseContainers(relevant)) {
		return old.Resources()
	}
	return ObservedLike(old.Resources(), relevant)
}

// refreshComputed reads the values that only the status has. Without a status
// the known values are kept.
func refreshComputed(prior Serving, status *kuscia.ServingStatusDetail) (types.Map, types.String) {
	endpoints, createTime := prior.Endpoints(), prior.CreateTime()
	if status != nil {
		endpoints = EncodeEndpoints(status.PartyStatuses)
		createTime = types.StringValue(status.CreateTime)
	}
	if endpoints.IsNull() || endpoints.IsUnknown() {
		endpoints = types.MapValueMust(types.StringType, nil)
	}
	if createTime.IsUnknown() {
		createTime = types.StringNull()
	}
	return endpoints, createTime
}
