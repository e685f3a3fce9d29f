package rules_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// TestPlanTable has a test for each line of the table in the README of servings:
// the effect of each difference.
func TestPlanTable(t *testing.T) {
	t.Parallel()
	edit := func(change func(*rules.Serving)) func(rules.Serving) rules.Serving {
		return func(m rules.Serving) rules.Serving { change(&m); return m }
	}
	alice := func(edits ...func(*rules.Party)) func(rules.Serving) rules.Serving {
		return func(m rules.Serving) rules.Serving { return InParty(m, 0, edits...) }
	}
	bob := func(edits ...func(*rules.Party)) func(rules.Serving) rules.Serving {
		return func(m rules.Serving) rules.Serving { return InParty(m, 1, edits...) }
	}
	parties := func(change func([]rules.Party) []rules.Party) func(rules.Serving) rules.Serving {
		return func(m rules.Serving) rules.Serving { return InParties(m, change) }
	}
	root := path.Root("parties")

	for name, test := range map[string]struct {
		change func(rules.Serving) rules.Serving
		want   Outcome
		// paths require the replacement; why has a part of the warning for each,
		// "" if there is none.
		paths []path.Path
		why   []string
	}{
		"no change": {func(m rules.Serving) rules.Serving { return m }, NoOp, nil, nil},

		// Replaced.
		"serving_id": {edit(func(m *rules.Serving) { m.ServingID = types.StringValue("glm2") }), Replace, []path.Path{path.Root("serving_id")}, []string{""}},
		"initiator":  {edit(func(m *rules.Serving) { m.Initiator = types.StringValue("bob") }), Replace, []path.Path{path.Root("initiator")}, []string{""}},
		"affinity_mode": {edit(func(m *rules.Serving) { m.AffinityMode = types.StringValue("none") }), Replace,
			[]path.Path{path.Root("affinity_mode")}, []string{""}},
		"service_name_prefix": {alice(Prefix("new")), Replace, []path.Path{PartiesPath("alice", "service_name_prefix")}, []string{"silently ignores"}},
		"party added":         {parties(func(p []rules.Party) []rules.Party { return append(p, PartyOf("carol")) }), Replace, []path.Path{root.AtMapKey("carol")}, []string{`Added: parties["carol"].`}},
		"party removed": {parties(func(p []rules.Party) []rules.Party { return p[:1] }), Replace,
			[]path.Path{root.AtMapKey("bob")}, []string{`Removed: parties["bob"].`}},
		"role": {bob(Role("client")), Replace, []path.Path{root.AtMapKey("bob")}, []string{`serving. Other domain or role: parties["bob"].`}},
		"domains exchanged": {func(m rules.Serving) rules.Serving {
			return InParty(InParty(m, 0, func(p *rules.Party) { p.DomainID = types.StringValue("bob") }), 1, func(p *rules.Party) { p.DomainID = types.StringValue("alice") })
		}, Replace, []path.Path{root.AtMapKey("alice"), root.AtMapKey("bob")}, []string{`Other domain or role: parties["alice"], parties["bob"].`, ""}},
		"serving_input_config cleared": {edit(func(m *rules.Serving) { m.ServingInputConfig = types.StringValue("") }), Replace,
			[]path.Path{path.Root("serving_input_config")}, []string{"\"unchanged\""}},
		"resources left out":     {alice(NoResources), Replace, []path.Path{PartiesPath("alice", "resources")}, []string{"is removed"}},
		"resource field cleared": {alice(Resources(ContainerResources("", "0.5", "2", "1Gi", ""))), Replace, []path.Path{PartiesPath("alice", "resources")}, []string{"max_memory is removed"}},
		"named entry removed": {bob(Resources(ContainerResources("main", "0.1", "1", "1.5Gi", "2Gi"))), Replace,
			[]path.Path{PartiesPath("bob", "container_resources")}, []string{`container "side": min_cpu is removed`}},
		"first limit": {bob(Resources(ContainerResources("main", "0.1", "1", "1.5Gi", "2Gi"), ContainerResources("side", "100m", "1", "", ""))), Replace,
			[]path.Path{PartiesPath("bob", "container_resources")}, []string{`container "side": max_cpu would be its first limit`}},
		"first limit through all containers": {bob(Resources(ContainerResources("", "", "", "", "2Gi"), ContainerResources("main", "0.1", "1", "1.5Gi", "2Gi"), ContainerResources("side", "100m", "", "", ""))), Replace,
			[]path.Path{PartiesPath("bob", "resources")}, []string{`container "side": max_memory would be its first limit`}},
		"zero without a stored value": {bob(Resources(ContainerResources("main", "0.1", "1", "1.5Gi", "2Gi"), ContainerResources("side", "100m", "", "0", ""))), Replace,
			[]path.Path{PartiesPath("bob", "container_resources")}, []string{`container "side": min_memory is set to zero`}},
		"container without stored resources": {bob(Resources(ContainerResources("main", "0.1", "1", "1.5Gi", "2Gi"), ContainerResources("side", "100m", "", "", ""), ContainerResources("extra", "1", "", "", ""))), Replace,
			[]path.Path{PartiesPath("bob", "container_resources")}, []string{`container "extra": min_cpu would be its first request`}},
		"app image with another container for all": {alice(Image("third")), Replace,
			[]path.Path{PartiesPath("alice", "app_image")}, []string{`the container "extra"`}},

		// Updated in place.
		"replicas":                   {alice(Replicas(3)), Update, nil, nil},
		"replicas to the default":    {alice(func(p *rules.Party) { p.Replicas = types.Int32Null() }), Update, nil, nil},
		"strategy type":              {bob(Recreate), Update, nil, nil},
		"strategy bound":             {bob(RollingUpdate("2", "0")), Update, nil, nil},
		"app_image":                  {alice(Image("other")), Update, nil, nil},
		"app_image, named resources": {bob(Image("third")), Update, nil, nil},
		"resource value":             {alice(Resources(ContainerResources("", "0.5", "3", "1Gi", "2Gi"))), Update, nil, nil},
		"resource to zero":           {alice(Resources(ContainerResources("", "0", "2", "1Gi", "2Gi"))), Update, nil, nil},
		"serving_input_config":       {edit(func(m *rules.Serving) { m.ServingInputConfig = types.StringValue(`{"model":2}`) }), Update, nil, nil},
		"redeploy_triggers":          {edit(func(m *rules.Serving) { m.RedeployTriggers = Triggers("1") }), Update, nil, nil},
		"wait_for_rollout":           {edit(func(m *rules.Serving) { m.WaitForRollout = types.BoolValue(false) }), Update, nil, nil},
		"name":                       {alice(Named("other")), Update, nil, nil},

		// No change.
		"quantities":               {alice(Resources(ContainerResources("", "500m", "2000m", "1024Mi", "2147483648"))), NoOp, nil, nil},
		"resources by name":        {alice(Resources(ContainerResources("main", "0.5", "2", "1Gi", "2Gi"), ContainerResources("side", "0.5", "2", "1Gi", "2Gi"))), NoOp, nil, nil},
		"strategy 01":              {bob(RollingUpdate("01", "00")), NoOp, nil, nil},
		"strategy bounds left out": {alice(RollingUpdate("", "")), NoOp, nil, nil},
		"triggers empty": {edit(func(m *rules.Serving) {
			m.RedeployTriggers = types.MapValueMust(types.StringType, map[string]attr.Value{})
		}), Update, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := TwoParties()
			prior := StateOf(config)
			got, _, reasons := Classify(t, test.change(config), prior, TwoPartiesPrivate(), AllImages)
			if got != test.want {
				t.Fatalf("the plan is %s for %v, want %s", got, reasons, test.want)
			}
			if len(reasons) < len(test.paths) || (len(test.paths) == 0 && len(reasons) > 0) {
				t.Fatalf("reasons are %v", reasons)
			}
			for i, want := range test.paths {
				if !reasons[i].Path.Equal(want) {
					t.Errorf("reason %d is at %s, want %s", i, reasons[i].Path, want)
				}
				if (test.why[i] == "") != (reasons[i].Why == "") || !strings.Contains(reasons[i].Why, test.why[i]) {
					t.Errorf("reason %d is %q, want %q", i, reasons[i].Why, test.why[i])
				}
			}
		})
	}
}

// TestPlanUnknown: an unknown value never panics, never becomes a zero value,
// and requires a replacement only if Kuscia could not apply every outcome in
// place.
func TestPlanUnknown(t *testing.T) {
	t.Parallel()
	bobs := func(container string, edit func(*rules.ContainerResources)) func(rules.Serving) rules.Serving {
		return func(m rules.Serving) rules.Serving { return InParty(m, 1, InContainer(container, edit)) }
	}
	for name, test := range map[string]struct {
		change func(rules.Serving) rules.Serving
		want   Outcome
	}{
		"serving_id": {func(m rules.Serving) rules.Serving { m.ServingID = types.StringUnknown(); return m }, Replace},
		"a trigger": {func(m rules.Serving) rules.Serving {
			m.RedeployTriggers = types.MapValueMust(types.StringType, map[string]attr.Value{"image": types.StringUnknown()})
			return m
		}, Update},
		"parties": {func(m rules.Serving) rules.Serving { m.Parties = rules.UnknownParties(); return m }, Replace},
		"a party": {func(m rules.Serving) rules.Serving {
			return InParty(m, 1, func(p *rules.Party) { *p = rules.Party{Name: "bob", Unknown: true} })
		}, Replace},
		"app_image": {func(m rules.Serving) rules.Serving {
			return InParty(m, 1, func(p *rules.Party) { p.AppImage = types.StringUnknown() })
		}, Update},
		"resources": {func(m rules.Serving) rules.Serving {
			return InParty(m, 1, func(p *rules.Party) { p.Resources = UnknownResources })
		}, Replace},
		"the second of a side": {bobs("side", func(r *rules.ContainerResources) { r.MinMemory = types.StringUnknown() }), Update},
		"the first of a side":  {bobs("side", func(r *rules.ContainerResources) { r.MaxCPU = types.StringUnknown() }), Replace},
		"a first amount": {func(m rules.Serving) rules.Serving {
			return InParties(m, func(parties []rules.Party) []rules.Party {
				return append(parties, PartyOf("carol", Resources(ContainerEntry{Values: rules.ContainerResources{State: attr.ValueStateKnown, MinCPU: types.StringUnknown()}})))
			})
		}, Update},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := TwoParties()
			prior := config
			if name == "first resources" || name == "a first amount" {
				prior = InParties(config, func(parties []rules.Party) []rules.Party { return append(parties, PartyOf("carol")) })
			}
			got, planned, reasons := Classify(t, test.change(config), StateOf(prior), TwoPartiesPrivate(), AllImages)
			if got != test.want {
				t.Errorf("the plan is %s (%v), want %s", got, reasons, test.want)
			}
			if test.want == Replace {
				return
			}
			// An unknown value is an error in a request.
			if parties := slices.Clone(planned.Parties.Items); len(parties) == 0 {
				t.Error("the parties are missing")
			}
		})
	}
}
