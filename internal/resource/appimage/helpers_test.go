package appimage

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// unknown stands for a value that is not known, in trees of tests.
type unknown struct{}

// config makes a configuration out of a tree in which anything may be left out
// or unknown.
func config(in tree) tftypes.Value {
	fields := fieldsOf(build(definition, in))
	fields[attrID] = tftypes.NewValue(tftypes.String, nil)
	fields[attrRolloutRevision] = tftypes.NewValue(tftypes.String, nil)
	fields[attrDefinitionRevision] = tftypes.NewValue(tftypes.String, nil)
	return tftypes.NewValue(stateType, fields)
}

func build(m meaning, in any) tftypes.Value {
	switch v := in.(type) {
	case unknown:
		return tftypes.NewValue(m.tfType, tftypes.UnknownValue)
	case float64:
		return tftypes.NewValue(tftypes.Number, v)
	case int:
		return numberValue(int64(v))
	case tree:
		values := map[string]tftypes.Value{}
		for name := range v {
			if _, ok := m.fields[name]; !ok {
				panic("no attribute " + name)
			}
		}
		for name, field := range m.fields {
			values[name] = build(field, v[name])
		}
		return tftypes.NewValue(m.tfType, values)
	case []any:
		var values []tftypes.Value
		for _, element := range v {
			if m.element != nil {
				values = append(values, build(*m.element, element))
			} else {
				values = append(values, build(text, element))
			}
		}
		return tftypes.NewValue(m.tfType, values)
	default:
		return m.encode(in)
	}
}

// none is the prior state of a resource that does not exist yet.
func none() tftypes.Value { return tftypes.NewValue(stateType, nil) }

// minimal is the least that an app image needs; with changes it on the way.
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

// created is the state after a create.
func created(t *testing.T, in tree) tftypes.Value {
	t.Helper()
	planned := plan(config(in), none()).planned
	return afterApply(t, planned)
}

// afterApply checks that a plan can be carried out and read back as it is, and
// returns the state.
func afterApply(t testing.TB, planned tftypes.Value) tftypes.Value {
	t.Helper()
	request, diags := createRequest(planned)
	if diags.HasError() {
		t.Fatalf("request: %v", diags)
	}
	state := refreshed(fromWire(served(request)), planned)
	if !state.Equal(planned) {
		diff, _ := state.Diff(planned)
		t.Fatalf("the server's answer is not as planned: %v", diff)
	}
	return state
}

// served is what Kuscia answers to a query after it got an app image: through
// JSON, lists never null, resources null when empty, quantities canonical,
// protocol and scope filled in.
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

// pathsOf are the paths of issues as text, in order.
func pathsOf(found []issue) []string {
	var out []string
	for _, i := range found {
		out = append(out, i.at.String())
	}
	slices.Sort(out)
	return out
}

func sortedFields(m meaning) []string { return slices.Sorted(maps.Keys(m.fields)) }

func decodeImage(body []byte) (*kuscia.AppImage, error) {
	image := &kuscia.AppImage{}
	return image, json.Unmarshal(body, image)
}

var (
	// kusciaName is the rule of the AppImage API (Kuscia v1.1).
	kusciaName = regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$`)
	// kubernetesName is a DNS subdomain.
	kubernetesName = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`)
)

// filled is a value in which everything is set to something that is not what
// leaving it out stands for.
func filled(m meaning) tftypes.Value {
	switch m.kind {
	case kindText:
		return m.encode("set")
	case kindQuantity:
		return m.encode("7")
	case kindNumber:
		return m.encode(int64(7))
	case kindTexts:
		return m.encode([]string{"set"})
	case kindTextMap:
		return m.encode(map[string]string{"set": "set"})
	case kindObjects:
		return tftypes.NewValue(m.tfType, []tftypes.Value{filled(*m.element)})
	default:
		values := map[string]tftypes.Value{}
		for name, field := range m.fields {
			values[name] = filled(field)
		}
		return tftypes.NewValue(m.tfType, values)
	}
}
