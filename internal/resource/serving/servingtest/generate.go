package servingtest

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// The generators draw valid configurations from few values, so that two draws
// are often equivalent with different spellings.

// PropertyImages are the app images of the generated configurations: with one,
// two and three containers, some with resources of their own, and one with
// templates by role. The ports are the same in all of them.
func PropertyImages() []*kuscia.AppImage {
	own := &kuscia.ResourceRequirements{
		Requests: &kuscia.ResourceSpec{CPU: "0", Memory: "0"},
		Limits:   &kuscia.ResourceSpec{CPU: "64", Memory: "1Ti"},
	}
	main := WithPorts(Container("main"), "service")
	owning := main
	owning.Resources = own
	byRole := AppImage("roles", main, Container("side"))
	byRole.DeployTemplates = append(byRole.DeployTemplates,
		DeployTemplate("client", "client,other", Container("side"), main),
		DeployTemplate("server", "server", owning))
	images := []*kuscia.AppImage{
		AppImage("one", main), AppImage("two", main, Container("side")), AppImage("three", main, Container("side"), Container("extra")),
		AppImage("own", owning, Container("side")), byRole,
	}
	for i, image := range images {
		image.Image.Tag = strconv.Itoa(i % 2) // some differ only in what no update applies
	}
	return images
}

// amountSpellings are amounts in several spellings each, in ascending order. No
// request is drawn above a limit: requests come from the front, limits from the
// back, and the middle is shared.
var amountSpellings = [][]string{
	{"0", "0.0", "0m", "+0", "0Gi"},
	{"0.0001", "100u", "1e-4"},
	{"0.1", "100m", ".1", "0.10"},
	{"1", "1000m", "1.0", "+1"},
	{"1.5", "1500m", "1.50"},
	{"2", "2000m"},
	{"32", "32.0"},
}

var memorySpellings = [][]string{
	{"0", "0Mi", "0.0"},
	{"1e3", "1k", "1000"},
	{"1Mi", "1024Ki", "1048576"},
	{"100M", "0.1G", "100000000"},
	{"128974848", "128974848000m", "123Mi"},
	{"1Gi", "1024Mi", "1073741824"},
	{"1.5Gi", "1536Mi"},
	{"2Gi", "2048Mi"},
}

var jsonSpellings = [][]string{
	{`{"a":1}`, `{"a": 1.0}`, "{\"a\":1}\n", "{\n  \"a\": 1e0\n}"},
	{`{"a":2,"b":[1,2]}`, `{ "b": [1,2], "a": 2 }`},
	{`{}`, `{ }`, "{}\n"},
	{`"A"`, `"\u0041"`},
	{"plain"}, {"plain "}, {"{"},
}

// spelledLike returns another spelling of the same value.
func spelledLike(t *rapid.T, text string, groups [][]string) string {
	for _, group := range groups {
		if slices.Contains(group, text) {
			return rapid.SampledFrom(group).Draw(t, "spelling")
		}
	}
	return text
}

// Drawn is a configuration that prints readably in a failure report.
type Drawn struct{ rules.Serving }

// GoString lists the attributes.
func (d Drawn) GoString() string {
	text := "configuration:"
	for _, a := range AttributePairs(d.Serving, d.Serving) {
		if !computedOnly[a.Name] {
			text += fmt.Sprintf("\n  %s = %s", a.Name, a.A)
		}
	}
	return text + fmt.Sprintf("\n  (text: %q)", rules.ConfigText(d.Serving).ValueString())
}

// Configs draws valid configurations of a serving.
func Configs() *rapid.Generator[Drawn] {
	return rapid.Custom(func(t *rapid.T) Drawn {
		g := Generator{t}
		m := ConfigOf(g.parties()...)
		parties := slices.Clone(m.Parties.Items)
		m.Initiator = types.StringValue(rapid.SampledFrom(domainsOf(parties)).Draw(t, "initiator"))
		g.text(&m)
		g.affinity(&m)
		g.own(&m)
		return Drawn{m}
	}).Filter(ValidDraw)
}

// ValidDraw reports whether a configuration is valid and Kuscia would run it.
func ValidDraw(d Drawn) bool {
	if rules.Validate(d.Value()).HasError() || rules.CheckPlan(d.Serving, nil, nil, rules.Private{}).HasError() {
		return false
	}
	parties := slices.Clone(rules.WithDefaults(d.Serving).Parties.Items)
	images := ImagesOf(PropertyImages()...)
	for _, p := range parties {
		if len(rules.CheckImage(p, images(p.AppImage.ValueString()))) > 0 {
			return false
		}
	}
	return true
}

func domainsOf(parties []rules.Party) (domains []string) {
	for _, p := range parties {
		domains = append(domains, p.Key().DomainID)
	}
	slices.Sort(domains)
	return slices.Compact(domains)
}

// Generator draws parts of a configuration.
type Generator struct{ T *rapid.T }

func (g Generator) oneIn(n int, label string) bool { return rapid.IntRange(1, n).Draw(g.T, label) == 1 }

func (g Generator) parties() []rules.Party {
	keys := rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) party.Key {
		return party.Key{DomainID: rapid.SampledFrom([]string{"alice", "bob"}).Draw(t, "domain_id"), Role: rapid.SampledFrom([]string{"", "client", "server"}).Draw(t, "role")}
	}), 1, 3, rapid.ID[party.Key]).Draw(g.T, "parties")
	parties := make([]rules.Party, len(keys))
	for i, key := range keys {
		parties[i] = PartyOf(key.DomainID)
		g.role(&parties[i], key.Role)
		g.name(&parties[i], parties[:i])
		for _, edit := range []func(*rules.Party){g.image, g.replicas, g.prefix, g.strategy, g.Resources} {
			edit(&parties[i])
		}
	}
	return parties
}

func (g Generator) role(p *rules.Party, role string) {
	p.Role = types.StringValue(role)
	if role == "" && rapid.Bool().Draw(g.T, "role left out") {
		p.Role = types.StringNull()
	}
}

// name draws a name that no other party has.
func (g Generator) name(p *rules.Party, others []rules.Party) {
	free := slices.DeleteFunc([]string{p.Key().DomainID, p.Key().String(), "one", "two", "alice", "bob"}, func(name string) bool {
		return slices.ContainsFunc(others, func(other rules.Party) bool { return other.Name == name })
	})
	Named(rapid.SampledFrom(free).Draw(g.T, "name"))(p)
	g.domain(p)
}

// domain leaves the domain out if the party has its name.
func (g Generator) domain(p *rules.Party) {
	if p.Name == p.Key().DomainID && rapid.Bool().Draw(g.T, "domain_id left out") {
		p.DomainID = types.StringNull()
	}
}

func (g Generator) image(p *rules.Party) {
	p.AppImage = types.StringValue(rapid.SampledFrom([]string{"one", "two", "three", "own", "roles"}).Draw(g.T, "app_image"))
}

func (g Generator) replicas(p *rules.Party) {
	p.Replicas = types.Int32Null()
	if n := rapid.Int32Range(0, 3).Draw(g.T, "replicas"); n > 0 {
		p.Replicas = types.Int32Value(n)
	}
}

func (g Generator) prefix(p *rules.Party) {
	p.ServiceNamePrefix = types.StringNull()
	if rapid.Bool().Draw(g.T, "prefix") {
		// Unique within the domain, as required.
		p.ServiceNamePrefix = types.StringValue(rapid.SampledFrom([]string{"", "p" + p.Role.ValueString(), "q" + p.Role.ValueString()}).Draw(g.T, "service_name_prefix"))
	}
}

func (g Generator) strategy(p *rules.Party) {
	bound := rapid.SampledFrom([]string{"", "25%", "025%", "1", "01", "1%", "0", "0%", "100%"})
	switch rapid.IntRange(0, 4).Draw(g.T, "strategy") {
	case 0:
		p.Strategy = rules.Strategy{Null: true}
	case 1:
		p.Strategy = rules.Strategy{}
	case 2:
		Recreate(p)
	default:
		RollingUpdate(bound.Draw(g.T, "max_surge"), bound.Draw(g.T, "max_unavailable"))(p)
		if g.oneIn(3, "type left out") {
			p.Strategy.Type = types.StringNull()
		}
	}
}

// Resources draws the resources of a party.
func (g Generator) Resources(p *rules.Party) {
	switch rapid.IntRange(0, 5).Draw(g.T, "resources") {
	case 0:
		p.Resources = rules.Resources{}
	case 1:
		p.Resources = ResourcesOf()
		if rapid.Bool().Draw(g.T, "an empty object") {
			p.Resources.Common.State = attr.ValueStateKnown
		}
	case 2, 3:
		p.Resources = ResourcesOf(ContainerEntry{"", g.amounts()})
	default:
		var entries []ContainerEntry
		all := rapid.Bool().Draw(g.T, "all containers")
		if all {
			entries = append(entries, ContainerEntry{"", g.amounts()})
		}
		for _, name := range ContainersOf(*p) {
			if !all || rapid.Bool().Draw(g.T, "named") {
				entries = append(entries, ContainerEntry{name, g.amounts()})
			}
		}
		p.Resources = ResourcesOf(entries...)
	}
}

// ContainersOf are the containers of the party's app image.
func ContainersOf(p rules.Party) (names []string) {
	for _, c := range party.TemplateFor(ImagesOf(PropertyImages()...)(p.AppImage.ValueString()), p.Role.ValueString()).Containers {
		names = append(names, c.Name)
	}
	return names
}

func (g Generator) amounts() rules.ContainerResources {
	amount := func(label string, groups [][]string) types.String {
		if g.oneIn(3, label+" left out") {
			return types.StringNull()
		}
		return types.StringValue(rapid.SampledFrom(rapid.SampledFrom(groups).Draw(g.T, label)).Draw(g.T, "spelling"))
	}
	half := len(amountSpellings)/2 + 1
	r := rules.ContainerResources{
		State:  attr.ValueStateKnown,
		MinCPU: amount("min_cpu", amountSpellings[:half]), MaxCPU: amount("max_cpu", amountSpellings[half-1:]),
		MinMemory: amount("min_memory", memorySpellings[:half]), MaxMemory: amount("max_memory", memorySpellings[half-1:]),
	}
	if r.Amounts().Empty() {
		r.MinCPU = types.StringValue("1")
	}
	return r
}

func (g Generator) text(m *rules.Serving) {
	content := rapid.IntRange(0, len(jsonSpellings)-1).Draw(g.T, "content")
	spelled := rapid.SampledFrom(jsonSpellings[content]).Draw(g.T, "spelling")
	switch rapid.IntRange(0, 7).Draw(g.T, "config") {
	case 0:
		*m = WithPlainConfig(*m, types.StringNull())
	case 1:
		*m = WithPlainConfig(*m, types.StringValue(""))
	case 2, 3, 4:
		// Different contents always have different versions, as required.
		*m = WriteOnly(*m, spelled, int64(2*content+rapid.IntRange(1, 2).Draw(g.T, "version")))
	default:
		*m = WithPlainConfig(*m, types.StringValue(spelled))
	}
	if !rules.Redeployable(rules.ConfigText(*m)) {
		m.RedeployTriggers = types.MapNull(types.StringType)
	}
}

func (g Generator) affinity(m *rules.Serving) {
	m.AffinityMode = TextOrNull(rapid.SampledFrom([]string{"", "none", "affinity", "anti-affinity"}).Draw(g.T, "affinity_mode"))
}

// own draws attributes that Kuscia does not have.
func (g Generator) own(m *rules.Serving) {
	m.WaitForRollout = rapid.SampledFrom([]types.Bool{types.BoolNull(), types.BoolValue(true), types.BoolValue(false)}).Draw(g.T, "wait_for_rollout")
	m.FollowAppImage = rapid.SampledFrom([]types.Bool{types.BoolNull(), types.BoolValue(true), types.BoolValue(false)}).Draw(g.T, "follow_app_image")
	m.Timeouts = NullTimeouts()
	if g.oneIn(3, "timeouts") {
		m.Timeouts = CreateTimeout("5m")
	}
	m.ProgressDeadline = rapid.SampledFrom([]types.String{types.StringNull(), types.StringNull(), types.StringValue("2m"), types.StringValue("10m")}).Draw(g.T, "progress_deadline")
	m.ReplaceTriggers = rapid.SampledFrom([]types.Map{
		types.MapNull(types.StringType), types.MapNull(types.StringType), types.MapValueMust(types.StringType, nil), Triggers("1"), Triggers("2"),
	}).Draw(g.T, "replace_triggers")
	m.RedeployTriggers = types.MapNull(types.StringType)
	if rules.Redeployable(rules.ConfigText(*m)) {
		m.RedeployTriggers = rapid.SampledFrom([]types.Map{
			types.MapNull(types.StringType), types.MapValueMust(types.StringType, map[string]attr.Value{}), Triggers("1"), Triggers("2"),
		}).Draw(g.T, "redeploy_triggers")
	}
}

// Edits draws a configuration that differs from another one in a few places.
func Edits(m rules.Serving) *rapid.Generator[Drawn] {
	return rapid.Custom(func(t *rapid.T) Drawn {
		g := Generator{t}
		edited := m
		parties := slices.Clone(m.Parties.Items)
		for range rapid.IntRange(1, 3).Draw(t, "edits") {
			p := &parties[rapid.IntRange(0, len(parties)-1).Draw(t, "party")]
			switch rapid.IntRange(0, 13).Draw(t, "edit") {
			case 0:
				g.text(&edited)
			case 1:
				g.affinity(&edited)
			case 2:
				g.own(&edited)
			case 3:
				edited.Initiator = types.StringValue(rapid.SampledFrom(domainsOf(parties)).Draw(t, "initiator"))
			case 4:
				g.role(p, rapid.SampledFrom([]string{"", "client", "server"}).Draw(t, "role"))
			case 5:
				g.image(p)
			case 6:
				g.replicas(p)
			case 7:
				g.prefix(p)
			case 8:
				g.strategy(p)
			case 9:
				g.Resources(p)
			case 10:
				g.name(p, slices.DeleteFunc(slices.Clone(parties), func(other rules.Party) bool { return other.Name == p.Name }))
			default:
				g.oneAmount(p)
			}
		}
		edited.Parties = rules.PartiesOf(parties...)
		return Drawn{edited}
	}).Filter(ValidDraw)
}

// oneAmount changes, sets or clears one amount.
func (g Generator) oneAmount(p *rules.Party) {
	if p.Resources.Equal(rules.Resources{}) {
		g.Resources(p)
		return
	}
	p.Resources.Named = maps.Clone(p.Resources.Named)
	names := slices.Sorted(maps.Keys(p.Resources.Named))
	if p.Resources.Common.State == attr.ValueStateKnown || len(names) == 0 {
		names = append(names, "")
	}
	name := rapid.SampledFrom(names).Draw(g.T, "entry")
	item, fresh := p.Resources.Named[name], g.amounts()
	if name == "" {
		item = p.Resources.Common
	}
	item.State = attr.ValueStateKnown
	switch rapid.IntRange(0, 3).Draw(g.T, "amount") {
	case 0:
		item.MinCPU = fresh.MinCPU
	case 1:
		item.MaxCPU = fresh.MaxCPU
	case 2:
		item.MinMemory = fresh.MinMemory
	default:
		item.MaxMemory = fresh.MaxMemory
	}
	if name == "" {
		p.Resources.Common = item
		return
	}
	p.Resources.Named[name] = item
}

// Respellings draws configurations that are equivalent to another one.
func Respellings(m rules.Serving) *rapid.Generator[Drawn] {
	return rapid.Custom(func(t *rapid.T) Drawn {
		g := Generator{t}
		respelled := m
		switch {
		case m.ConfigIsWriteOnly():
			respelled.ServingInputConfigWO = types.StringValue(spelledLike(t, m.ServingInputConfigWO.ValueString(), jsonSpellings))
		case m.ServingInputConfig.IsNull():
		case m.ServingInputConfig.ValueString() == "":
			respelled.ServingInputConfig = rapid.SampledFrom([]types.String{types.StringNull(), m.ServingInputConfig}).Draw(t, "no config")
		default:
			respelled.ServingInputConfig = types.StringValue(spelledLike(t, m.ServingInputConfig.ValueString(), jsonSpellings))
		}
		whole := rules.WithDefaults(m)
		if whole.AffinityMode.ValueString() == kuscia.AntiAffinity {
			respelled.AffinityMode = rapid.SampledFrom([]types.String{types.StringNull(), whole.AffinityMode}).Draw(t, "affinity")
		}
		if len(whole.RedeployTriggers.Elements()) == 0 {
			respelled.RedeployTriggers = rapid.SampledFrom([]types.Map{types.MapNull(types.StringType), m.RedeployTriggers}).Draw(t, "triggers")
		}
		if len(whole.ReplaceTriggers.Elements()) == 0 {
			respelled.ReplaceTriggers = rapid.SampledFrom([]types.Map{types.MapNull(types.StringType), m.ReplaceTriggers}).Draw(t, "replace triggers")
		}
		if whole.WaitForRollout.ValueBool() {
			respelled.WaitForRollout = rapid.SampledFrom([]types.Bool{types.BoolNull(), whole.WaitForRollout}).Draw(t, "wait")
		}
		if whole.FollowAppImage.ValueBool() {
			respelled.FollowAppImage = rapid.SampledFrom([]types.Bool{types.BoolNull(), whole.FollowAppImage}).Draw(t, "follow")
		}
		parties := slices.Clone(m.Parties.Items)
		for i := range parties {
			g.respell(&parties[i])
		}
		respelled.Parties = rules.PartiesOf(parties...)
		return Drawn{respelled}
	})
}

func (g Generator) respell(p *rules.Party) {
	t := g.T
	whole := p.WithDefaults()
	p.DomainID = whole.DomainID
	g.domain(p)
	if whole.Role.ValueString() == "" {
		g.role(p, "")
	}
	if whole.ServiceNamePrefix.ValueString() == "" {
		p.ServiceNamePrefix = rapid.SampledFrom([]types.String{types.StringNull(), types.StringValue("")}).Draw(t, "prefix")
	}
	if whole.Replicas.ValueInt32() == 1 {
		p.Replicas = rapid.SampledFrom([]types.Int32{types.Int32Null(), types.Int32Value(1)}).Draw(t, "replicas")
	}
	bounds := [][]string{{"25%", "025%"}, {"1", "01"}, {"1%"}, {"0", "00"}, {"0%"}, {"100%", "0100%"}}
	p.Strategy = whole.Strategy
	for _, bound := range []*types.String{&p.Strategy.MaxSurge, &p.Strategy.MaxUnavailable} {
		if bound.IsNull() {
			continue
		}
		text := spelledLike(t, bound.ValueString(), bounds)
		*bound = types.StringValue(text)
		if tfvalue.CountOrPercentEqual(text, "25%") && rapid.Bool().Draw(t, "bound left out") {
			*bound = types.StringNull()
		}
	}
	if p.Strategy.Type.ValueString() == kuscia.StrategyRollingUpdate && rapid.Bool().Draw(t, "type left out") {
		p.Strategy.Type = types.StringNull()
		p.Strategy.Null = p.Strategy.MaxSurge.IsNull() && p.Strategy.MaxUnavailable.IsNull() && rapid.Bool().Draw(t, "strategy left out")
	}
	g.respellResources(p)
}

func (g Generator) respellResources(p *rules.Party) {
	t := g.T
	desired := p.Resources.Spec()
	if !desired.IsSet() {
		p.Resources = rapid.SampledFrom([]rules.Resources{{}, ResourcesOf()}).Draw(t, "no resources")
		return
	}
	resources := rules.Resources{Common: p.Resources.Common, Named: maps.Clone(p.Resources.Named)}
	if rapid.Bool().Draw(t, "by name") {
		resources = rules.Resources{Named: map[string]rules.ContainerResources{}}
		for _, name := range ContainersOf(*p) {
			resources.Named[name] = desired.ForContainer(name).Resources()
		}
	}
	resources.Common = g.respellAmounts(resources.Common)
	for _, name := range slices.Sorted(maps.Keys(resources.Named)) {
		resources.Named[name] = g.respellAmounts(resources.Named[name])
	}
	p.Resources = resources
}

func (g Generator) respellAmounts(item rules.ContainerResources) rules.ContainerResources {
	for _, amount := range []struct {
		value  *types.String
		groups [][]string
	}{{&item.MinCPU, amountSpellings}, {&item.MaxCPU, amountSpellings}, {&item.MinMemory, memorySpellings}, {&item.MaxMemory, memorySpellings}} {
		if !amount.value.IsNull() {
			*amount.value = types.StringValue(spelledLike(g.T, amount.value.ValueString(), amount.groups))
		}
	}
	return item
}
