package serving

import (
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// The generators draw valid configurations from few values, so that two draws
// often mean the same in different spellings.

// propertyImages are the app images of the generated configurations: one, two
// and three containers, some with resources of their own, and one with
// templates by role. The ports are the same in all of them.
func propertyImages() []*kuscia.AppImage {
	own := &kuscia.ResourceRequirements{
		Requests: &kuscia.ResourceSpec{CPU: "0", Memory: "0"},
		Limits:   &kuscia.ResourceSpec{CPU: "64", Memory: "1Ti"},
	}
	main := withPorts(container("main"), "service")
	owning := main
	owning.Resources = own
	byRole := appImage("roles", main, container("side"))
	byRole.DeployTemplates = append(byRole.DeployTemplates,
		template("client", "client,other", container("side"), main),
		template("server", "server", owning))
	return []*kuscia.AppImage{
		appImage("one", main), appImage("two", main, container("side")), appImage("three", main, container("side"), container("extra")),
		appImage("own", owning, container("side")), byRole,
	}
}

// amountSpellings are amounts in several spellings each, in rising order. No
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

// drawn is a configuration that prints readably in the report of a failure.
type drawn struct{ model }

// GoString lists the attributes.
func (d drawn) GoString() string {
	text := "configuration:"
	for _, a := range attributePairs(d.model, d.model) {
		if !computedOnly[a.name] {
			text += fmt.Sprintf("\n  %s = %s", a.name, a.a)
		}
	}
	return text + fmt.Sprintf("\n  (text: %q)", configText(d.model).ValueString())
}

// configs draws valid configurations of a serving.
func configs() *rapid.Generator[drawn] {
	return rapid.Custom(func(t *rapid.T) drawn {
		g := generator{t}
		m := configOf(g.parties()...)
		parties := slices.Clone(m.Parties.items)
		m.Initiator = types.StringValue(rapid.SampledFrom(domainsOf(parties)).Draw(t, "initiator"))
		g.text(&m)
		g.affinity(&m)
		g.own(&m)
		return drawn{m}
	}).Filter(validDraw)
}

func validDraw(d drawn) bool {
	if validate(d.model).HasError() || judge(d.model, nil, nil, privateData{}).HasError() {
		return false
	}
	parties := slices.Clone(withDefaults(d.model).Parties.items)
	images := imagesOf(propertyImages()...)
	for _, p := range parties {
		if len(checkImage(p, images(p.appImage.ValueString()))) > 0 {
			return false
		}
	}
	return true
}

func domainsOf(parties []party) (domains []string) {
	for _, p := range parties {
		domains = append(domains, p.domainID.ValueString())
	}
	slices.Sort(domains)
	return slices.Compact(domains)
}

type generator struct{ t *rapid.T }

func (g generator) oneIn(n int, label string) bool { return rapid.IntRange(1, n).Draw(g.t, label) == 1 }

func (g generator) parties() []party {
	keys := rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) partyKey {
		return partyKey{rapid.SampledFrom([]string{"alice", "bob"}).Draw(t, "domain_id"), rapid.SampledFrom([]string{"", "client", "server"}).Draw(t, "role")}
	}), 1, 3, rapid.ID[partyKey]).Draw(g.t, "parties")
	parties := make([]party, len(keys))
	for i, key := range keys {
		parties[i] = partyOf(key.domainID)
		g.role(&parties[i], key.role)
		for _, edit := range []func(*party){g.image, g.replicas, g.prefix, g.strategy, g.resources} {
			edit(&parties[i])
		}
	}
	return parties
}

func (g generator) role(p *party, role string) {
	p.role = types.StringValue(role)
	if role == "" && rapid.Bool().Draw(g.t, "role left out") {
		p.role = types.StringNull()
	}
}

func (g generator) image(p *party) {
	p.appImage = types.StringValue(rapid.SampledFrom([]string{"one", "two", "three", "own", "roles"}).Draw(g.t, "app_image"))
}

func (g generator) replicas(p *party) {
	p.replicas = types.Int32Null()
	if n := rapid.Int32Range(0, 3).Draw(g.t, "replicas"); n > 0 {
		p.replicas = types.Int32Value(n)
	}
}

func (g generator) prefix(p *party) {
	p.serviceNamePrefix = types.StringNull()
	if rapid.Bool().Draw(g.t, "prefix") {
		// Unique within the domain, as it has to be.
		p.serviceNamePrefix = types.StringValue(rapid.SampledFrom([]string{"", "p" + p.role.ValueString(), "q" + p.role.ValueString()}).Draw(g.t, "service_name_prefix"))
	}
}

func (g generator) strategy(p *party) {
	bound := rapid.SampledFrom([]string{"", "25%", "025%", "1", "01", "1%", "0", "0%", "100%"})
	switch rapid.IntRange(0, 4).Draw(g.t, "strategy") {
	case 0:
		p.strategy = strategy{null: true}
	case 1:
		p.strategy = strategy{}
	case 2:
		recreate(p)
	default:
		rolling(bound.Draw(g.t, "max_surge"), bound.Draw(g.t, "max_unavailable"))(p)
		if g.oneIn(3, "type left out") {
			p.strategy.kind = types.StringNull()
		}
	}
}

func (g generator) resources(p *party) {
	switch rapid.IntRange(0, 5).Draw(g.t, "resources") {
	case 0:
		p.resources = resourceList{null: true}
	case 1:
		p.resources = resourceList{}
	case 2, 3:
		p.resources = listOf(g.amounts(""))
		if g.oneIn(2, "container_name empty") {
			p.resources.items[0].container = types.StringValue("")
		}
	default:
		p.resources = resourceList{}
		names := containersOf(*p)
		if rapid.Bool().Draw(g.t, "all containers") {
			names = append(names, "")
		}
		for _, name := range rapid.Permutation(names).Draw(g.t, "container_names") {
			if name == "" || !slices.Contains(names, "") || rapid.Bool().Draw(g.t, "named") {
				p.resources.items = append(p.resources.items, g.amounts(name))
			}
		}
	}
}

// containersOf are the containers of the party's app image.
func containersOf(p party) (names []string) {
	for _, c := range templateFor(imagesOf(propertyImages()...)(p.appImage.ValueString()), p.role.ValueString()).Containers {
		names = append(names, c.Name)
	}
	return names
}

func (g generator) amounts(name string) containerResources {
	amount := func(label string, groups [][]string) tfvalue.Quantity {
		if g.oneIn(3, label+" left out") {
			return tfvalue.NewQuantityNull()
		}
		return tfvalue.NewQuantityValue(rapid.SampledFrom(rapid.SampledFrom(groups).Draw(g.t, label)).Draw(g.t, "spelling"))
	}
	half := len(amountSpellings)/2 + 1
	r := containerResources{
		container: textOrNull(name),
		minCPU:    amount("min_cpu", amountSpellings[:half]), maxCPU: amount("max_cpu", amountSpellings[half-1:]),
		minMemory: amount("min_memory", memorySpellings[:half]), maxMemory: amount("max_memory", memorySpellings[half-1:]),
	}
	if r.amounts().empty() {
		r.minCPU = tfvalue.NewQuantityValue("1")
	}
	return r
}

func (g generator) text(m *model) {
	content := rapid.IntRange(0, len(jsonSpellings)-1).Draw(g.t, "content")
	spelled := rapid.SampledFrom(jsonSpellings[content]).Draw(g.t, "spelling")
	switch rapid.IntRange(0, 7).Draw(g.t, "config") {
	case 0:
		*m = showing(*m, tfvalue.NewConfigTextNull())
	case 1:
		*m = showing(*m, tfvalue.NewConfigTextValue(""))
	case 2, 3, 4:
		// Another content always has another version, as it should be.
		*m = hiding(*m, spelled, int64(2*content+rapid.IntRange(1, 2).Draw(g.t, "version")))
	default:
		*m = showing(*m, tfvalue.NewConfigTextValue(spelled))
	}
	if !redeployable(configText(*m)) {
		m.RedeployTriggers = types.MapNull(types.StringType)
	}
}

func (g generator) affinity(m *model) {
	m.AffinityMode = textOrNull(rapid.SampledFrom([]string{"", "none", "affinity", "anti-affinity"}).Draw(g.t, "affinity_mode"))
}

// own draws what Kuscia knows nothing of.
func (g generator) own(m *model) {
	m.WaitForRollout = rapid.SampledFrom([]types.Bool{types.BoolNull(), types.BoolValue(true), types.BoolValue(false)}).Draw(g.t, "wait_for_rollout")
	m.Timeouts = nullTimeouts()
	if g.oneIn(3, "timeouts") {
		m.Timeouts = createTimeout("5m")
	}
	m.ProgressDeadline = rapid.SampledFrom([]types.String{types.StringNull(), types.StringNull(), types.StringValue("2m"), types.StringValue("")}).Draw(g.t, "progress_deadline")
	m.ReplaceTriggers = rapid.SampledFrom([]types.Map{
		types.MapNull(types.StringType), types.MapNull(types.StringType), types.MapValueMust(types.StringType, nil), triggers("1"), triggers("2"),
	}).Draw(g.t, "replace_triggers")
	m.RedeployTriggers = types.MapNull(types.StringType)
	if redeployable(configText(*m)) {
		m.RedeployTriggers = rapid.SampledFrom([]types.Map{
			types.MapNull(types.StringType), types.MapValueMust(types.StringType, map[string]attr.Value{}), triggers("1"), triggers("2"),
		}).Draw(g.t, "redeploy_triggers")
	}
}

// edits draws a configuration that differs from another one in a few places.
func edits(m model) *rapid.Generator[drawn] {
	return rapid.Custom(func(t *rapid.T) drawn {
		g := generator{t}
		edited := m
		parties := slices.Clone(m.Parties.items)
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
				g.resources(p)
			case 10:
				parties = rapid.Permutation(parties).Draw(t, "order")
			default:
				g.oneAmount(p)
			}
		}
		edited.Parties = partiesOf(parties...)
		return drawn{edited}
	}).Filter(validDraw)
}

// oneAmount changes, sets or clears one amount.
func (g generator) oneAmount(p *party) {
	if len(p.resources.items) == 0 {
		g.resources(p)
		return
	}
	p.resources.items = slices.Clone(p.resources.items)
	item := &p.resources.items[rapid.IntRange(0, len(p.resources.items)-1).Draw(g.t, "entry")]
	fresh := g.amounts(item.container.ValueString())
	switch rapid.IntRange(0, 3).Draw(g.t, "amount") {
	case 0:
		item.minCPU = fresh.minCPU
	case 1:
		item.maxCPU = fresh.maxCPU
	case 2:
		item.minMemory = fresh.minMemory
	default:
		item.maxMemory = fresh.maxMemory
	}
}

// respellings draws configurations that mean the same as another one.
func respellings(m model) *rapid.Generator[drawn] {
	return rapid.Custom(func(t *rapid.T) drawn {
		g := generator{t}
		respelled := m
		switch {
		case m.hidesConfig():
			respelled.ServingInputConfigWO = tfvalue.NewConfigTextValue(spelledLike(t, m.ServingInputConfigWO.ValueString(), jsonSpellings))
		case m.ServingInputConfig.IsNull():
		case m.ServingInputConfig.ValueString() == "":
			respelled.ServingInputConfig = rapid.SampledFrom([]tfvalue.ConfigText{tfvalue.NewConfigTextNull(), m.ServingInputConfig}).Draw(t, "no config")
		default:
			respelled.ServingInputConfig = tfvalue.NewConfigTextValue(spelledLike(t, m.ServingInputConfig.ValueString(), jsonSpellings))
		}
		whole := withDefaults(m)
		if whole.AffinityMode.ValueString() == kuscia.AntiAffinity {
			respelled.AffinityMode = rapid.SampledFrom([]types.String{types.StringNull(), whole.AffinityMode}).Draw(t, "affinity")
		}
		if len(whole.RedeployTriggers.Elements()) == 0 {
			respelled.RedeployTriggers = rapid.SampledFrom([]types.Map{types.MapNull(types.StringType), whole.RedeployTriggers}).Draw(t, "triggers")
		}
		if len(whole.ReplaceTriggers.Elements()) == 0 {
			respelled.ReplaceTriggers = rapid.SampledFrom([]types.Map{types.MapNull(types.StringType), whole.ReplaceTriggers}).Draw(t, "replace triggers")
		}
		if whole.WaitForRollout.ValueBool() {
			respelled.WaitForRollout = rapid.SampledFrom([]types.Bool{types.BoolNull(), whole.WaitForRollout}).Draw(t, "wait")
		}
		parties := slices.Clone(m.Parties.items)
		for i := range parties {
			g.respell(&parties[i])
		}
		respelled.Parties = partiesOf(rapid.Permutation(parties).Draw(t, "order")...)
		return drawn{respelled}
	})
}

func (g generator) respell(p *party) {
	t := g.t
	whole := p.withDefaults()
	if whole.role.ValueString() == "" {
		g.role(p, "")
	}
	if whole.serviceNamePrefix.ValueString() == "" {
		p.serviceNamePrefix = rapid.SampledFrom([]types.String{types.StringNull(), types.StringValue("")}).Draw(t, "prefix")
	}
	if whole.replicas.ValueInt32() == 1 {
		p.replicas = rapid.SampledFrom([]types.Int32{types.Int32Null(), types.Int32Value(1)}).Draw(t, "replicas")
	}
	bounds := [][]string{{"25%", "025%"}, {"1", "01"}, {"1%"}, {"0", "00"}, {"0%"}, {"100%", "0100%"}}
	p.strategy = whole.strategy
	for _, bound := range []*types.String{&p.strategy.surge, &p.strategy.unavailable} {
		if bound.IsNull() {
			continue
		}
		text := spelledLike(t, bound.ValueString(), bounds)
		*bound = types.StringValue(text)
		if tfvalue.CountOrPercentEqual(text, "25%") && rapid.Bool().Draw(t, "bound left out") {
			*bound = types.StringNull()
		}
	}
	if p.strategy.kind.ValueString() == kuscia.StrategyRollingUpdate && rapid.Bool().Draw(t, "type left out") {
		p.strategy.kind = types.StringNull()
		p.strategy.null = p.strategy.surge.IsNull() && p.strategy.unavailable.IsNull() && rapid.Bool().Draw(t, "strategy left out")
	}
	g.respellResources(p)
}

func (g generator) respellResources(p *party) {
	t := g.t
	wanted := p.resources.form()
	if !wanted.asks() {
		p.resources = resourceList{null: rapid.Bool().Draw(t, "resources left out")}
		return
	}
	items := slices.Clone(p.resources.items)
	if rapid.Bool().Draw(t, "by name") {
		items = nil
		for _, name := range containersOf(*p) {
			a := wanted.of(name)
			items = append(items, of(name, a.minCPU, a.maxCPU, a.minMemory, a.maxMemory))
		}
	}
	for i := range items {
		for _, amount := range []struct {
			value  *tfvalue.Quantity
			groups [][]string
		}{{&items[i].minCPU, amountSpellings}, {&items[i].maxCPU, amountSpellings}, {&items[i].minMemory, memorySpellings}, {&items[i].maxMemory, memorySpellings}} {
			if !amount.value.IsNull() {
				*amount.value = tfvalue.NewQuantityValue(spelledLike(t, amount.value.ValueString(), amount.groups))
			}
		}
	}
	p.resources = resourceList{items: rapid.Permutation(items).Draw(t, "order of resources")}
}
