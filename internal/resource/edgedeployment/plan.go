package edgedeployment

import (
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// change is the planned change of a deployment.
type change struct {
	// planned is the value to plan. It equals the prior state if nothing
	// changes.
	planned tftypes.Value
	// replaces are the changes that require a replacement.
	replaces []definition.Replacement
}

// providerSettings has the settings of the provider block for a new deployment.
type providerSettings struct {
	known                 bool
	projectID, instanceID string
}

// plan plans the difference between a configuration and the prior state. prior
// is null for a deployment that is to be created.
func plan(config, prior tftypes.Value, settings providerSettings, imported bool) change {
	p := deployment.Plan(fillVolumes(config), prior, definition.PlanOptions{Imported: imported})
	out := change{replaces: p.Replaces}
	for _, at := range p.Sent {
		if fixed, unknown := fixedInV2(p.Planned, at); fixed {
			out.replaces = append(out.replaces, definition.Replacement{Path: at, Why: whyFixedInV2, Unknown: unknown})
		}
	}
	fields := copied(p.Planned)
	isNew := prior.IsNull() || len(out.replaces) > 0
	if isNew {
		for _, name := range []string{"id", "created_at", "project_id"} {
			fields[name] = definition.UnknownString()
		}
		if settings.known {
			fields["project_id"] = definition.StringValue(settings.projectID)
			if !fields["instance_id"].IsKnown() {
				fields["instance_id"] = definition.StringValue(settings.instanceID)
			}
		}
	}
	out.planned = tftypes.NewValue(deployment.Type(), fields)
	out.planned = deployment.WithRollout(out.planned, definition.PlannedRollout(prior, out.planned, isNew || rollsOut(p.Sent), definition.BoolValue(true)))
	return out
}

// whyFixedInV2 explains a replacement because of fixedInV2.
const whyFixedInV2 = "Version v2 of the API takes the name and the version of the container only when the deployment is created, so that a change needs a new deployment."

// fixedInV2 reports whether an update in v2 cannot change an attribute: it has
// no fields for the name and the version of the app. unknown reports that it
// may turn out to be unchanged.
func fixedInV2(planned tftypes.Value, at path.Path) (fixed, unknown bool) {
	if definition.StringOf(definition.FieldsOf(planned)["api_version"]) != string(ief.V2) {
		return false, false
	}
	containers := path.Root("containers")
	app := containers.AtListIndex(0)
	value := definition.FieldsOf(planned)["containers"]
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

// rollsOut reports whether a change affects instances. A change of the
// description does not.
func rollsOut(changed []path.Path) bool {
	for _, at := range changed {
		if !at.Equal(path.Root("description")) {
			return true
		}
	}
	return false
}
