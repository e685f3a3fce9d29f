package rules

import (
	"maps"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/servingstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// Sources provide what the response does not have.
type Sources struct {
	// Cached are app images as queried earlier in this run; nil if Kuscia cannot be queried.
	Cached party.ImageLookup
	// Deployments is the state of the serving in the cluster; nil without a
	// cluster.
	Deployments *servingstatus.CachedObserver
	// IsPartner reports whether a domain runs in another cluster, with that cluster's app
	// images; nil means no.
	IsPartner func(domainID string) types.Bool
	Now       time.Time
}

// TemplateLookup returns the deploy template of a party in Kuscia; nil if Kuscia
// cannot be queried or has none.
type TemplateLookup func(kuscia.ServingParty) *kuscia.DeployTemplate

// Templates looks up deploy templates in app images.
func Templates(images party.ImageLookup) TemplateLookup {
	return func(p kuscia.ServingParty) *kuscia.DeployTemplate {
		image := images(p.AppImage)
		if image == nil {
			return nil
		}
		return party.TemplateFor(image, p.Role)
	}
}

// TemplateReplicas returns the number of pods of a party whose replicas were
// never set: the replicas of the app image's template.
func TemplateReplicas(images party.ImageLookup) func(kuscia.ServingParty) int32 {
	return func(p kuscia.ServingParty) int32 {
		if template := Templates(images)(p); template != nil {
			return template.Replicas
		}
		return 1
	}
}

// Refresh is a refresh: it returns the state and the private state after a response
// of Kuscia.
func Refresh(prior Serving, response *kuscia.Serving, private Private, from Sources) (Serving, Private) {
	if isCreatedAgain(prior, response) {
		private = private.WithoutCreation()
	}
	state, private := FromResponse(prior, response, private, TemplateReplicas(from.Cached))
	state = state.WithParties(from.withoutOwnResources(prior, state, response))
	if private.Imported {
		state = Of(Definition.WithImportDefaults(state.Value()))
	}
	complete, private := RefreshRolloutComplete(prior, state, response, private, from.Now, from.Deployments)
	state = state.WithServingAttribute(definition.AttrRolloutComplete, complete)
	changed, _ := ChangedElsewhere(prior, state, private)
	state = state.WithParties(from.withImages(prior, state, private, changed))
	private, notCounted := RecordRefresh(private, state, response, from.Cached, changed)
	state = state.WithParties(state.Parties().Changed(func(p Party) Party {
		if slices.Contains(notCounted, p.Key()) {
			return p.WithPartyAttribute(party.AttrPodRevision, party.RevisionAfter(p.PodRevision(), types.BoolValue(true)))
		}
		return p
	}))
	return state, recordResponse(private, response, state)
}

// withoutOwnResources returns the parties, those that are new in the state without resources
// that are those of their app image: Kuscia shows these alike whether it stores them or not, and in
// a generated configuration they would keep a later change of the app image from the pods.
func (from Sources) withoutOwnResources(prior, state Serving, response *kuscia.Serving) Parties {
	return state.Parties().Changed(func(p Party) Party {
		image, wire := from.Cached(p.AppImage().ValueString()), FindWire(response.Parties, p.Key())
		if _, known := FindParty(prior.Parties().Items, p.Key()); known || image == nil || wire == nil {
			return p
		}
		own, shown := party.OwnResources(image, p.Role().ValueString()), make(party.PodResources, len(wire.Resources))
		for _, r := range wire.Resources {
			shown[r.ContainerName] = party.PodAmountsOf(r.MinCPU, r.MinMemory, r.MaxCPU, r.MaxMemory)
		}
		if maps.Equal(own, shown) {
			return p.WithResources(Resources{})
		}
		return p
	})
}

// withImages returns the parties with the images that their pods run, or will run once
// Kuscia has applied the last update: those of the Deployments if the refresh has read these,
// else, after an update by another client and where nothing is known yet, those that the app
// images have now. An app image that has changed since the last refresh may have done so after
// that update, so that its old image is kept: at worst the pods are restarted once more.
func (from Sources) withImages(prior, state Serving, private Private, updated bool) Parties {
	return state.Parties().Changed(func(p Party) Party {
		if seen := from.Deployments.PartyOf(p.Key().DomainID, p.Key().Role); seen.Image != "" && (seen.Applied || p.Image().IsNull() && !updated) {
			return p.WithPartyAttribute(AttrImage, types.StringValue(seen.Image))
		}
		if !updated && !p.Image().IsNull() {
			return p
		}
		image := from.Cached(p.AppImage().ValueString())
		before, _ := FindParty(prior.Parties().Items, p.Key())
		last := private.Deployed[p.Key().String()].AppImage
		if image != nil && !p.Image().IsNull() && before.AppImage().Equal(p.AppImage()) && last != "" && last != image.Reference() {
			return p
		}
		if image != nil && (!p.Image().IsNull() || from.IsPartner == nil || from.IsPartner(p.DomainID().ValueString()).Equal(types.BoolValue(false))) {
			return p.WithPartyAttribute(AttrImage, types.StringValue(image.Reference()))
		}
		return p
	})
}

// isCreatedAgain reports whether another client has deleted the serving and created it
// again since prior.
func isCreatedAgain(prior Serving, response *kuscia.Serving) bool {
	before := prior.CreateTime().ValueString()
	return before != "" && response.Status != nil && response.Status.CreateTime != "" && response.Status.CreateTime != before
}

// recordResponse records the containers of the parties that now have stored
// resources, from the server's response, and drops what is no longer needed.
func recordResponse(d Private, response *kuscia.Serving, state Serving) Private {
	known := d.Containers
	d.Containers = nil
	parties := state.Parties().Items
	for _, p := range parties {
		wire := FindWire(response.Parties, p.Key())
		if wire == nil || !p.Resources().Spec().IsSet() && !d.ResourcesObserved(p.Key()) {
			continue
		}
		names := known[p.Key().String()]
		if len(names) == 0 {
			names = ResponseContainers(wire.Resources)
		}
		d = d.WithContainers(p.Key(), names)
	}
	return d
}

// FromResponse returns the state of a serving after a response of Kuscia: what
// differs in meaning from prior is taken from the response, and everything else
// keeps its spelling, and parties their names. defaultReplicas returns the replicas of a party
// whose replicas were never set; the app image's template determines them.
func FromResponse(prior Serving, response *kuscia.Serving, private Private, defaultReplicas func(kuscia.ServingParty) int32) (Serving, Private) {
	state := prior.WithDefaults().WithServingAttribute("id", prior.ServingID()).
		WithServingAttribute("initiator", types.StringValue(response.Initiator)).
		WithServingAttribute(AttrConfig, refreshConfigText(prior, response.ServingInputConfig))

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
	return state.WithParties(PartiesOf(parties...)).WithServingAttribute("endpoints", endpoints).WithServingAttribute("create_time", createTime), private
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
