package serving

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// createRequest builds the create request of a planned serving. A value that
// is still unknown is an error on its path, never a zero value.
func createRequest(planned model, diags *diag.Diagnostics) *kuscia.CreateServingRequest {
	requireKnown(diags, path.Root("serving_id"), planned.ServingID)
	requireKnown(diags, path.Root("initiator"), planned.Initiator)
	requireKnown(diags, path.Root(attrConfig), planned.ServingInputConfig)
	requireKnown(diags, path.Root("affinity_mode"), planned.AffinityMode)
	parties := knownParties(planned, diags)
	if diags.HasError() {
		return nil
	}
	request := &kuscia.CreateServingRequest{
		ServingID:          planned.ServingID.ValueString(),
		ServingInputConfig: planned.ServingInputConfig.ValueString(),
		Initiator:          planned.Initiator.ValueString(),
		AffinityMode:       planned.AffinityMode.ValueString(),
		Parties:            make([]kuscia.ServingParty, len(parties)),
	}
	for i, p := range parties {
		replicas := p.replicas.ValueInt32()
		request.Parties[i] = kuscia.ServingParty{
			DomainID: p.domainID.ValueString(), Role: p.role.ValueString(), AppImage: p.appImage.ValueString(),
			Replicas: &replicas, UpdateStrategy: p.strategy.wire(), Resources: p.resources.wire(),
			ServiceNamePrefix: p.serviceNamePrefix.ValueString(),
		}
	}
	return request
}

// updateRequest builds the update that turns prior into planned, with nothing
// in it but the parties and fields that change: Kuscia merges what it gets. It
// returns nil when nothing that Kuscia stores changes.
func updateRequest(planned, prior model, private privateData, diags *diag.Diagnostics) *kuscia.UpdateServingRequest {
	requireKnown(diags, path.Root(attrConfig), planned.ServingInputConfig)
	parties := knownParties(planned, diags)
	if diags.HasError() {
		return nil
	}
	for _, reason := range planFixed(planned, prior) {
		addKnownTooLate(diags, reason.path, reason.why)
	}
	request := &kuscia.UpdateServingRequest{ServingID: prior.ServingID.ValueString()}
	if !tfvalue.ConfigTextEqual(planned.ServingInputConfig.ValueString(), prior.ServingInputConfig.ValueString()) {
		request.ServingInputConfig = planned.ServingInputConfig.ValueString()
	}
	priorOf := make(map[partyKey]party, len(prior.Parties.items))
	for _, p := range prior.Parties.items {
		priorOf[p.key()] = p
	}
	for i, p := range parties {
		old := priorOf[p.key()]
		change := compareParties(old, p, private)
		for _, reason := range change.replace {
			addKnownTooLate(diags, path.Root("parties").AtListIndex(i).AtName(reason.attribute), reason.why)
		}
		if change.any() {
			request.Parties = append(request.Parties, updateParty(old, p, change, private))
		}
	}
	if diags.HasError() || (request.ServingInputConfig == "" && len(request.Parties) == 0) {
		return nil
	}
	return request
}

// addKnownTooLate reports a value that was unknown in the plan and turns out
// to be one that only a new serving can have. Left out of the update it would
// be in the state and nowhere else.
func addKnownTooLate(diags *diag.Diagnostics, at path.Path, why string) {
	diags.AddAttributeError(at, "Kuscia cannot change this on a live serving",
		strings.TrimSpace(why+" The value was not known when this was planned. Nothing was sent; plan and apply again, and the plan replaces the serving."))
}

func updateParty(old, p party, change partyChange, private privateData) kuscia.ServingParty {
	wire := kuscia.ServingParty{DomainID: p.domainID.ValueString(), Role: p.role.ValueString()}
	if change.appImage {
		wire.AppImage = p.appImage.ValueString()
	}
	if change.replicas {
		replicas := p.replicas.ValueInt32()
		wire.Replicas = &replicas
	}
	if change.strategy {
		wire.UpdateStrategy = p.strategy.wire()
	}
	switch stored := private.containers(p.key()); {
	case change.firstResources:
		// Kuscia looks the app image up to expand a first list; it may only
		// do so for the image that this update sets.
		wire.Resources = p.resources.wire()
	case len(change.containers) > 0 && private.observed(p.key()):
		// It is not known whether Kuscia stores the values or shows those of
		// the app image; complete values for all containers fit both.
		wanted := p.resources.form()
		for _, name := range stored {
			wire.Resources = append(wire.Resources, wanted.of(name).wire(name))
		}
	default:
		before, wanted := old.resources.form(), p.resources.form()
		for _, name := range change.containers {
			wire.Resources = append(wire.Resources, wanted.of(name).changedFrom(before.of(name)).wire(name))
		}
		if slices.Contains(change.containers, "") {
			wire.Resources = append(wire.Resources, shields(wanted, change.containers)...)
		}
	}
	return wire
}

// shields are entries of no value. They keep the values for all containers,
// sent because the stored containers are not known, from those that have their
// own: Kuscia takes one entry for a container, the named one first.
func shields(wanted form, sent []string) (entries []kuscia.Resource) {
	for _, name := range wanted.names() {
		if !slices.Contains(sent, name) {
			entries = append(entries, amounts{}.wire(name))
		}
	}
	return entries
}

// changedFrom keeps of a what differs from b.
func (a amounts) changedFrom(b amounts) amounts {
	keep := func(now, then string) string {
		if tfvalue.QuantityEqual(now, then) {
			return ""
		}
		return now
	}
	return amounts{
		minCPU: keep(a.minCPU, b.minCPU), maxCPU: keep(a.maxCPU, b.maxCPU),
		minMemory: keep(a.minMemory, b.minMemory), maxMemory: keep(a.maxMemory, b.maxMemory),
	}
}

// wire is the strategy as Kuscia takes it: always whole, since an update
// replaces it whole.
func (s strategy) wire() *kuscia.UpdateStrategy {
	return &kuscia.UpdateStrategy{
		Type: s.kind.ValueString(), MaxSurge: s.surge.ValueString(), MaxUnavailable: s.unavailable.ValueString(),
	}
}

// wire is the list as it is written; nil where it asks for nothing, which the
// server would otherwise take for a list of empty values.
func (l resourceList) wire() []kuscia.Resource {
	if !l.form().asks() {
		return nil
	}
	resources := make([]kuscia.Resource, len(l.items))
	for i, item := range l.items {
		resources[i] = item.amounts().wire(item.container.ValueString())
	}
	return resources
}

// respell gives a JSON text other insignificant white space than the text that
// Kuscia has, so that the controller sees a change and rolls every party.
func respell(text, current string) string {
	if text != current {
		return text
	}
	if trimmed := strings.TrimRight(text, "\n"); trimmed != text {
		return trimmed
	}
	return text + "\n"
}

// knownParties takes the parties apart and reports every part that is unknown.
func knownParties(planned model, diags *diag.Diagnostics) []party {
	root := path.Root("parties")
	if planned.Parties.isUnknown() {
		diags.AddAttributeError(root, "Unknown value", unknownDetail)
		return nil
	}
	for i, p := range planned.Parties.items {
		if !p.known() {
			diags.AddAttributeError(root.AtListIndex(i), "Unknown value", unknownDetail)
		}
	}
	return planned.Parties.items
}

const unknownDetail = "The value is still unknown when Kuscia has to be told about it. This is a mistake in the provider; please report it with the configuration."

func requireKnown(diags *diag.Diagnostics, at path.Path, value attr.Value) {
	if value.IsUnknown() {
		diags.AddAttributeError(at, "Unknown value", fmt.Sprintf("%s: %s", at, unknownDetail))
	}
}
