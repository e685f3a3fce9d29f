package rules

import (
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// CreateRequest returns the create request of a planned serving. A value that is
// still unknown is an error at its path, never a zero value.
func CreateRequest(planned Serving, diags *diag.Diagnostics) *kuscia.CreateServingRequest {
	requireKnown(diags, path.Root("serving_id"), planned.ServingID())
	requireKnown(diags, path.Root("initiator"), planned.Initiator())
	requireKnown(diags, path.Root(AttrConfig), planned.ServingInputConfig())
	requireKnown(diags, path.Root("affinity_mode"), planned.String("affinity_mode"))
	parties := knownParties(planned, diags)
	if diags.HasError() {
		return nil
	}
	request := &kuscia.CreateServingRequest{
		ServingID:          planned.ServingID().ValueString(),
		ServingInputConfig: planned.ServingInputConfig().ValueString(),
		Initiator:          planned.Initiator().ValueString(),
		AffinityMode:       planned.String("affinity_mode").ValueString(),
		Parties:            make([]kuscia.ServingParty, len(parties)),
	}
	for i, p := range parties {
		replicas := p.Replicas().ValueInt32()
		request.Parties[i] = kuscia.ServingParty{
			DomainID: p.DomainID().ValueString(), Role: p.Role().ValueString(), AppImage: p.AppImage().ValueString(),
			Replicas: &replicas, UpdateStrategy: p.Strategy().Wire(), Resources: p.Resources().Wire(),
			ServiceNamePrefix: p.ServiceNamePrefix().ValueString(),
		}
	}
	return request
}

// UpdateRequest returns the update from prior to planned with only the parties
// and fields that change: Kuscia merges the request. It returns nil if nothing
// that Kuscia stores changes.
func UpdateRequest(planned, prior Serving, private Private, diags *diag.Diagnostics) *kuscia.UpdateServingRequest {
	requireKnown(diags, path.Root(AttrConfig), planned.ServingInputConfig())
	parties := knownParties(planned, diags)
	if diags.HasError() {
		return nil
	}
	for _, reason := range planFixed(planned, prior) {
		addUnchangeable(diags, reason.Path, reason.Why)
	}
	request := &kuscia.UpdateServingRequest{ServingID: prior.ServingID().ValueString()}
	if sendsText(planned, prior) {
		request.ServingInputConfig = planned.ServingInputConfig().ValueString()
	}
	for _, p := range parties {
		old, _ := FindParty(prior.Parties().Items, p.Key())
		change := CompareParties(old, p, private)
		for _, reason := range change.Replace {
			addUnchangeable(diags, reason.path(old, p), reason.Why)
		}
		if change.Any() {
			request.Parties = append(request.Parties, updateParty(old, p, change, private))
		}
	}
	if diags.HasError() || (request.ServingInputConfig == "" && len(request.Parties) == 0) {
		return nil
	}
	return request
}

// addUnchangeable reports a value that was unknown in the plan and can only be
// set on a new serving. Without the error it would be in the state and not on
// the server.
func addUnchangeable(diags *diag.Diagnostics, at path.Path, why string) {
	diags.AddAttributeError(at, "Kuscia cannot change this on a live serving",
		strings.TrimSpace(why+" The value was not known when this was planned. Nothing was sent; plan and apply again, and the plan replaces the serving."))
}

func updateParty(old, p Party, change PartyChange, private Private) kuscia.ServingParty {
	wire := kuscia.ServingParty{DomainID: p.DomainID().ValueString(), Role: p.Role().ValueString()}
	if change.AppImage {
		wire.AppImage = p.AppImage().ValueString()
	}
	if change.Replicas {
		replicas := p.Replicas().ValueInt32()
		wire.Replicas = &replicas
	}
	if change.Strategy {
		wire.UpdateStrategy = p.Strategy().Wire()
	}
	switch stored := private.ContainersOf(p.Key()); {
	case change.FirstResources:
		// Kuscia looks up the app image to expand a first list; it must do so
		// only for the image that this update sets.
		wire.Resources = p.Resources().Wire()
	case len(change.Containers) > 0 && private.ResourcesObserved(p.Key()):
		// It is unknown whether Kuscia stores the values or shows those of the
		// app image; complete values for all containers are correct in both
		// cases.
		desired := p.Resources().Spec()
		for _, name := range stored {
			wire.Resources = append(wire.Resources, desired.ForContainer(name).Wire(name))
		}
	default:
		before, desired := old.Resources().Spec(), p.Resources().Spec()
		for _, name := range change.Containers {
			wire.Resources = append(wire.Resources, desired.ForContainer(name).ChangedFrom(before.ForContainer(name)).Wire(name))
		}
		if slices.Contains(change.Containers, "") {
			wire.Resources = append(wire.Resources, emptyEntries(desired, change.Containers)...)
		}
	}
	return wire
}

// emptyEntries returns entries without values. The values for all containers are
// sent if the stored containers are unknown; these entries exclude the
// containers with values of their own, since Kuscia uses one entry for a
// container, the named one first.
func emptyEntries(desired ResourceSpec, sent []string) (entries []kuscia.Resource) {
	for _, name := range desired.Names() {
		if !slices.Contains(sent, name) {
			entries = append(entries, Amounts{}.Wire(name))
		}
	}
	return entries
}

// ChangeWhitespace gives a JSON text different insignificant white space from
// the text that Kuscia has, so that the controller detects a change and restarts
// the pods of every party.
func ChangeWhitespace(text, current string) string {
	if text != current {
		return text
	}
	if trimmed := strings.TrimRight(text, "\n"); trimmed != text {
		return trimmed
	}
	return text + "\n"
}

// MarkWhitespace is ChangeWhitespace for a text in Kuscia that cannot be read:
// it ends in 32 spaces and tabs, a hash of the triggers, so that it differs from
// the text that was sent for other triggers.
func MarkWhitespace(text string, triggers types.Map) string {
	hash := fnv.New32a()
	_, _ = io.WriteString(hash, triggers.String())
	mark := strings.NewReplacer("0", " ", "1", "\t").Replace(fmt.Sprintf("%032b", hash.Sum32()))
	return text + mark
}

// knownParties returns the parties and reports every part that is unknown.
func knownParties(planned Serving, diags *diag.Diagnostics) []Party {
	root := path.Root("parties")
	if planned.Parties().IsUnknown() {
		diags.AddAttributeError(root, "Unknown value at apply", unknownDetail)
		return nil
	}
	for _, p := range planned.Parties().Items {
		if !p.Known() {
			diags.AddAttributeError(p.Path(), "Unknown value at apply", unknownDetail)
		}
		requireKnown(diags, p.Path().AtName(AttrImage), p.Image())
		requireKnown(diags, p.Path().AtName(party.AttrPodRevision), p.PodRevision())
	}
	return planned.Parties().Items
}

const unknownDetail = "The value is still unknown when it has to be sent to Kuscia. This is a bug in the provider; please report it with the configuration."

func requireKnown(diags *diag.Diagnostics, at path.Path, value attr.Value) {
	if value.IsUnknown() {
		diags.AddAttributeError(at, "Unknown value at apply", fmt.Sprintf("%s: %s", at, unknownDetail))
	}
}

// Redeployable reports whether a configuration text can be sent again with
// different white space, which restarts the pods of every party.
func Redeployable(config types.String) bool {
	return config.IsUnknown() || tfvalue.IsJSON(config.ValueString())
}

// Update is what an update has to send.
type Update struct {
	// Request is what changes; nil if nothing that Kuscia stores does.
	Request *kuscia.UpdateServingRequest
	// Redeploys is whether the pods of every party have to be restarted besides, and Follows
	// whether the request is only to apply what the app images have now.
	Redeploys, Follows bool
}

// Sends reports whether anything is sent.
func (u Update) Sends() bool { return u.Request != nil || u.Redeploys || u.Follows }

// UpdateOf returns the change from prior to planned.
func UpdateOf(planned, prior Serving, private Private, diags *diag.Diagnostics) Update {
	u := Update{Request: UpdateRequest(planned, prior, private, diags), Redeploys: triggered(planned.RedeployTriggers(), prior.RedeployTriggers())}
	if u.Request == nil && !u.Redeploys && changesPods(planned, prior) {
		u.Follows = canRespell(planned)
		u.Redeploys = !u.Follows
	}
	return u
}
