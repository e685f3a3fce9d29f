package rules

import (
	"fmt"
	"hash/fnv"
	"io"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
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
		requireKnown(diags, p.Path().AtName(party.AttrPodRevision), p.At(party.AttrPodRevision))
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
