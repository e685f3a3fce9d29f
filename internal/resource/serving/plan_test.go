package serving

import (
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// class is what a difference becomes.
type class string

const (
	nothing class = "nothing"
	update  class = "update"
	replace class = "replace"
)

// classify plans an update and checks what holds for every plan: it is legal,
// nothing means prior to the letter, what cannot move stays known.
func classify(t rapid.TB, config, prior model, private privateData, images imageLookup) (class, model, []replacement) {
	t.Helper()
	planned, reasons := planUpdate(config, prior, private, images)
	legal(t, prior, config, planned)
	switch {
	case len(reasons) > 0:
		return replace, planned, reasons
	case len(modelDifferences(planned, prior)) > 0:
		if prior.CreateTime.ValueString() != "" && !planned.CreateTime.Equal(prior.CreateTime) {
			t.Errorf("create_time becomes %s in the plan of an update", planned.CreateTime)
		}
		if len(prior.Endpoints.Elements()) > 0 && !planned.Endpoints.Equal(prior.Endpoints) {
			t.Errorf("endpoints become %s in the plan of an update", planned.Endpoints)
		}
		return update, planned, nil
	default:
		return nothing, planned, nil
	}
}

// twoParties is a configuration that sets everything: alice with resources for
// all containers, bob with resources by name.
func twoParties() model {
	return configOf(
		partyOf("alice", role(""), replicas(2), prefix("glm"), rolling("25%", "25%"), asks(of("", "0.5", "2", "1Gi", "2Gi"))),
		partyOf("bob", role("server"), replicas(1), rolling("1", "0"),
			asks(of("main", "0.1", "1", "1.5Gi", "2Gi"), of("side", "100m", "", "", ""))),
	)
}

// twoStored are the containers that Kuscia stores for twoParties.
func twoStored() privateData {
	return privateData{Containers: map[string][]string{"alice/": {"main", "side"}, "bob/server": {"main", "side"}}}
}

var (
	sfImage    = appImage("sf", container("main"), container("side"))
	otherImage = appImage("other", container("main"), container("side"))
	thirdImage = appImage("third", container("main"), container("side"), container("extra"))
	allImages  = imagesOf(sfImage, otherImage, thirdImage)
)

func partiesPath(i int, attribute string) path.Path {
	return path.Root("parties").AtListIndex(i).AtName(attribute)
}

// TestPlanTable has a test for each line of the table in internal/README.md: what a
// difference means.
func TestPlanTable(t *testing.T) {
	t.Parallel()
	edit := func(change func(*model)) func(model) model {
		return func(m model) model { change(&m); return m }
	}
	alice := func(edits ...func(*party)) func(model) model {
		return func(m model) model { return inParty(m, 0, edits...) }
	}
	bob := func(edits ...func(*party)) func(model) model {
		return func(m model) model { return inParty(m, 1, edits...) }
	}
	swap := func(parties []party) []party { parties[0], parties[1] = parties[1], parties[0]; return parties }
	parties := func(change func([]party) []party) func(model) model {
		return func(m model) model { return inParties(m, change) }
	}
	root := path.Root("parties")

	for name, test := range map[string]struct {
		change func(model) model
		want   class
		// paths force the replacement; why has a part of the warning for each,
		// "" where there is none.
		paths []path.Path
		why   []string
	}{
		"no change": {func(m model) model { return m }, nothing, nil, nil},

		// Replaced.
		"serving_id": {edit(func(m *model) { m.ServingID = types.StringValue("glm2") }), replace, []path.Path{path.Root("serving_id")}, []string{""}},
		"initiator":  {edit(func(m *model) { m.Initiator = types.StringValue("bob") }), replace, []path.Path{path.Root("initiator")}, []string{""}},
		"affinity_mode": {edit(func(m *model) { m.AffinityMode = types.StringValue("none") }), replace,
			[]path.Path{path.Root("affinity_mode")}, []string{""}},
		"service_name_prefix": {alice(prefix("new")), replace, []path.Path{partiesPath(0, "service_name_prefix")}, []string{"silently ignores"}},
		"service_name_prefix taken away": {alice(func(p *party) { p.serviceNamePrefix = types.StringNull() }), replace,
			[]path.Path{partiesPath(0, "service_name_prefix")}, []string{"silently ignores"}},
		"service_name_prefix of a party that moved": {func(m model) model { return inParties(inParty(m, 0, prefix("new")), swap) }, replace,
			[]path.Path{root}, []string{"silently ignores"}},
		"party added": {parties(func(p []party) []party { return append(p, partyOf("bob")) }), replace, []path.Path{root}, []string{"neither add nor remove"}},
		"party removed": {parties(func(p []party) []party { return p[:1] }), replace,
			[]path.Path{root}, []string{"neither add nor remove"}},
		"role": {bob(role("client")), replace, []path.Path{root}, []string{"change its role"}},
		"role and order": {func(m model) model { return inParties(inParty(m, 1, role("client")), swap) }, replace,
			[]path.Path{root}, []string{"change its role"}},
		"domain_id": {bob(func(p *party) { p.domainID = types.StringValue("carol") }), replace, []path.Path{root}, []string{"neither add nor remove"}},
		"serving_input_config cleared": {edit(func(m *model) { m.ServingInputConfig = tfvalue.NewConfigTextValue("") }), replace,
			[]path.Path{path.Root("serving_input_config")}, []string{"keep what is there"}},
		"serving_input_config left out": {edit(func(m *model) { m.ServingInputConfig = tfvalue.NewConfigTextNull() }), replace,
			[]path.Path{path.Root("serving_input_config")}, []string{"keep what is there"}},
		"resources left out":     {alice(noResources), replace, []path.Path{partiesPath(0, "resources")}, []string{"taken away"}},
		"resources made empty":   {alice(asks()), replace, []path.Path{partiesPath(0, "resources")}, []string{"taken away"}},
		"resource field cleared": {alice(asks(of("", "0.5", "2", "1Gi", ""))), replace, []path.Path{partiesPath(0, "resources")}, []string{"max_memory is taken away"}},
		"named entry removed": {bob(asks(of("main", "0.1", "1", "1.5Gi", "2Gi"))), replace,
			[]path.Path{partiesPath(1, "resources")}, []string{`container "side": min_cpu is taken away`}},
		"first limit": {bob(asks(of("main", "0.1", "1", "1.5Gi", "2Gi"), of("side", "100m", "1", "", ""))), replace,
			[]path.Path{partiesPath(1, "resources")}, []string{`container "side": max_cpu would be its first limit`}},
		"first limit through all containers": {bob(asks(of("", "", "", "", "2Gi"), of("main", "0.1", "1", "1.5Gi", "2Gi"), of("side", "100m", "", "", ""))), replace,
			[]path.Path{partiesPath(1, "resources")}, []string{`container "side": max_memory would be its first limit`}},
		"zero where nothing was": {bob(asks(of("main", "0.1", "1", "1.5Gi", "2Gi"), of("side", "100m", "", "0", ""))), replace,
			[]path.Path{partiesPath(1, "resources")}, []string{`container "side": min_memory is set to zero`}},
		"container of no stored resources": {bob(asks(of("main", "0.1", "1", "1.5Gi", "2Gi"), of("side", "100m", "", "", ""), of("extra", "1", "", "", ""))), replace,
			[]path.Path{partiesPath(1, "resources")}, []string{`container "extra": min_cpu would be its first request`}},
		"app image with another container for all": {alice(image("third")), replace,
			[]path.Path{partiesPath(0, "app_image")}, []string{`the container "extra"`}},
		"two reasons": {func(m model) model {
			m.Initiator = types.StringValue("bob")
			return inParty(m, 0, prefix("new"))
		}, replace, []path.Path{partiesPath(0, "service_name_prefix"), path.Root("initiator")}, []string{"silently ignores", ""}},

		// Updated in place.
		"replicas":                       {alice(replicas(3)), update, nil, nil},
		"replicas to the default":        {alice(func(p *party) { p.replicas = types.Int32Null() }), update, nil, nil},
		"strategy bound":                 {bob(rolling("2", "0")), update, nil, nil},
		"strategy number to percent":     {bob(rolling("1%", "0")), update, nil, nil},
		"strategy type":                  {bob(recreate), update, nil, nil},
		"strategy to the default":        {bob(func(p *party) { p.strategy = strategy{null: true} }), update, nil, nil},
		"app_image":                      {alice(image("other")), update, nil, nil},
		"app_image nobody knows":         {alice(image("unknown")), update, nil, nil},
		"app_image, named resources":     {bob(image("third")), update, nil, nil},
		"resource value":                 {alice(asks(of("", "0.5", "3", "1Gi", "2Gi"))), update, nil, nil},
		"resource value of one":          {bob(asks(of("main", "0.1", "1", "1.5Gi", "3Gi"), of("side", "100m", "", "", ""))), update, nil, nil},
		"resource to zero":               {alice(asks(of("", "0", "2", "1Gi", "2Gi"))), update, nil, nil},
		"second request":                 {bob(asks(of("main", "0.1", "1", "1.5Gi", "2Gi"), of("side", "100m", "", "1Gi", ""))), update, nil, nil},
		"named entry over the general":   {alice(asks(of("", "0.5", "2", "1Gi", "2Gi"), of("side", "1", "", "", ""))), update, nil, nil},
		"serving_input_config":           {edit(func(m *model) { m.ServingInputConfig = tfvalue.NewConfigTextValue(`{"model":2}`) }), update, nil, nil},
		"serving_input_config to text":   {edit(func(m *model) { m.ServingInputConfig = tfvalue.NewConfigTextValue("plain") }), update, nil, nil},
		"redeploy_triggers":              {edit(func(m *model) { m.RedeployTriggers = triggers("1") }), update, nil, nil},
		"wait_for_rollout":               {edit(func(m *model) { m.WaitForRollout = types.BoolValue(false) }), update, nil, nil},
		"timeouts":                       {edit(func(m *model) { m.Timeouts = createTimeout("1m") }), update, nil, nil},
		"replicas of a party that moved": {func(m model) model { return inParties(inParty(m, 0, replicas(3)), swap) }, update, nil, nil},
		"replicas and another spelling":  {alice(replicas(3), asks(of("", "500m", "2", "1024Mi", "2Gi"))), update, nil, nil},

		// Nothing.
		"order of parties":               {parties(swap), nothing, nil, nil},
		"order of resources":             {bob(asks(of("side", "100m", "", "", ""), of("main", "0.1", "1", "1.5Gi", "2Gi"))), nothing, nil, nil},
		"quantities":                     {alice(asks(of("", "500m", "2000m", "1024Mi", "2147483648"))), nothing, nil, nil},
		"quantity in a party that moved": {func(m model) model { return inParties(inParty(m, 0, asks(of("", "500m", "2", "1Gi", "2Gi"))), swap) }, nothing, nil, nil},
		"resources by name":              {alice(asks(of("main", "0.5", "2", "1Gi", "2Gi"), of("side", "0.5", "2", "1Gi", "2Gi"))), nothing, nil, nil},
		"resources for all":              {bob(asks(of("", "0.1", "", "", ""), of("main", "", "1", "1.5Gi", "2Gi"))), nothing, nil, nil},
		"json spelling":                  {edit(func(m *model) { m.ServingInputConfig = tfvalue.NewConfigTextValue("{ \"model\" : 1.0 }\n") }), nothing, nil, nil},
		"role left out":                  {alice(func(p *party) { p.role = types.StringNull() }), nothing, nil, nil},
		"prefix empty":                   {bob(prefix("")), nothing, nil, nil},
		"replicas left out":              {bob(func(p *party) { p.replicas = types.Int32Null() }), nothing, nil, nil},
		"strategy left out":              {alice(func(p *party) { p.strategy = strategy{null: true} }), nothing, nil, nil},
		"strategy bounds left out":       {alice(rolling("", "")), nothing, nil, nil},
		"strategy type left out":         {alice(func(p *party) { p.strategy = strategy{surge: types.StringValue("25%")} }), nothing, nil, nil},
		"strategy 01":                    {bob(rolling("01", "00")), nothing, nil, nil},
		"affinity_mode default":          {edit(func(m *model) { m.AffinityMode = types.StringValue(kuscia.AntiAffinity) }), nothing, nil, nil},
		"triggers empty":                 {edit(func(m *model) { m.RedeployTriggers = types.MapValueMust(types.StringType, map[string]attr.Value{}) }), nothing, nil, nil},
		"wait default":                   {edit(func(m *model) { m.WaitForRollout = types.BoolValue(true) }), nothing, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := twoParties()
			prior := stateOf(config)
			got, _, reasons := classify(t, test.change(config), prior, twoStored(), allImages)
			if got != test.want {
				t.Fatalf("it is %s for %v, want %s", got, reasons, test.want)
			}
			if len(reasons) < len(test.paths) || (len(test.paths) == 0 && len(reasons) > 0) {
				t.Fatalf("reasons are %v", reasons)
			}
			for i, want := range test.paths {
				if !reasons[i].path.Equal(want) {
					t.Errorf("reason %d is at %s, want %s", i, reasons[i].path, want)
				}
				if (test.why[i] == "") != (reasons[i].why == "") || !strings.Contains(reasons[i].why, test.why[i]) {
					t.Errorf("reason %d is %q, want %q", i, reasons[i].why, test.why[i])
				}
			}
		})
	}
}

// TestPlanKeepsSpelling: beside a real change, what only changed its spelling
// keeps the old one wherever Terraform allows it.
func TestPlanKeepsSpelling(t *testing.T) {
	t.Parallel()
	config := twoParties()
	prior := stateOf(config)
	edited := inParty(inParty(config, 0, replicas(3), rolling("", ""), asks(of("", "500m", "2", "1024Mi", "2Gi"))),
		1, asks(of("side", "0.1", "", "", ""), of("main", "100m", "1", "1536Mi", "2Gi")))
	edited.ServingInputConfig = tfvalue.NewConfigTextValue(`{"model":1}`)
	got, planned, _ := classify(t, edited, prior, twoStored(), allImages)
	if got != update {
		t.Fatalf("it is %s", got)
	}
	want := prior
	want.Parties = partiesOf(func() []party {
		parties := slices.Clone(prior.Parties.items)
		parties[0].replicas = types.Int32Value(3)
		return parties
	}()...)
	sameModel(t, planned, want)
}

// TestPlanSpellingOfSwappedParties: with a change beside a new order the list
// is the configured one, element by element.
func TestPlanSpellingOfSwappedParties(t *testing.T) {
	t.Parallel()
	config := configOf(
		partyOf("alice", asks(of("", "0.5", "", "", ""))),
		partyOf("bob", asks(of("", "500m", "", "", ""))),
	)
	prior := stateOf(config)
	private := privateData{Containers: map[string][]string{"alice/": {"main"}, "bob/": {"main"}}}
	edited := inParties(config, func(parties []party) []party {
		return []party{with(parties[1], replicas(2)), parties[0]}
	})
	edited.Initiator = config.Initiator
	got, planned, _ := classify(t, edited, prior, private, allImages)
	if got != update {
		t.Fatalf("it is %s", got)
	}
	parties := slices.Clone(planned.Parties.items)
	if parties[0].key().domainID != "bob" || parties[1].key().domainID != "alice" {
		t.Errorf("the order is not the configured one: %v", planned.Parties)
	}
}

// TestPlanCreate: everything that a configuration leaves out is known in the
// plan, but for what only Kuscia knows.
func TestPlanCreate(t *testing.T) {
	t.Parallel()
	config := configOf(partyOf("alice"))
	config.ServingInputConfig = tfvalue.NewConfigTextNull()
	planned := planCreate(config)
	legal(t, nullModel(), config, planned)
	want := config
	want.AffinityMode = types.StringValue("anti-affinity")
	want.RedeployTriggers = types.MapValueMust(types.StringType, map[string]attr.Value{})
	want.ReplaceTriggers = want.RedeployTriggers
	want.WaitForRollout, want.RolloutComplete = types.BoolValue(true), types.BoolValue(true)
	want.ID = config.ServingID
	want.Parties = partiesOf(partyOf("alice", role(""), replicas(1), prefix(""), rolling("25%", "25%"), asks()))
	sameModel(t, planned, want)
}

func nullModel() model {
	return model{attributes: attributes{
		Endpoints:        types.ListNull(endpointType),
		RedeployTriggers: types.MapNull(types.StringType), ReplaceTriggers: types.MapNull(types.StringType), Timeouts: nullTimeouts(),
	}}
}

// TestPlanKeepsWhatIsKnown: what Kuscia had not told yet may be there after an
// update, and only then.
func TestPlanOfUnsettledState(t *testing.T) {
	t.Parallel()
	config := twoParties()
	prior := stateOf(config)
	prior.CreateTime, prior.Endpoints = types.StringNull(), types.ListValueMust(endpointType, nil)
	if got, _, _ := classify(t, config, prior, twoStored(), allImages); got != nothing {
		t.Errorf("without a difference it is %s", got)
	}
	got, planned, _ := classify(t, inParty(config, 0, replicas(5)), prior, twoStored(), allImages)
	if got != update || !planned.CreateTime.IsUnknown() || !planned.Endpoints.IsUnknown() {
		t.Errorf("it is %s with create_time %s and endpoints %s", got, planned.CreateTime, planned.Endpoints)
	}
}

// TestPlanUnknown: an unknown value never panics, never becomes a zero value,
// and replaces only where Kuscia could not take every outcome in place.
func TestPlanUnknown(t *testing.T) {
	t.Parallel()
	items := func(m model, change func([]containerResources)) model {
		return inParty(m, 1, func(p *party) { change(p.resources.items) })
	}
	for name, test := range map[string]struct {
		change func(model) model
		want   class
	}{
		"serving_id":           {func(m model) model { m.ServingID = types.StringUnknown(); return m }, replace},
		"initiator":            {func(m model) model { m.Initiator = types.StringUnknown(); return m }, replace},
		"affinity_mode":        {func(m model) model { m.AffinityMode = types.StringUnknown(); return m }, replace},
		"serving_input_config": {func(m model) model { m.ServingInputConfig = tfvalue.NewConfigTextUnknown(); return m }, update},
		"redeploy_triggers":    {func(m model) model { m.RedeployTriggers = types.MapUnknown(types.StringType); return m }, update},
		"a trigger": {func(m model) model {
			m.RedeployTriggers = types.MapValueMust(types.StringType, map[string]attr.Value{"image": types.StringUnknown()})
			return m
		}, update},
		"wait_for_rollout": {func(m model) model { m.WaitForRollout = types.BoolUnknown(); return m }, update},
		"parties":          {func(m model) model { m.Parties = unknownParties(); return m }, replace},
		"a party":          {func(m model) model { return inParty(m, 1, func(p *party) { *p = party{unknown: true} }) }, replace},
		"domain_id":        {func(m model) model { return inParty(m, 1, func(p *party) { p.domainID = types.StringUnknown() }) }, replace},
		"role":             {func(m model) model { return inParty(m, 1, func(p *party) { p.role = types.StringUnknown() }) }, replace},
		"prefix": {func(m model) model {
			return inParty(m, 1, func(p *party) { p.serviceNamePrefix = types.StringUnknown() })
		}, replace},
		"app_image": {func(m model) model { return inParty(m, 1, func(p *party) { p.appImage = types.StringUnknown() }) }, update},
		"replicas":  {func(m model) model { return inParty(m, 1, func(p *party) { p.replicas = types.Int32Unknown() }) }, update},
		"strategy":  {func(m model) model { return inParty(m, 1, func(p *party) { p.strategy = strategy{unknown: true} }) }, update},
		"strategy type": {func(m model) model {
			return inParty(m, 1, func(p *party) { p.strategy = strategy{kind: types.StringUnknown()} })
		}, update},
		"strategy bound": {func(m model) model {
			return inParty(m, 1, func(p *party) { p.strategy = strategy{surge: types.StringUnknown()} })
		}, update},
		"resources": {func(m model) model {
			return inParty(m, 1, func(p *party) { p.resources = resourceList{unknown: true} })
		}, replace},
		"a resources entry": {func(m model) model {
			return items(m, func(items []containerResources) { items[0] = containerResources{unknown: true} })
		}, replace},
		"container_name": {func(m model) model {
			return items(m, func(items []containerResources) { items[0].container = types.StringUnknown() })
		}, replace},
		"an amount that is set": {func(m model) model {
			return items(m, func(items []containerResources) { items[0].minCPU = tfvalue.NewQuantityUnknown() })
		}, update},
		"the second of a side": {func(m model) model {
			return items(m, func(items []containerResources) { items[1].minMemory = tfvalue.NewQuantityUnknown() })
		}, update},
		"the first of a side": {func(m model) model {
			return items(m, func(items []containerResources) { items[1].maxCPU = tfvalue.NewQuantityUnknown() })
		}, replace},
		"resources where none were": {func(m model) model {
			return inParties(m, func(parties []party) []party {
				return append(parties, partyOf("bob", func(p *party) { p.resources = resourceList{unknown: true} }))
			})
		}, update},
		"an amount where none was": {func(m model) model {
			return inParties(m, func(parties []party) []party {
				return append(parties, partyOf("bob", asks(containerResources{minCPU: tfvalue.NewQuantityUnknown()})))
			})
		}, update},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := twoParties()
			prior := config
			if strings.Contains(name, "where none w") {
				prior = inParties(config, func(parties []party) []party { return append(parties, partyOf("bob")) })
			}
			got, planned, reasons := classify(t, test.change(config), stateOf(prior), twoStored(), allImages)
			if got != test.want {
				t.Errorf("it is %s (%v), want %s", got, reasons, test.want)
			}
			if test.want == replace {
				return
			}
			// Nothing unknown reaches a request but as an error.
			if parties := slices.Clone(planned.Parties.items); len(parties) == 0 {
				t.Error("the parties are gone")
			}
		})
	}
}

// TestPlanImported: after an import, what Kuscia does not return matches every
// configuration until the first update.
func TestPlanImported(t *testing.T) {
	t.Parallel()
	config := twoParties()
	config.AffinityMode = types.StringValue("none")
	config.RedeployTriggers = triggers("1")
	config.WaitForRollout = types.BoolValue(false)
	config.Timeouts = createTimeout("1m")
	imported := stateOf(twoParties())
	imported.Timeouts = importedTimeouts()
	private := twoStored()
	private.Imported = true

	got, planned, _ := classify(t, config, imported, private, allImages)
	if got != nothing {
		t.Errorf("the first plan is %s", got)
	}
	sameModel(t, planned, imported)

	// A real change takes the rest along, in place.
	got, planned, reasons := classify(t, inParty(config, 0, replicas(4)), imported, private, allImages)
	if got != update || planned.AffinityMode.ValueString() != "none" || !planned.RedeployTriggers.Equal(triggers("1")) ||
		planned.WaitForRollout.ValueBool() || !planned.Timeouts.Equal(config.Timeouts) {
		t.Errorf("with a change it is %s %v: %v", got, reasons, planned)
	}
	if redeploys(planned, imported, private) {
		t.Error("the first triggers after an import restart the pods")
	}
	private.Imported = false
	if got, _, _ := classify(t, config, imported, private, allImages); got != replace {
		t.Errorf("once settled it is %s", got)
	}

	// What Kuscia does return counts from the first plan on.
	private.Imported = true
	for name, changed := range map[string]model{
		"prefix":    inParty(config, 0, prefix("new")),
		"initiator": func() model { m := config; m.Initiator = types.StringValue("bob"); return m }(),
	} {
		if got, _, _ := classify(t, changed, imported, private, allImages); got != replace {
			t.Errorf("another %s after an import is %s", name, got)
		}
	}
}

// TestPlanObserved: an import shows resources that may be the app image's own;
// a configuration without resources keeps them, one with resources is compared.
func TestPlanObserved(t *testing.T) {
	t.Parallel()
	observed := twoStored()
	observed.Observed = []string{"alice/", "bob/server"}
	imported := stateOf(twoParties())
	for name, test := range map[string]struct {
		resources func(*party)
		want      class
	}{
		"left out":      {noResources, nothing},
		"empty":         {asks(), nothing},
		"same":          {asks(of("", "500m", "2", "1Gi", "2Gi")), nothing},
		"other":         {asks(of("", "1", "2", "1Gi", "2Gi")), update},
		"one less":      {asks(of("", "0.5", "2", "1Gi", "")), replace},
		"for one of it": {asks(of("main", "0.5", "2", "1Gi", "2Gi")), replace},
	} {
		for _, moved := range []bool{false, true} {
			config := inParty(twoParties(), 0, test.resources)
			if moved {
				config = inParties(config, func(p []party) []party { return []party{p[1], p[0]} })
			}
			if got, _, reasons := classify(t, config, imported, observed, allImages); got != test.want {
				t.Errorf("%s (moved %v): it is %s %v, want %s", name, moved, got, reasons, test.want)
			}
		}
		config := inParty(inParty(twoParties(), 0, test.resources), 1, replicas(7))
		want := test.want
		if want == nothing {
			want = update
		}
		if got, _, reasons := classify(t, config, imported, observed, allImages); got != want {
			t.Errorf("%s beside another change: it is %s %v, want %s", name, got, reasons, want)
		}
	}
}

// TestPlanObservedConfig: a text that an import read stays when the
// configuration, perhaps a generated one, leaves it out; "" is not left out.
func TestPlanObservedConfig(t *testing.T) {
	t.Parallel()
	imported := stateOf(twoParties())
	private := twoStored()
	private.ObservedConfig = true
	for name, test := range map[string]struct {
		text tfvalue.ConfigText
		want class
	}{
		"left out": {tfvalue.NewConfigTextNull(), nothing},
		"empty":    {tfvalue.NewConfigTextValue(""), replace},
		"same":     {tfvalue.NewConfigTextValue(`{"model":1}`), nothing},
		"other":    {tfvalue.NewConfigTextValue(`{"model":2}`), update},
		"unknown":  {tfvalue.NewConfigTextUnknown(), update},
	} {
		config := twoParties()
		config.ServingInputConfig = test.text
		if got, _, reasons := classify(t, config, imported, private, allImages); got != test.want {
			t.Errorf("%s: it is %s %v, want %s", name, got, reasons, test.want)
		}
		after := private.afterUpdate(config)
		if after.ObservedConfig != test.text.IsNull() {
			t.Errorf("%s: after an update it is observed: %v", name, after.ObservedConfig)
		}
	}
	config := inParty(twoParties(), 0, replicas(9))
	config.ServingInputConfig = tfvalue.NewConfigTextNull()
	got, planned, _ := classify(t, config, imported, private, allImages)
	if got != update || !planned.ServingInputConfig.Equal(imported.ServingInputConfig) {
		t.Errorf("beside another change it is %s with %q", got, planned.ServingInputConfig.ValueString())
	}
}

// TestPlanTimeoutsOfNothing: timeouts that set nothing are the same as none,
// as far as Terraform allows it.
func TestPlanTimeoutsOfNothing(t *testing.T) {
	t.Parallel()
	config := twoParties()
	state := stateOf(config)
	state.Timeouts = importedTimeouts()
	if got, _, _ := classify(t, config, state, twoStored(), allImages); got != nothing {
		t.Errorf("left out after an import it is %s", got)
	}
	config.Timeouts = importedTimeouts()
	if got, _, _ := classify(t, config, stateOf(twoParties()), twoStored(), allImages); got != update {
		t.Errorf("an empty object after none, which Terraform does not let a plan ignore, is %s", got)
	}
	config.Timeouts = createTimeout("1m")
	if got, _, _ := classify(t, config, state, twoStored(), allImages); got != update {
		t.Errorf("a first timeout is %s", got)
	}
}

// TestPlanAppImageOfKeptResources: two forms that mean the same for the stored
// containers may not for those of another app image, so the configured one is
// planned.
func TestPlanAppImageOfKeptResources(t *testing.T) {
	t.Parallel()
	config := configOf(partyOf("alice", asks(of("", "1", "", "", ""))))
	private := privateData{Containers: map[string][]string{"alice/": {"main"}}}
	images := imagesOf(appImage("sf", container("main")), appImage("two", container("main"), container("side")))
	edited := inParty(config, 0, image("two"), asks(of("main", "1", "", "", "")))
	got, planned, reasons := classify(t, edited, stateOf(config), private, images)
	if got != update {
		t.Fatalf("it is %s %v", got, reasons)
	}
	parties := slices.Clone(planned.Parties.items)
	if missing := unreachable(parties[0], images("two"), private.containers(parties[0].key())); len(missing) > 0 {
		t.Errorf("the plan updates in place and wants resources for %v, which cannot get any", missing)
	}
}

func TestRedeploys(t *testing.T) {
	t.Parallel()
	json, text := tfvalue.NewConfigTextValue("{}"), tfvalue.NewConfigTextValue("plain")
	none := types.MapValueMust(types.StringType, nil)
	for name, test := range map[string]struct {
		before, after types.Map
		config        tfvalue.ConfigText
		imported      bool
		want          bool
	}{
		"none":                          {none, none, json, false, false},
		"same":                          {triggers("1"), triggers("1"), json, false, false},
		"changed":                       {triggers("1"), triggers("2"), json, false, true},
		"first":                         {none, triggers("1"), json, false, true},
		"taken away":                    {triggers("1"), none, json, false, true},
		"taken away together with JSON": {triggers("1"), none, text, false, false},
		"not JSON once it is known":     {triggers("1"), triggers("2"), text, false, true},
		"after an import":               {none, triggers("1"), json, true, false},
	} {
		prior, planned := stateOf(configOf(partyOf("alice"))), stateOf(configOf(partyOf("alice")))
		prior.RedeployTriggers, planned.RedeployTriggers, planned.ServingInputConfig = test.before, test.after, test.config
		if got := redeploys(planned, prior, privateData{Imported: test.imported}); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}
