package edgedeployment

import (
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// replacesInV2 returns the changes that only version v2 cannot make in place.
func replacesInV2(plan definition.Plan) (replaces []definition.Replacement) {
	for _, at := range plan.Sent {
		if fixed, unknown := fixedInV2(plan.Planned, at); fixed {
			replaces = append(replaces, definition.Replacement{Path: at, Why: whyFixedInV2, Unknown: unknown})
		}
	}
	return replaces
}

// whyFixedInV2 explains a replacement because of fixedInV2.
const whyFixedInV2 = "Version v2 of the API takes the name and the version of the container only when the deployment is created, so that a change needs a new deployment."

// fixedInV2 reports whether an update in v2 cannot change an attribute: it has
// no fields for the name and the version of the app. unknown reports that it
// may turn out to be unchanged.
func fixedInV2(planned tftypes.Value, at path.Path) (fixed, unknown bool) {
	if definition.StringOf(definition.At(planned, "api_version")) != string(ief.V2) {
		return false, false
	}
	containers := path.Root("containers")
	app := containers.AtListIndex(0)
	value := definition.At(planned, "containers")
	if at.Equal(containers) && !value.IsKnown() {
		return true, true
	}
	elements := definition.ElementsOf(value)
	if len(elements) == 0 {
		return false, false
	}
	container := definition.FieldsOf(elements[0])
	switch {
	case at.Equal(app.AtName("name")):
		return true, !container["name"].IsKnown()
	case at.Equal(app.AtName("version")):
		return true, !container["version"].IsKnown()
	case at.Equal(app):
		return !elements[0].IsKnown(), true
	default:
		return false, false
	}
}

// withRevision returns a planned deployment with the revision of its instances after a create, with
// nothing sent, or an update. It is unknown if only values that may turn out to be unchanged are sent.
func withRevision(planned, prior definition.Value, sent []path.Path) definition.Value {
	before, replaces := types.Int64Null(), types.BoolValue(false)
	if !prior.IsNull() {
		before = definition.Int64Of(definition.At(prior, attrInstanceRevision))
	}
	for _, at := range templateChanges(sent) {
		changes := types.BoolUnknown()
		if definition.ValueAt(planned, at).IsFullyKnown() {
			changes = types.BoolValue(true)
		}
		replaces = tfvalue.Or(replaces, changes)
	}
	return definition.WithFields(planned, map[string]definition.Value{attrInstanceRevision: definition.Int64Value(party.RevisionAfter(before, replaces))})
}
