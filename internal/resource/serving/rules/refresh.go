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
	changed, _ := ChangedElsewhere(prior, state, private)
	parties, private := from.withPods(prior, state, response, private, changed)
	return state.WithServingAttribute(definition.AttrRolloutComplete, complete).WithParties(parties), private
}

// withPods returns the parties with their images and pod revisions, and what is known of their pods
// and of the resources that Kuscia stores for them. updated is whether another client has updated
// the serving.
func (from Sources) withPods(prior, state Serving, response *kuscia.Serving, private Private, updated bool) (Parties, Private) {
	pods := event(DeployedParty.refreshed)
	if updated {
		pods = DeployedParty.updated
	}
	after := private
	after.Deployed, after.Containers = nil, nil
	parties := state.Parties().Changed(func(p Party) Party {
		wire := FindWire(response.Parties, p.Key())
		before, _ := FindParty(prior.Parties().Items, p.Key())
		p = p.WithPartyAttribute(AttrImage, from.imageOf(p, before, private, updated))
		deployed, known, replaced := private.deployed(p, wire, from.Cached, pods)
		if known {
			after.Deployed = with(after.Deployed, p.Key(), deployed)
		}
		if replaced { // by an update that the pod revision does not count
			p = p.WithPartyAttribute(party.AttrPodRevision, party.RevisionAfter(p.PodRevision(), types.BoolValue(true)))
		}
		if names := private.storedContainers(p, wire); names != nil {
			after.Containers = with(after.Containers, p.Key(), names)
		}
		return p
	})
	return parties, after
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
			shown[r.ContainerName] = podAmounts(AmountsOf(r))
		}
		if maps.Equal(own, shown) {
			return p.WithResources(Resources{})
		}
		return p
	})
}

// imageOf returns the image that the pods of a party run, or will run once Kuscia has applied the
// last update: that of the Deployment if the refresh has read it, else, after an update by another
// client and where nothing is known yet, that which the app image has now. An app image that has
// changed since the last refresh may have done so after that update, so that its old image is kept:
// at worst the pods are restarted once more.
func (from Sources) imageOf(p, before Party, private Private, updated bool) types.String {
	if seen := from.Deployments.PartyOf(p.Key().DomainID, p.Key().Role); seen.Image != "" && (seen.Applied || p.Image().IsNull() && !updated) {
		return types.StringValue(seen.Image)
	}
	if !updated && !p.Image().IsNull() {
		return p.Image()
	}
	image, last := from.Cached(p.AppImage().ValueString()), private.Deployed[p.Key().String()].AppImage
	switch {
	case image == nil:
	case !p.Image().IsNull() && before.AppImage().Equal(p.AppImage()) && last != "" && last != image.Reference():
	case !p.Image().IsNull(), from.IsPartner == nil, from.IsPartner(p.DomainID().ValueString()).Equal(types.BoolValue(false)):
		return types.StringValue(image.Reference())
	}
	return p.Image()
}

// isCreatedAgain reports whether another client has deleted the serving and created it
// again since prior.
func isCreatedAgain(prior Serving, response *kuscia.Serving) bool {
	before := prior.CreateTime().ValueString()
	return before != "" && response.Status != nil && response.Status.CreateTime != "" && response.Status.CreateTime != before
}

// storedContainers returns the containers of a party for which Kuscia stores resources, from the
// response that showed them first; nil if it stores none.
func (d Private) storedContainers(p Party, wire *kuscia.ServingParty) []string {
	switch names := d.ContainersOf(p.Key()); {
	case wire == nil, !p.Resources().Spec().IsSet() && !d.ResourcesObserved(p.Key()):
		return nil
	case len(names) > 0:
		return names
	}
	return ResponseContainers(wire.Resources)
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
