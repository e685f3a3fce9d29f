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
		if known = known && old.Key() == key; !known {
			old = NewParty(name, definition.Tree{})
		}
		p := refreshParty(old, known, wire, private, defaultReplicas)
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
