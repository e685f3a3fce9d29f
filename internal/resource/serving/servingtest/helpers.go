package servingtest

import (
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// PartyOf returns a party of a configuration, with its domain as name; what no
// edit sets is null.
func PartyOf(domain string, edits ...func(*rules.Party)) rules.Party {
	return With(rules.NewParty(domain, definition.Tree{"app_image": "sf"}), edits...)
}

// Named sets another name.
func Named(name string) func(*rules.Party) {
	return func(p *rules.Party) {
		*p = p.WithPartyAttribute("domain_id", types.StringValue(p.Key().DomainID)).WithName(name)
	}
}

// With returns a copy of a party with some edits.
func With(p rules.Party, edits ...func(*rules.Party)) rules.Party {
	for _, edit := range edits {
		edit(&p)
	}
	return p
}

// Complete returns a party with the defaults of what is null.
func Complete(p rules.Party) rules.Party { return ConfigOf(p).WithDefaults().Parties().Items[0] }

// Role sets the role.
func Role(text string) func(*rules.Party) {
	return func(p *rules.Party) { *p = p.WithPartyAttribute("role", types.StringValue(text)) }
}

// Image sets the app image.
func Image(name string) func(*rules.Party) {
	return func(p *rules.Party) { *p = p.WithPartyAttribute("app_image", types.StringValue(name)) }
}

// Replicas sets the number of replicas.
func Replicas(n int32) func(*rules.Party) {
	return func(p *rules.Party) { *p = p.WithPartyAttribute("replicas", types.Int32Value(n)) }
}

// Prefix sets the prefix of the names of Services.
func Prefix(text string) func(*rules.Party) {
	return func(p *rules.Party) { *p = p.WithPartyAttribute("service_name_prefix", types.StringValue(text)) }
}

// RollingUpdate sets a strategy; empty bounds are null.
func RollingUpdate(surge, unavailable string) func(*rules.Party) {
	return func(p *rules.Party) {
		*p = p.WithStrategy(StrategyOf(definition.Tree{
			"type":      kuscia.StrategyRollingUpdate,
			"max_surge": definition.ValueOf(TextOrNull(surge)), "max_unavailable": definition.ValueOf(TextOrNull(unavailable)),
		}))
	}
}

// Recreate sets a strategy.
func Recreate(p *rules.Party) {
	*p = p.WithStrategy(StrategyOf(definition.Tree{"type": kuscia.StrategyRecreate}))
}

// StrategyOf is a strategy with some attributes.
func StrategyOf(attributes definition.Tree) rules.Strategy {
	return rules.NewParty("", definition.Tree{"update_strategy": attributes}).Strategy()
}

// Resources sets the resources.
func Resources(items ...ContainerEntry) func(*rules.Party) {
	return func(p *rules.Party) { *p = p.WithResources(ResourcesOf(items...)) }
}

// UnknownResources are resources that are unknown as a whole.
var UnknownResources = rules.NewParty("", definition.Tree{
	rules.AttrResources: definition.Unknown, rules.AttrContainerResources: definition.Unknown,
}).Resources()

// InContainer sets an amount of one container, "" for all.
func InContainer(name, amount string, value types.String) func(*rules.Party) {
	return func(p *rules.Party) {
		values, with := p.Resources().Common(), p.Resources().WithCommon
		if name != "" {
			values, _ = p.Resources().Named(name)
			with = func(r rules.ContainerResources) rules.Resources { return p.Resources().WithContainer(name, r) }
		}
		*p = p.WithResources(with(rules.ContainerResources{View: values.WithValue(amount, definition.ValueOf(value))}))
	}
}

// NoResources leaves the resources out.
func NoResources(p *rules.Party) { *p = p.WithResources(rules.Resources{}) }

// ContainerEntry has the resources of one container, or of all if it has no name.
type ContainerEntry struct {
	Name   string
	Values rules.ContainerResources
}

// ContainerResources returns the entry for one container, "" for all; empty amounts are null.
func ContainerResources(container, minCPU, maxCPU, minMemory, maxMemory string) ContainerEntry {
	return ContainerEntry{container, rules.Amounts{MinCPU: minCPU, MaxCPU: maxCPU, MinMemory: minMemory, MaxMemory: maxMemory}.Resources()}
}

// ResourcesOf are known resources; without any, the map is empty.
func ResourcesOf(items ...ContainerEntry) (resources rules.Resources) {
	if len(items) == 0 {
		return rules.NewParty("", definition.Tree{rules.AttrContainerResources: definition.Tree{}}).Resources()
	}
	for _, item := range items {
		if item.Name == "" {
			resources = resources.WithCommon(item.Values)
		} else {
			resources = resources.WithContainer(item.Name, item.Values)
		}
	}
	return resources
}

// TextOrNull returns a text; "" becomes null.
func TextOrNull(text string) types.String {
	if text == "" {
		return types.StringNull()
	}
	return types.StringValue(text)
}

// ConfigOf returns a configuration of the serving glm with the given parties,
// the first of which is the initiator.
func ConfigOf(parties ...rules.Party) rules.Serving {
	return rules.Of(rules.Definition.Encode(definition.Tree{
		"serving_id": "glm", "initiator": parties[0].Key().DomainID, rules.AttrConfig: `{"model": 1}`,
		"endpoints": definition.Unknown, "create_time": definition.Unknown,
	})).WithParties(rules.PartiesOf(parties...))
}

// WriteOnly returns a copy of a configuration with its text in the write-only
// form.
func WriteOnly(m rules.Serving, text string, version int64) rules.Serving {
	return m.WithServingAttribute(rules.AttrConfig, types.StringNull()).
		WithServingAttribute(rules.AttrConfigWO, types.StringValue(text)).WithServingAttribute(rules.AttrConfigVersion, types.Int64Value(version))
}

// WithPlainConfig returns a copy of a configuration with its text in the plain form.
func WithPlainConfig(m rules.Serving, text types.String) rules.Serving {
	return m.WithServingAttribute(rules.AttrConfig, text).
		WithServingAttribute(rules.AttrConfigWO, types.StringNull()).WithServingAttribute(rules.AttrConfigVersion, types.Int64Null())
}

// InParties returns a copy of a configuration with an edit of its parties.
func InParties(m rules.Serving, edit func([]rules.Party) []rules.Party) rules.Serving {
	parties := slices.Clone(m.Parties().Items)
	m = m.WithParties(rules.PartiesOf(edit(parties)...))
	return m
}

// InParty returns a copy of a configuration with edits of one party.
func InParty(m rules.Serving, i int, edits ...func(*rules.Party)) rules.Serving {
	return InParties(m, func(parties []rules.Party) []rules.Party {
		parties[i] = With(parties[i], edits...)
		return parties
	})
}

// WithImages returns parties with the images of their app images, img:1 where there is none, and
// with their first pods.
func WithImages(parties rules.Parties, images party.ImageLookup) rules.Parties {
	return parties.Changed(func(p rules.Party) rules.Party {
		reference := types.StringValue("img:1")
		if image := images(p.AppImage().ValueString()); image != nil {
			reference = rules.ReferenceOf(image)
		}
		return p.WithPartyAttribute(rules.AttrImage, reference).WithPartyAttribute(party.AttrPodRevision, types.Int64Value(1))
	})
}

// StateOf returns the state after a create from a configuration.
func StateOf(config rules.Serving) rules.Serving {
	state := config.WithDefaults()
	state = state.WithServingAttribute(rules.AttrConfigWO, types.StringNull())
	state = state.WithServingAttribute("id", state.ServingID())
	if state.WaitForRollout().ValueBool() {
		state = state.WithServingAttribute(definition.AttrRolloutComplete, types.BoolValue(true))
	}
	state = state.WithServingAttribute("create_time", types.StringValue("2026-01-08T10:00:00Z"))
	state = state.WithParties(WithImages(state.Parties(), ImagesOf(append(PropertyImages(), SFImage, otherImage, ThirdImage)...)))
	state = state.WithServingAttribute("endpoints", rules.EncodeEndpoints([]kuscia.PartyStatus{{
		DomainID: config.Initiator().ValueString(), Endpoints: []kuscia.Endpoint{{PortName: "service", Scope: "Cluster", Endpoint: "glm-service.alice.svc"}},
	}}))
	return state
}

// Triggers are triggers with one value.
func Triggers(value string) types.Map {
	return types.MapValueMust(types.StringType, map[string]attr.Value{"image": types.StringValue(value)})
}

// AppImage returns an app image with one template, for every role.
func AppImage(name string, containers ...kuscia.Container) *kuscia.AppImage {
	return &kuscia.AppImage{Name: name, Image: kuscia.AppImageInfo{Name: "img", Tag: "1"},
		DeployTemplates: []kuscia.DeployTemplate{{Name: "t", Replicas: 1, Containers: containers}}}
}

// Container is a container of an app image.
func Container(name string) kuscia.Container { return kuscia.Container{Name: name} }

// ImagesOf returns a lookup of the given app images only.
func ImagesOf(images ...*kuscia.AppImage) party.ImageLookup {
	return func(name string) *kuscia.AppImage {
		for _, image := range images {
			if image.Name == name {
				return image
			}
		}
		return nil
	}
}

// AnyReplicas returns n for every party.
func AnyReplicas(n int32) func(kuscia.ServingParty) int32 {
	return func(kuscia.ServingParty) int32 { return n }
}

// SameModel checks that two models are identical.
func SameModel(t rapid.TB, got, want rules.Serving) {
	t.Helper()
	for _, d := range ModelDifferences(got, want) {
		t.Error(d)
	}
}

// ModelDifferences returns the names of the attributes in which two models
// differ.
func ModelDifferences(got, want rules.Serving) (different []string) {
	for _, attribute := range AttributePairs(got, want) {
		if !attribute.A.Equal(attribute.b) {
			different = append(different, attribute.Name+" is "+attribute.A.String()+", want "+attribute.b.String())
		}
	}
	return different
}

// AttributePair is the same attribute of two servings.
type AttributePair struct {
	Name string
	A, b definition.Value
}

// AttributePairs are all attributes of two servings, sorted by name.
func AttributePairs(a, b rules.Serving) (pairs []AttributePair) {
	left, right := Fields(a), Fields(b)
	for _, name := range slices.Sorted(maps.Keys(left)) {
		pairs = append(pairs, AttributePair{name, left[name], right[name]})
	}
	return pairs
}

// ErrorPaths are the paths of the errors.
func ErrorPaths(diags diag.Diagnostics) (paths []path.Path) {
	for _, d := range diags {
		if with, ok := d.(diag.DiagnosticWithPath); ok && d.Severity() == diag.SeverityError {
			paths = append(paths, with.Path())
		}
	}
	return paths
}

// NoDiags fails for every diagnostic.
func NoDiags(t rapid.TB, diags diag.Diagnostics) {
	t.Helper()
	for _, d := range diags {
		t.Errorf("%s: %s: %s", d.Severity(), d.Summary(), d.Detail())
	}
}

// DefinedBy is an app image with everything that a new serving gets.
func DefinedBy(edit func(*kuscia.AppImage, *kuscia.Container)) *kuscia.AppImage {
	image := AppImage("sf", kuscia.Container{
		Name: "main", Command: []string{"serve"}, Env: []kuscia.EnvVar{{Name: "KEY", Value: "s3cr3t"}},
		Ports:         []kuscia.ContainerPort{{Name: "service", Protocol: "HTTP", Scope: "Local"}},
		LivenessProbe: &kuscia.Probe{PeriodSeconds: 5}, Resources: &kuscia.ResourceRequirements{Limits: &kuscia.ResourceSpec{CPU: "1"}},
	})
	image.Image = kuscia.AppImageInfo{Name: "x/y", Tag: "1"}
	image.ConfigTemplates = map[string]string{"a": "b"}
	if edit != nil {
		edit(image, &image.DeployTemplates[0].Containers[0])
	}
	return image
}

// DeployTemplate is a deploy template for a role.
func DeployTemplate(name, role string, containers ...kuscia.Container) kuscia.DeployTemplate {
	return kuscia.DeployTemplate{Name: name, Role: role, Replicas: 1, Containers: containers}
}

// WithPorts is a container with some ports.
func WithPorts(c kuscia.Container, names ...string) kuscia.Container {
	for _, name := range names {
		c.Ports = append(c.Ports, kuscia.ContainerPort{Name: name, Scope: "Cluster"})
	}
	return c
}

// WireResource returns an entry of a response.
func WireResource(name, minCPU, maxCPU, minMemory, maxMemory string) kuscia.Resource {
	return kuscia.Resource{ContainerName: name, MinCPU: minCPU, MaxCPU: maxCPU, MinMemory: minMemory, MaxMemory: maxMemory}
}

// ChangedPaths returns the names of the attributes in which two states differ,
// down to the attribute of a party.
func ChangedPaths(before, after rules.Serving) (changed []string) {
	for _, attribute := range AttributePairs(before, after) {
		if attribute.A.Equal(attribute.b) {
			continue
		}
		if attribute.Name != "parties" {
			changed = append(changed, attribute.Name)
			continue
		}
		old, now := definition.FieldsOf(attribute.A), definition.FieldsOf(attribute.b)
		if !slices.Equal(slices.Sorted(maps.Keys(old)), slices.Sorted(maps.Keys(now))) {
			changed = append(changed, "parties")
			continue
		}
		for key := range old {
			was, is := definition.FieldsOf(old[key]), definition.FieldsOf(now[key])
			for name := range was {
				if !was[name].Equal(is[name]) {
					changed = append(changed, "parties."+definition.StringOf(was["domain_id"])+"."+name)
				}
			}
		}
	}
	slices.Sort(changed)
	return changed
}

// TextOf returns the text of a string value.
func TextOf(value attr.Value) string {
	text, _ := value.(types.String)
	return text.ValueString()
}

// Tagged returns an app image with that reference and the resources of its only
// container.
func Tagged(name, tag string, requests *kuscia.ResourceSpec) *kuscia.AppImage {
	image := AppImage(name, Container("main"))
	image.Image.Tag = tag
	if requests != nil {
		image.DeployTemplates[0].Containers[0].Resources = &kuscia.ResourceRequirements{Requests: requests}
	}
	return image
}
