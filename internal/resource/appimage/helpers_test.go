package appimage

import (
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// config creates a configuration from a tree in which any part may be missing
// or unknown.
func config(in tree) tftypes.Value { return appImage.Definition.Encode(in) }

// change is the planned change of an app image.
type change struct {
	planned tftypes.Value
	replace bool
}

func plan(config, prior tftypes.Value) change {
	made := appImage.Definition.Plan(config, prior, definition.PlanOptions{})
	return change{made.Planned, len(made.Replaces) > 0}
}

func refreshed(response, prior tftypes.Value) tftypes.Value {
	return appImage.Definition.Refreshed(response, prior)
}

func createRequest(planned tftypes.Value) (*kuscia.AppImage, diag.Diagnostics) {
	return appImage.Request(planned, none())
}

// definitionOf returns a state without its computed attributes.
func definitionOf(value tftypes.Value) tftypes.Value {
	fields := maps.Clone(definition.FieldsOf(value))
	if fields == nil {
		return none()
	}
	for _, name := range []string{"id", attrRolloutRevision, attrDefinitionRevision} {
		fields[name] = tftypes.NewValue(tftypes.String, nil)
	}
	return tftypes.NewValue(appImage.Definition.Type(), fields)
}

// none is the prior state of a resource that does not exist yet.
func none() tftypes.Value { return tftypes.NewValue(appImage.Definition.Type(), nil) }

// minimal returns a minimal app image, with changes applied.
func minimal(with ...func(tree)) tree {
	t := tree{
		"name":  "app",
		"image": tree{"name": "example/app", "tag": "1"},
		"deploy_templates": []any{tree{
			"name":       "app",
			"containers": []any{tree{"name": "app"}},
		}},
	}
	for _, change := range with {
		change(t)
	}
	return t
}

// inTemplate, inContainer and inImage set one attribute of minimal.
func inTemplate(name string, value any) func(tree) {
	return func(t tree) { template(t)[name] = value }
}

func inContainer(name string, value any) func(tree) {
	return func(t tree) { template(t)["containers"].([]any)[0].(tree)[name] = value }
}

func inImage(name string, value any) func(tree) {
	return func(t tree) { t["image"].(tree)[name] = value }
}

func at(name string, value any) func(tree) {
	return func(t tree) { t[name] = value }
}

func template(t tree) tree { return t["deploy_templates"].([]any)[0].(tree) }

// pathsOf returns the paths of issues as text, in order.
func pathsOf(found []check.Issue) []string {
	var out []string
	for _, i := range found {
		out = append(out, i.At.String())
	}
	slices.Sort(out)
	return out
}
