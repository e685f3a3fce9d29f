package rules

import (
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// CreateRequest returns the create request of a planned serving. A value that is
// still unknown is an error at its path, never a zero value.
func CreateRequest(planned Serving, diags *diag.Diagnostics) *kuscia.CreateServingRequest {
	for _, a := range Schema.Attributes {
		if a.Presence != definition.Computed && !a.Local && a.Name != attrParties {
			requireKnown(diags, path.Root(a.Name), planned.At(a.Name))
		}
	}
	knownParties(planned, diags)
	if diags.HasError() {
		return nil
	}
	return toWire(planned)
}

// UpdateRequest returns the update from prior to planned with only the parties
// and fields that change: Kuscia merges the request. It returns nil if nothing
// that Kuscia stores changes.
func UpdateRequest(planned, prior Serving, private Private, diags *diag.Diagnostics) *kuscia.UpdateServingRequest {
	requireKnown(diags, path.Root(AttrConfig), planned.At(AttrConfig))
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
		requireKnown(diags, p.Path().AtName(AttrImage), p.At(AttrImage))
	}
	return planned.Parties().Items
}

const unknownDetail = "The value is still unknown when it has to be sent to Kuscia. This is a bug in the provider; please report it with the configuration."

func requireKnown(diags *diag.Diagnostics, at path.Path, value definition.Value) {
	if !value.IsKnown() {
		diags.AddAttributeError(at, "Unknown value at apply", fmt.Sprintf("%s: %s", at, unknownDetail))
	}
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

// Redeploys reports whether an update has to restart the pods of every party
// although no other attribute requires it: because of a trigger, or because nothing else
// makes Kuscia apply what its app images have now.
func Redeploys(planned, prior Serving, private Private) bool {
	return triggered(planned.RedeployTriggers(), prior.RedeployTriggers()) || followsOnly(planned, prior, private) && !canRespell(planned)
}

// RedeployCause returns the path of the attribute because of which an update restarts
// pods.
func RedeployCause(planned, prior Serving) path.Path {
	if !triggered(planned.RedeployTriggers(), prior.RedeployTriggers()) {
		for _, p := range planned.Parties().Items {
			switch before, ok := FindParty(prior.Parties().Items, p.Key()); {
			case !ok || !p.KeyKnown():
			case changesImage(p, before):
				return p.Path().AtName(AttrImage)
			case ReplacesPodsOf(p, prior):
				return p.Path().AtName(party.AttrPodRevision)
			}
		}
	}
	return path.Root("redeploy_triggers")
}

// NeedsStoredText reports whether an update may restart pods with a write-only text that the
// configuration does not have, so that only the one in Kuscia shows what it does.
func NeedsStoredText(planned, prior, config Serving, private Private) bool {
	return planned.ConfigIsWriteOnly() && planned.ServingInputConfigVersion().Equal(prior.ServingInputConfigVersion()) &&
		config.ServingInputConfigWO().IsUnknown() && Redeploys(planned, prior, private)
}

// followsOnly reports whether a planned update is sent only because of what app images have now.
func followsOnly(planned, prior Serving, private Private) bool {
	return changesPods(planned, prior) && !triggered(planned.RedeployTriggers(), prior.RedeployTriggers()) && !changesServing(planned, prior, private)
}

// FollowRequest returns the update that changes a percentage of the serving that Kuscia has to
// another spelling, preferably one of a party whose pods are replaced; nil if no party has any.
func FollowRequest(planned, prior Serving, found *kuscia.Serving) *kuscia.UpdateServingRequest {
	parties := slices.Clone(planned.Parties().Items)
	slices.SortStableFunc(parties, func(a, b Party) int { return replacedFirst(b, prior) - replacedFirst(a, prior) })
	for _, p := range parties {
		has := FindWire(found.Parties, p.Key())
		if has == nil {
			continue
		}
		if strategy, ok := respelled(p, has.UpdateStrategy); ok {
			party := kuscia.ServingParty{DomainID: p.DomainID().ValueString(), Role: p.Role().ValueString(), UpdateStrategy: strategy}
			return &kuscia.UpdateServingRequest{ServingID: planned.ServingID().ValueString(), Parties: []kuscia.ServingParty{party}}
		}
	}
	return nil
}

func replacedFirst(p Party, prior Serving) int {
	if ReplacesPodsOf(p, prior) {
		return 1
	}
	return 0
}

// WarnAllRestart warns of an update that replaces the pods of every party although only some have
// another image or other resources.
func WarnAllRestart(planned, prior Serving, private Private, diags *diag.Diagnostics) {
	if len(planned.Parties().Items) < 2 || !followsOnly(planned, prior, private) || canRespell(planned) {
		return
	}
	at := path.Root("parties")
	diags.AddAttributeWarning(at, "New pods for every party", check.WithPath(at,
		"To roll out what an app image has now, the provider spells a percentage of an update_strategy differently, which replaces only the pods that it reaches. No party has a percentage, so serving_input_config is sent again with other white space: "+
			"the pods of every party are replaced. To avoid it, write max_surge or max_unavailable of one party as a percentage, such as \"25%\"."))
}

// WriteRead adds to a request the resources that were read by an import and that the configuration
// has. private is that after the update.
func WriteRead(request *kuscia.UpdateServingRequest, planned Serving, private Private, images party.ImageLookup) {
	for _, p := range planned.Parties().Items {
		image, template := partyTemplate(p, images)
		if template == nil || carries(request, p.Key(), AttrResources) {
			continue
		}
		own := party.OwnResources(image, p.Role().ValueString())
		if !private.Deployed[p.Key().String()].writes(p, own, private) {
			continue
		}
		wire := FindWire(request.Parties, p.Key())
		if wire == nil {
			request.Parties = append(request.Parties, kuscia.ServingParty{DomainID: p.DomainID().ValueString(), Role: p.Role().ValueString()})
			wire = &request.Parties[len(request.Parties)-1]
		}
		spec := p.Resources().Spec()
		for i := range template.Containers {
			name := template.Containers[i].Name
			wire.Resources = append(wire.Resources, spec.ForContainer(name).Wire(name))
		}
	}
}
