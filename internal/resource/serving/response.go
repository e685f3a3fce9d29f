package serving

import (
	"cmp"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// refresh is the state of a serving after Kuscia was asked: what differs in
// meaning from prior is taken from the answer, the rest keeps its spelling and
// order. defaultReplicas answers for a party whose replicas were never set;
// the app image's template decides then.
func refresh(prior model, answer *kuscia.Serving, private privateData, defaultReplicas func(kuscia.ServingParty) int32) (model, privateData) {
	state := withDefaults(prior)
	state.ID, state.ServingID = prior.ServingID, prior.ServingID
	state.Initiator = types.StringValue(answer.Initiator)
	first := prior.Initiator.IsNull() // after an import
	state.ServingInputConfig = refreshConfigText(prior, answer.ServingInputConfig, first)
	if first {
		private.ObservedConfig = answer.ServingInputConfig != ""
	}

	before := prior.Parties.items
	parties := make([]party, 0, len(answer.Parties))
	for _, wire := range inOrderOf(before, answer.Parties) {
		key := partyKey{wire.DomainID, wire.Role}
		old, known := findParty(before, key)
		p := refreshParty(old, known, wire, private, defaultReplicas)
		if !known && p.resources.form().asks() && !private.observed(key) {
			private.Observed = append(slices.Clone(private.Observed), key.String())
			private = private.withContainers(key, answerContainers(wire.Resources))
		}
		private = private.observeReplicas(key, known, wire.Replicas)
		parties = append(parties, p)
	}
	state.Parties = partiesOf(parties...)
	state.Endpoints, state.CreateTime = refreshComputed(prior, answer.Status)
	return state, private
}

// refreshConfigText keeps a hidden text out of the state, and no text as it is.
// After an import no text is an empty one: Terraform lets a plan keep that
// whether the configuration has "" or nothing.
func refreshConfigText(prior model, text string, first bool) tfvalue.ConfigText {
	if prior.hidesConfig() || text == "" && prior.ServingInputConfig.IsNull() && !first {
		return tfvalue.NewConfigTextNull()
	}
	return keepConfigText(tfvalue.NewConfigTextValue(text), prior.ServingInputConfig)
}

// observeReplicas notes a party that is new to the state and was never given a
// number of replicas, until it is given one.
func (d privateData) observeReplicas(key partyKey, known bool, stored *int32) privateData {
	name := key.String()
	noted := slices.Contains(d.ObservedReplicas, name)
	switch {
	case stored == nil && !known && !noted:
		d.ObservedReplicas = append(slices.Clone(d.ObservedReplicas), name)
	case stored != nil && noted:
		d.ObservedReplicas = slices.DeleteFunc(slices.Clone(d.ObservedReplicas), func(other string) bool { return other == name })
	}
	return d
}

func (d privateData) withContainers(key partyKey, names []string) privateData {
	containers := make(map[string][]string, len(d.Containers)+1)
	for party, stored := range d.Containers {
		containers[party] = stored
	}
	containers[key.String()] = names
	d.Containers = containers
	return d
}

func findParty(parties []party, key partyKey) (party, bool) {
	i := slices.IndexFunc(parties, func(p party) bool { return p.key() == key })
	if i < 0 {
		return party{}, false
	}
	return parties[i], true
}

// inOrderOf puts the parties of an answer into the order of the state; those
// that the state does not know come last, in the order of the answer.
func inOrderOf(before []party, answer []kuscia.ServingParty) []kuscia.ServingParty {
	rank := func(wire kuscia.ServingParty) int {
		i := slices.IndexFunc(before, func(p party) bool { return p.key() == partyKey{wire.DomainID, wire.Role} })
		if i < 0 {
			return len(before)
		}
		return i
	}
	ordered := slices.Clone(answer)
	slices.SortStableFunc(ordered, func(a, b kuscia.ServingParty) int { return cmp.Compare(rank(a), rank(b)) })
	return ordered
}

func refreshParty(old party, known bool, wire kuscia.ServingParty, private privateData, defaultReplicas func(kuscia.ServingParty) int32) party {
	p := party{
		domainID:          types.StringValue(wire.DomainID),
		role:              types.StringValue(wire.Role),
		appImage:          types.StringValue(wire.AppImage),
		serviceNamePrefix: types.StringValue(wire.ServiceNamePrefix),
		strategy:          readStrategy(wire.UpdateStrategy),
		resources:         observedResources(wire.Resources),
	}
	switch {
	case wire.Replicas != nil:
		p.replicas = types.Int32Value(*wire.Replicas)
	case known:
		p.replicas = old.replicas
	default:
		p.replicas = types.Int32Value(defaultReplicas(wire))
	}
	if !known {
		return p
	}
	if sameStrategy(p.strategy, old.strategy) {
		p.strategy = old.strategy
	}
	p.resources = refreshResources(old, wire.Resources, private)
	return p
}

// refreshResources keeps the user's form as long as the answer, which has one
// entry for each container, equals its expansion. Where nobody asked for
// resources the answer shows the app image's own and is ignored. Containers
// that Kuscia stores nothing for are those of a newer app image; they never
// run on this serving.
func refreshResources(old party, answer []kuscia.Resource, private privateData) resourceList {
	wanted := old.resources.form()
	if !wanted.asks() {
		return old.resources
	}
	relevant := answer
	if stored := private.containers(old.key()); len(stored) > 0 {
		relevant = slices.DeleteFunc(slices.Clone(answer), func(r kuscia.Resource) bool { return !slices.Contains(stored, r.ContainerName) })
	}
	if wanted.equal(observedResources(relevant).form(), answerContainers(relevant)) {
		return old.resources
	}
	return observedResources(relevant)
}

func readStrategy(wire *kuscia.UpdateStrategy) strategy {
	if wire == nil || wire.Type == "" {
		return strategy{null: true}.withDefaults()
	}
	s := strategy{kind: types.StringValue(wire.Type)}
	if wire.MaxSurge != "" {
		s.surge = types.StringValue(wire.MaxSurge)
	}
	if wire.MaxUnavailable != "" {
		s.unavailable = types.StringValue(wire.MaxUnavailable)
	}
	return s.withDefaults()
}

// refreshComputed reads what only the status has. A status that is not there
// yet leaves what was known.
func refreshComputed(prior model, status *kuscia.ServingStatusDetail) (types.List, types.String) {
	endpoints, createTime := prior.Endpoints, prior.CreateTime
	if status != nil {
		endpoints = encodeEndpoints(status.PartyStatuses)
		createTime = types.StringValue(status.CreateTime)
	}
	if endpoints.IsNull() || endpoints.IsUnknown() {
		endpoints = types.ListValueMust(endpointType, nil)
	}
	if createTime.IsUnknown() {
		createTime = types.StringNull()
	}
	return endpoints, createTime
}

// encodeEndpoints lists all endpoints sorted: Kuscia answers in random order.
func encodeEndpoints(statuses []kuscia.PartyStatus) types.List {
	type entry struct{ domainID, role, portName, scope, endpoint string }
	var entries []entry
	for _, status := range statuses {
		for _, e := range status.Endpoints {
			entries = append(entries, entry{status.DomainID, status.Role, e.PortName, e.Scope, e.Endpoint})
		}
	}
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.domainID, b.domainID), cmp.Compare(a.role, b.role),
			cmp.Compare(a.portName, b.portName), cmp.Compare(a.endpoint, b.endpoint), cmp.Compare(a.scope, b.scope))
	})
	elements := make([]attr.Value, len(entries))
	for i, e := range entries {
		elements[i] = types.ObjectValueMust(endpointType.AttrTypes, map[string]attr.Value{
			"domain_id": types.StringValue(e.domainID), "role": types.StringValue(e.role),
			"port_name": types.StringValue(e.portName), "scope": types.StringValue(e.scope),
			"endpoint": types.StringValue(e.endpoint),
		})
	}
	return types.ListValueMust(endpointType, elements)
}
