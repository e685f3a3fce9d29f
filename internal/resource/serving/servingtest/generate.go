package servingtest

import (
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definitiontest"
)

// generator draws configurations from few values, so that two draws often mean the same in
// different spellings. No request is above a limit: requests are from the front of the amounts,
// limits from the back, and one amount is in both.
var generator = definitiontest.Generator{
	Definition: rules.Definition, Fixed: definition.Tree{"serving_id": "glm"}, WriteOnly: true,
	Defaults: map[string]string{"role": "", "service_name_prefix": "", "max_surge": "25%", "max_unavailable": "25%"},
	Keys: map[string][]string{
		"parties": partyNames, rules.AttrContainerResources: {"main", "side", "extra"},
	},
	Texts: map[string][]string{
		"initiator": {"alice", "bob"}, "domain_id": {"alice", "bob"}, "role": {"", "client", "server"}, "service_name_prefix": {"", "p", "q"},
		"affinity_mode": {"none", kuscia.Affinity, kuscia.AntiAffinity}, "type": {kuscia.StrategyRollingUpdate, kuscia.StrategyRecreate},
		"app_image": {"one", "two", "three", "own", "roles"}, rules.AttrProgressDeadline: {"2m", "10m"},
		"create": {"5m"}, "update": {"6m"}, "delete": {"7m"},
	},
	Spellings: map[string][][]string{
		"min_cpu": cpus[:4], "max_cpu": cpus[3:], "min_memory": memories[:5], "max_memory": memories[4:],
		"max_surge": bounds, "max_unavailable": bounds,
		rules.AttrConfig: {
			{`{"a":1}`, `{"a": 1.0}`, "{\"a\":1}\n", "{\n  \"a\": 1e0\n}"},
			{`{"a":2,"b":[1,2]}`, `{ "b": [1,2], "a": 2 }`},
			{`{}`, `{ }`, "{}\n"},
			{`["A"]`, `["\u0041"]`},
			{`"A"`}, {`"\u0041"`}, {"plain"}, {"plain "}, {"{"}, {""},
		},
	},
}

// partyNames are keys of parties; one is of the form that an import has.
var partyNames = []string{"alice", "bob", "one", "two", "alice/client"}

var (
	cpus = [][]string{
		{"0", "0.0", "0m", "+0", "0Gi"}, {"0.0001", "100u", "1e-4"}, {"0.1", "100m", ".1", "0.10"}, {"1", "1000m", "1.0", "+1"},
		{"1.5", "1500m", "1.50"}, {"2", "2000m"}, {"32", "32.0"},
	}
	memories = [][]string{
		{"0", "0Mi", "0.0"}, {"1e3", "1k", "1000"}, {"1Mi", "1024Ki", "1048576"}, {"100M", "0.1G", "100000000"},
		{"128974848", "128974848000m", "123Mi"}, {"1Gi", "1024Mi", "1073741824"}, {"1.5Gi", "1536Mi"}, {"2Gi", "2048Mi"},
	}
	bounds = [][]string{{"25%", "025%"}, {"1", "01"}, {"1%"}, {"0", "00"}, {"0%"}, {"100%", "0100%"}}
)

// Drawn is a configuration that prints readably in a failure report.
type Drawn struct{ rules.Serving }

// GoString lists the attributes.
func (d Drawn) GoString() string { return fmt.Sprint(definition.TreeOf(d.Value())) }

// Configs draws valid configurations of a serving.
func Configs() *rapid.Generator[Drawn] {
	return rapid.Custom(func(t *rapid.T) Drawn {
		return Drawn{consistent(rules.Of(generator.Config(t, "serving")))}
	}).Filter(valid)
}

// Edits draws a configuration that differs from another one in a few places.
func Edits(m rules.Serving) *rapid.Generator[Drawn] {
	return rapid.Custom(func(t *rapid.T) Drawn {
		edited := rules.Of(definitiontest.Mixed(t, rules.Definition, m.Value(), Configs().Draw(t, "other").Value()))
		if rapid.IntRange(0, 9).Draw(t, "rename") == 9 {
			edited = InParty(edited, rapid.IntRange(0, len(edited.Parties().Items)-1).Draw(t, "party"), renamed(t, edited))
		}
		return Drawn{consistent(edited)}
	}).Filter(valid)
}

// renamed gives a party, which keeps its domain, a name that no party has.
func renamed(t *rapid.T, m rules.Serving) func(*rules.Party) {
	free := slices.DeleteFunc(slices.Clone(partyNames), func(name string) bool {
		_, taken := m.Parties().Named(name)
		return taken
	})
	return Named(rapid.SampledFrom(free).Draw(t, "name"))
}

// Respellings draws configurations that mean the same as another one.
func Respellings(m rules.Serving) *rapid.Generator[Drawn] {
	return rapid.Custom(func(t *rapid.T) Drawn {
		respelled := rules.Of(generator.Respelled(t, m.Value()))
		return Drawn{InParties(respelled, func(parties []rules.Party) []rules.Party {
			for i := range parties {
				respell(t, &parties[i])
			}
			return parties
		})}
	})
}

// respell writes or leaves out a domain that is the name, may write the resources of all
// containers for each of them, and leaves out bounds that only RollingUpdate has.
func respell(t *rapid.T, p *rules.Party) {
	*p = p.WithPartyAttribute("domain_id", types.StringValue(p.Key().DomainID))
	if p.Name == p.Key().DomainID && rapid.Bool().Draw(t, "domain_id left out") {
		*p = p.WithPartyAttribute("domain_id", types.StringNull())
	}
	dropBounds(p)
	if desired := p.Resources().Spec(); rapid.Bool().Draw(t, "by name") && desired.IsSet() {
		resources := ResourcesOf()
		for _, name := range containersOf(*p) {
			resources = resources.WithContainer(name, desired.ForContainer(name).Resources())
		}
		*p = p.WithResources(resources)
	}
}

// valid reports whether a configuration is valid and Kuscia would run it.
func valid(d Drawn) bool {
	if rules.Validate(d.Value()).HasError() || rules.CheckPlan(d.Serving, nil, nil, rules.Private{}).HasError() {
		return false
	}
	return !slices.ContainsFunc(d.Serving.WithDefaults().Parties().Items, func(p rules.Party) bool {
		return len(rules.CheckImage(p, imageNamed(p.AppImage().ValueString()))) > 0
	})
}

// consistent changes what contradicts the rest of a configuration: parties that are there
// twice, containers that an app image does not have, and what follows from them.
func consistent(m rules.Serving) rules.Serving {
	var parties []rules.Party
	for _, p := range m.Parties().Items {
		if p = consistentParty(p); !slices.ContainsFunc(parties, func(other rules.Party) bool { return other.Key() == p.Key() }) {
			parties = append(parties, p)
		}
	}
	if len(parties) == 0 {
		parties = append(parties, PartyOf(m.Initiator().ValueString(), Image("one")))
	}
	if !slices.ContainsFunc(parties, func(p rules.Party) bool { return p.Key().DomainID == m.Initiator().ValueString() }) {
		m = m.WithServingAttribute("initiator", types.StringValue(parties[0].Key().DomainID))
	}
	m = m.WithParties(rules.PartiesOf(parties...))
	if !rules.Redeployable(rules.ConfigText(m)) {
		m = m.WithServingAttribute("redeploy_triggers", types.MapNull(types.StringType))
	}
	return m
}

func consistentParty(p rules.Party) rules.Party {
	if domain := p.Key().DomainID; domain != "alice" && domain != "bob" {
		p = p.WithPartyAttribute("domain_id", types.StringValue(map[string]string{"one": "alice", "two": "bob", "alice/client": "alice"}[p.Name]))
	}
	if p.Replicas() == types.Int32Value(0) {
		p = p.WithPartyAttribute("replicas", types.Int32Value(3))
	}
	if prefix := p.ServiceNamePrefix().ValueString(); prefix != "" { // unique within the domain
		p = p.WithPartyAttribute("service_name_prefix", types.StringValue(prefix[:1]+p.Role().ValueString()))
	}
	dropBounds(&p)
	if p.At(rules.AttrContainerResources).IsNull() {
		return p
	}
	resources := ResourcesOf().WithCommon(p.Resources().Common())
	for _, name := range p.Resources().ContainerNames() {
		if values, _ := p.Resources().Named(name); !values.Amounts().Empty() && slices.Contains(containersOf(p), name) {
			resources = resources.WithContainer(name, values)
		}
	}
	return p.WithResources(resources)
}

func dropBounds(p *rules.Party) {
	if p.Strategy().Type().ValueString() == kuscia.StrategyRecreate {
		Recreate(p)
	}
}

// imageNamed looks up an app image of the generated configurations, which nothing changes.
var imageNamed = ImagesOf(PropertyImages()...)

// containersOf are the containers of the party's app image.
func containersOf(p rules.Party) (names []string) {
	for _, c := range party.TemplateFor(imageNamed(p.AppImage().ValueString()), p.Role().ValueString()).Containers {
		names = append(names, c.Name)
	}
	return names
}
