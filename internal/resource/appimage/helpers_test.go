package appimage

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"k8s.io/apimachinery/pkg/api/resource"

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

// answered converts a response to a complete definition.
func answered(image *kuscia.AppImage) tftypes.Value {
	return appImage.Definition.FromServer(fromWire(image))
}

// wired converts an app image to a request.
func wired(value tftypes.Value) *kuscia.AppImage {
	reader, _ := definition.Read(value, none())
	return toWire(reader)
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

// created returns the state after a create.
func created(t *testing.T, in tree) tftypes.Value {
	t.Helper()
	planned := plan(config(in), none()).planned
	return afterApply(t, planned)
}

// afterApply checks that a plan can be applied and reads back as planned, and
// returns the state.
func afterApply(t testing.TB, planned tftypes.Value) tftypes.Value {
	t.Helper()
	request, diags := createRequest(planned)
	if diags.HasError() {
		t.Fatalf("request: %v", diags)
	}
	state := refreshed(answered(served(request)), planned)
	if !state.Equal(planned) {
		diff, _ := state.Diff(planned)
		t.Fatalf("the response differs from the plan: %v", diff)
	}
	return state
}

// served returns Kuscia's response to a query for a stored app image: through
// JSON, lists never null, resources null if empty, quantities canonical,
// protocol and scope with defaults.
func served(sent *kuscia.AppImage) *kuscia.AppImage {
	encoded, err := json.Marshal(sent)
	if err != nil {
		panic(err)
	}
	var stored kuscia.AppImage
	if err := json.Unmarshal(encoded, &stored); err != nil {
		panic(err)
	}
	if stored.ConfigTemplates == nil {
		stored.ConfigTemplates = map[string]string{}
	}
	for i := range stored.DeployTemplates {
		for j := range stored.DeployTemplates[i].Containers {
			c := &stored.DeployTemplates[i].Containers[j]
			c.Command, c.Args = notNil(c.Command), notNil(c.Args)
			c.ConfigVolumeMounts, c.Ports = notNil(c.ConfigVolumeMounts), notNil(c.Ports)
			c.Env, c.EnvFrom = notNil(c.Env), notNil(c.EnvFrom)
			for k := range c.Ports {
				if c.Ports[k].Protocol == "" {
					c.Ports[k].Protocol = "HTTP"
				}
				if c.Ports[k].Scope == "" {
					c.Ports[k].Scope = "Local"
				}
			}
			c.Resources = servedResources(c.Resources)
		}
	}
	return &stored
}

func notNil[T any](in []T) []T { return append([]T{}, in...) }

func servedResources(r *kuscia.ResourceRequirements) *kuscia.ResourceRequirements {
	if r == nil {
		return nil
	}
	out := kuscia.ResourceRequirements{Limits: servedSpec(r.Limits), Requests: servedSpec(r.Requests)}
	if out.Limits == nil && out.Requests == nil {
		return nil
	}
	return &out
}

func servedSpec(s *kuscia.ResourceSpec) *kuscia.ResourceSpec {
	if s == nil || s.CPU == "" && s.Memory == "" {
		return nil
	}
	return &kuscia.ResourceSpec{CPU: servedQuantity(s.CPU), Memory: servedQuantity(s.Memory)}
}

func servedQuantity(in string) string {
	if in == "" {
		return ""
	}
	q := resource.MustParse(in)
	return q.String()
}

// pathsOf returns the paths of issues as text, in order.
func pathsOf(found []check.Issue) []string {
	var out []string
	for _, i := range found {
		out = append(out, i.At.String())
	}
	slices.Sort(out)
	return out
}

func decodeImage(body []byte) (*kuscia.AppImage, error) {
	image := &kuscia.AppImage{}
	return image, json.Unmarshal(body, image)
}

var (
	// kusciaName is the rule of the AppImage API (Kuscia v1.1).
	kusciaName = regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$`)
	// kubernetesName is the rule for a DNS subdomain.
	kubernetesName = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`)
)

// filled returns a tree in which every attribute has a value other than its
// default.
func filled(rows []definition.Attribute) tree {
	out := tree{}
	for _, row := range rows {
		if row.Refused != "" {
			continue
		}
		switch row.Type {
		case definition.Number:
			out[row.Name] = int64(7)
		case definition.StringList:
			out[row.Name] = []string{"set"}
		case definition.StringMap:
			out[row.Name] = map[string]string{"set": "set"}
		case definition.Object:
			out[row.Name] = filled(row.Attributes)
		case definition.ObjectList:
			out[row.Name] = []any{filled(row.Attributes)}
		default:
			out[row.Name] = "set"
			if row.SemanticEquality != nil {
				out[row.Name] = "7"
			}
		}
	}
	return out
}
