package refresh

import (
	"cmp"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/model"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// FromResponse returns the state of a serving after a response of Kuscia: what
// differs in meaning from prior is taken from the response, and everything else
// keeps its spelling and order. defaultReplicas returns the replicas of a party
// whose replicas were never set; the app image's template determines them.
func FromResponse(prior model.Serving, response *kuscia.Serving, private model.Private, defaultReplicas func(kuscia.ServingParty) int32) (model.Serving, model.Private) {
	state := model.WithDefaults(prior)
	state.ID, state.ServingID = prior.ServingID, prior.ServingID
	state.Initiator = types.StringValue(response.Initiator)
	first := prior.Initiator.IsNull() // after an import
	state.ServingInputConfig = refreshConfigText(prior, response.ServingInputConfig, first)
	if first {
		private.ObservedConfig = response.ServingInputConfig != ""
	}

	before := prior.Parties.Items
	parties := make([]model.Party, 0, len(response.Parties))
	for _, wire := range inOrderOf(before, response.Parties) {
		key := party.Key{DomainID: wire.DomainID, Role: wire.Role}
		old, known := model.FindParty(before, key)
		p := refreshParty(old, known, wire, private, defaultReplicas)
		if !known && p.Resources.Spec().IsSet() && !private.ResourcesObserved(key) {
			private.ObservedResources = append(slices.Clone(private.ObservedResources), key.String())
			private = private.WithContainers(key, model.ResponseContainers(wire.Resources))
		}
		private = private.ObserveReplicas(key, known, wire.Replicas)
		parties = append(parties, p)
	}
	state.Parties = model.PartiesOf(parties...)
	state.Endpoints, state.CreateTime = refreshComputed(prior, response.Status)
	return state, private
}

// refreshConfigText keeps a write-only text out of the state and leaves an unset
// text unset. After an import an unset text is an empty one: Terraform lets a
// plan keep that whether the configuration has "" or nothing.
func refreshConfigText(prior model.Serving, text string, first bool) tfvalue.ConfigText {
	if prior.ConfigIsWriteOnly() || text == "" && prior.ServingInputConfig.IsNull() && !first {
		return tfvalue.NewConfigTextNull()
	}
	return model.KeepConfigText(tfvalue.NewConfigTextValue(text), prior.ServingInputConfig)
}

// inOrderOf sorts the parties of a response in the order of the state; parties
// that the state does not have are last, in the order of the response.
func inOrderOf(before []model.Party, response []kuscia.ServingParty) []kuscia.ServingParty {
	rank := func(wire kuscia.ServingParty) int {
		i := slices.IndexFunc(before, func(p model.Party) bool { return p.Key() == party.Key{DomainID: wire.DomainID, Role: wire.Role} })
		if i < 0 {
			return len(before)
		}
		return i
	}
	ordered := slices.Clone(response)
	slices.SortStableFunc(ordered, func(a, b kuscia.ServingParty) int { return cmp.Compare(rank(a), rank(b)) })
	return ordered
}

func refreshParty(old model.Party, known bool, wire kuscia.ServingParty, private model.Private, defaultReplicas func(kuscia.ServingParty) int32) model.Party {
	p := model.Party{
		DomainID:          types.StringValue(wire.DomainID),
		Role:              types.StringValue(wire.Role),
		AppImage:          types.StringValue(wire.AppImage),
		ServiceNamePrefix: types.StringValue(wire.ServiceNamePrefix),
		Strategy:          model.ReadStrategy(wire.UpdateStrategy),
		Resources:         model.ObservedResources(wire.Resources),
	}
	switch {
	case wire.Replicas != nil:
		p.Replicas = types.Int32Value(*wire.Replicas)
	case known:
		p.Replicas = old.Replicas
	default:
		p.Replicas = types.Int32Value(defaultReplicas(wire))
	}
	if !known {
		return p
	}
	if model.SameStrategy(p.Strategy, old.Strategy) {
		p.Strategy = old.Strategy
	}
	p.Resources = refreshResources(old, wire.Resources, private)
	return p
}

// refreshResources keeps the configured form as long as the response, which has
// one entry for each container, equals its expansion. If no resources are
// configured, the response has those of the app image and is ignored. Containers
// for which Kuscia stores nothing are those of a newer app image; they never run
// on this serving.
func refreshResources(old model.Party, response []kuscia.Resource, private model.Private) model.ResourceList {
	desired := old.Resources.Spec()
	if !desired.IsSet() {
		return old.Resources
	}
	relevant := response
	if stored := private.ContainersOf(old.Key()); len(stored) > 0 {
		relevant = slices.DeleteFunc(slices.Clone(response), func(r kuscia.Resource) bool { return !slices.Contains(stored, r.ContainerName) })
	}
	if desired.Equal(model.ObservedResources(relevant).Spec(), model.ResponseContainers(relevant)) {
		return old.Resources
	}
	return model.ObservedResources(relevant)
}

// refreshComputed reads the values that only the status has. Without a status
// the known values are kept.
func refreshComputed(prior model.Serving, status *kuscia.ServingStatusDetail) (types.List, types.String) {
	endpoints, createTime := prior.Endpoints, prior.CreateTime
	if status != nil {
		endpoints = model.EncodeEndpoints(status.PartyStatuses)
		createTime = types.StringValue(status.CreateTime)
	}
	if endpoints.IsNull() || endpoints.IsUnknown() {
		endpoints = types.ListValueMust(model.EndpointType, nil)
	}
	if createTime.IsUnknown() {
		createTime = types.StringNull()
	}
	return endpoints, createTime
}
