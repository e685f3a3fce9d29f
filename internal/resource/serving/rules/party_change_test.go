package rules_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// TestCompareParties: the differences, which are what an update sends.
func TestCompareParties(t *testing.T) {
	t.Parallel()
	base := PartyOf("alice", Role(""), Replicas(2), Prefix("p"), RollingUpdate("25%", "1"), Resources(ContainerResources("", "0.5", "1", "", ""), ContainerResources("side", "0.1", "", "", "")))
	for name, test := range map[string]struct {
		edit       func(*rules.Party)
		app        bool
		replicas   bool
		Strategy   bool
		containers []string
		why        string
	}{
		"nothing": {edit: func(*rules.Party) {}},
		"spelling": {edit: func(p *rules.Party) {
			RollingUpdate("25%", "01")(p)
			Resources(ContainerResources("side", "100m", "", "", ""), ContainerResources("", "500m", "1000m", "", ""))(p)
		}},
		"app_image":        {edit: Image("other"), app: true},
		"replicas":         {edit: Replicas(3), replicas: true},
		"surge":            {edit: RollingUpdate("1", "1"), Strategy: true},
		"unavailable":      {edit: RollingUpdate("25%", "1%"), Strategy: true},
		"type":             {edit: Recreate, Strategy: true},
		"prefix":           {edit: Prefix("q"), why: "service_name_prefix"},
		"general value":    {edit: Resources(ContainerResources("", "0.5", "2", "", ""), ContainerResources("side", "0.1", "", "", "")), containers: []string{"main", "side"}},
		"hidden value":     {edit: Resources(ContainerResources("", "0.6", "1", "", ""), ContainerResources("side", "0.1", "", "", "")), containers: []string{"main"}},
		"named value":      {edit: Resources(ContainerResources("", "0.5", "1", "", ""), ContainerResources("side", "0.2", "", "", "")), containers: []string{"side"}},
		"named over":       {edit: Resources(ContainerResources("", "0.5", "1", "", ""), ContainerResources("side", "0.1", "", "", ""), ContainerResources("main", "0.4", "", "", "")), containers: []string{"main"}},
		"second request":   {edit: Resources(ContainerResources("", "0.5", "1", "1Gi", ""), ContainerResources("side", "0.1", "", "", "")), containers: []string{"main", "side"}},
		"second limit":     {edit: Resources(ContainerResources("", "0.5", "1", "", ""), ContainerResources("side", "0.1", "", "", "1Gi")), containers: []string{"side"}},
		"cleared":          {edit: Resources(ContainerResources("", "0.5", "", "", ""), ContainerResources("side", "0.1", "", "", "")), why: "max_cpu is removed"},
		"cleared to named": {edit: Resources(ContainerResources("main", "0.5", "1", "", "")), why: `container "side"`},
		"unknown name":     {edit: Resources(ContainerResources("", "0.5", "1", "", ""), ContainerResources("side", "0.1", "", "", ""), ContainerResources("extra", "2", "", "", "")), why: `container "extra"`},
		"all":              {edit: NoResources, why: "is removed"},
		"everything": {edit: func(p *rules.Party) {
			Image("other")(p)
			Replicas(9)(p)
			Recreate(p)
			Resources(ContainerResources("", "0.6", "1", "", ""), ContainerResources("side", "0.1", "", "", ""))(p)
		}, app: true, replicas: true, Strategy: true, containers: []string{"main"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			private := rules.Private{Containers: map[string][]string{"alice/": {"main", "side"}}}
			got := rules.CompareParties(base, With(base, test.edit), private)
			if got.AppImage != test.app || got.Replicas != test.replicas || got.Strategy != test.Strategy || got.FirstResources {
				t.Errorf("change is %+v", got)
			}
			if !slices.Equal(got.Containers, test.containers) {
				t.Errorf("containers are %v, want %v", got.Containers, test.containers)
			}
			if (test.why == "") != (len(got.Replace) == 0) {
				t.Fatalf("reasons are %v", got.Replace)
			}
			if test.why != "" && !strings.Contains(got.Replace[0].Attribute+": "+got.Replace[0].Why, test.why) {
				t.Errorf("reason is %v, want %q", got.Replace, test.why)
			}
			if want := name != "nothing" && name != "spelling"; got.Any() != want {
				t.Errorf("any is %v", got.Any())
			}
		})
	}
}

func TestCompareFirstResources(t *testing.T) {
	t.Parallel()
	none := PartyOf("alice", Role(""), Replicas(1), Prefix(""), RollingUpdate("1", "1"), Resources())
	for name, test := range map[string]struct {
		edit func(*rules.Party)
		want bool
	}{
		"none":           {Resources(), false},
		"left out":       {NoResources, false},
		"one":            {Resources(ContainerResources("", "1", "", "", "")), true},
		"unknown":        {func(p *rules.Party) { p.Resources = UnknownResources }, true},
		"unknown amount": {Resources(ContainerEntry{Values: rules.ContainerResources{State: attr.ValueStateKnown, MinCPU: types.StringUnknown()}}), true},
	} {
		got := rules.CompareParties(none, With(none, test.edit), rules.Private{})
		if got.FirstResources != test.want || got.TouchesResources() != test.want || len(got.Replace) > 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestCompareAmounts covers each of the four values in each case of Kuscia's
// merge, on containers with one side, both, or one value.
func TestCompareAmounts(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		before, after rules.Amounts
		changed       bool
		why           string
	}{
		"equal":                     {rules.Amounts{MinCPU: "1", MaxCPU: "2", MinMemory: "", MaxMemory: ""}, rules.Amounts{MinCPU: "1000m", MaxCPU: "2", MinMemory: "", MaxMemory: ""}, false, ""},
		"request":                   {rules.Amounts{MinCPU: "1", MaxCPU: "", MinMemory: "", MaxMemory: ""}, rules.Amounts{MinCPU: "2", MaxCPU: "", MinMemory: "", MaxMemory: ""}, true, ""},
		"limit":                     {rules.Amounts{MinCPU: "", MaxCPU: "1", MinMemory: "", MaxMemory: ""}, rules.Amounts{MinCPU: "", MaxCPU: "2", MinMemory: "", MaxMemory: ""}, true, ""},
		"memory request":            {rules.Amounts{MinCPU: "", MaxCPU: "", MinMemory: "1Gi", MaxMemory: ""}, rules.Amounts{MinCPU: "", MaxCPU: "", MinMemory: "2Gi", MaxMemory: ""}, true, ""},
		"memory limit":              {rules.Amounts{MinCPU: "", MaxCPU: "", MinMemory: "", MaxMemory: "1Gi"}, rules.Amounts{MinCPU: "", MaxCPU: "", MinMemory: "", MaxMemory: "2Gi"}, true, ""},
		"second request":            {rules.Amounts{MinCPU: "1", MaxCPU: "", MinMemory: "", MaxMemory: ""}, rules.Amounts{MinCPU: "1", MaxCPU: "", MinMemory: "1Gi", MaxMemory: ""}, true, ""},
		"second limit":              {rules.Amounts{MinCPU: "", MaxCPU: "1", MinMemory: "", MaxMemory: ""}, rules.Amounts{MinCPU: "", MaxCPU: "1", MinMemory: "", MaxMemory: "1Gi"}, true, ""},
		"first request":             {rules.Amounts{MinCPU: "", MaxCPU: "1", MinMemory: "", MaxMemory: ""}, rules.Amounts{MinCPU: "1", MaxCPU: "1", MinMemory: "", MaxMemory: ""}, true, "min_cpu would be its first request"},
		"first memory request":      {rules.Amounts{MinCPU: "", MaxCPU: "1", MinMemory: "", MaxMemory: ""}, rules.Amounts{MinCPU: "", MaxCPU: "1", MinMemory: "1Gi", MaxMemory: ""}, true, "min_memory would be its first request"},
		"first limit":               {rules.Amounts{MinCPU: "1", MaxCPU: "", MinMemory: "", MaxMemory: ""}, rules.Amounts{MinCPU: "1", MaxCPU: "1", MinMemory: "", MaxMemory: ""}, true, "max_cpu would be its first limit"},
		"first memory limit":        {rules.Amounts{MinCPU: "1", MaxCPU: "", MinMemory: "", MaxMemory: ""}, rules.Amounts{MinCPU: "1", MaxCPU: "", MinMemory: "", MaxMemory: "1Gi"}, true, "max_memory would be its first limit"},
		"clear request":             {rules.Amounts{MinCPU: "1", MaxCPU: "1", MinMemory: "", MaxMemory: ""}, rules.Amounts{MinCPU: "", MaxCPU: "1", MinMemory: "", MaxMemory: ""}, true, "min_cpu is removed"},
		"clear limit":               {rules.Amounts{MinCPU: "1", MaxCPU: "1", MinMemory: "", MaxMemory: ""}, rules.Amounts{MinCPU: "1", MaxCPU: "", MinMemory: "", MaxMemory: ""}, true, "max_cpu is removed"},
		"clear memory request":      {rules.Amounts{MinCPU: "1", MaxCPU: "", MinMemory: "1", MaxMemory: ""}, rules.Amounts{MinCPU: "1", MaxCPU: "", MinMemory: "", MaxMemory: ""}, true, "min_memory is removed"},
		"clear memory limit":        {rules.Amounts{MinCPU: "", MaxCPU: "1", MinMemory: "", MaxMemory: "1"}, rules.Amounts{MinCPU: "", MaxCPU: "1", MinMemory: "", MaxMemory: ""}, true, "max_memory is removed"},
		"to zero":                   {rules.Amounts{MinCPU: "1", MaxCPU: "", MinMemory: "", MaxMemory: ""}, rules.Amounts{MinCPU: "0", MaxCPU: "", MinMemory: "", MaxMemory: ""}, true, ""},
		"from zero":                 {rules.Amounts{MinCPU: "0", MaxCPU: "", MinMemory: "", MaxMemory: ""}, rules.Amounts{MinCPU: "1", MaxCPU: "", MinMemory: "", MaxMemory: ""}, true, ""},
		"zero cleared":              {rules.Amounts{MinCPU: "0", MaxCPU: "1", MinMemory: "", MaxMemory: ""}, rules.Amounts{MinCPU: "", MaxCPU: "1", MinMemory: "", MaxMemory: ""}, true, "min_cpu is removed"},
		"zero beside":               {rules.Amounts{MinCPU: "1", MaxCPU: "", MinMemory: "", MaxMemory: ""}, rules.Amounts{MinCPU: "1", MaxCPU: "", MinMemory: "0", MaxMemory: ""}, true, "min_memory is set to zero"},
		"zero beside, with unit":    {rules.Amounts{MinCPU: "", MaxCPU: "1", MinMemory: "", MaxMemory: ""}, rules.Amounts{MinCPU: "", MaxCPU: "1", MinMemory: "", MaxMemory: "0Gi"}, true, "max_memory is set to zero"},
		"zero as the first request": {rules.Amounts{MinCPU: "", MaxCPU: "1", MinMemory: "", MaxMemory: ""}, rules.Amounts{MinCPU: "0", MaxCPU: "1", MinMemory: "", MaxMemory: ""}, true, "min_cpu would be its first request"},
		"change and clear":          {rules.Amounts{MinCPU: "1", MaxCPU: "1", MinMemory: "", MaxMemory: "1Gi"}, rules.Amounts{MinCPU: "2", MaxCPU: "1", MinMemory: "", MaxMemory: ""}, true, "max_memory is removed"},
	} {
		changed, why := rules.CompareAmounts(test.before, test.after, nil)
		if changed != test.changed || (why == "") != (test.why == "") || !strings.Contains(why, test.why) {
			t.Errorf("%s: changed %v, why %q; want %v, %q", name, changed, why, test.changed, test.why)
		}
	}
}

// TestSameStrategy: numbers and percentages by value.
func TestSameStrategy(t *testing.T) {
	t.Parallel()
	strategies := func(edits ...func(*rules.Party)) (all []rules.Strategy) {
		for _, edit := range edits {
			all = append(all, PartyOf("a", edit).WithDefaults().Strategy)
		}
		return all
	}
	for _, group := range [][]rules.Strategy{
		strategies(func(*rules.Party) {}, RollingUpdate("", ""), RollingUpdate("25%", ""), RollingUpdate("", "025%"), RollingUpdate("25%", "25%")),
		strategies(RollingUpdate("1", "0"), RollingUpdate("01", "00")),
		strategies(RollingUpdate("1%", "0")),
		strategies(RollingUpdate("0", "1")),
		strategies(RollingUpdate("1", "0%")),
		strategies(Recreate),
		{{Unknown: true}},
	} {
		for i, a := range group {
			for j, b := range group {
				if want := !a.Unknown; rules.SameStrategy(a, b) != want {
					t.Errorf("%d and %d of %v: %v", i, j, group, !want)
				}
			}
			if other := strategies(RollingUpdate("7", "7"))[0]; rules.SameStrategy(a, other) || rules.SameStrategy(other, a) {
				t.Errorf("%v is %v", a, other)
			}
		}
	}
	first, second := strategies(RollingUpdate("1", "0")), strategies(RollingUpdate("1%", "0"))
	if rules.SameStrategy(first[0], second[0]) {
		t.Error("1 is 1%")
	}
}

// TestComparePartiesLostObserved: an imported serving whose empty resources
// were applied may have resources that are no longer in the state; no more are added
// to them in place. If none were read, they are the first ones.
func TestComparePartiesLostObserved(t *testing.T) {
	t.Parallel()
	empty := PartyOf("alice", NoResources)
	asking := With(empty, Resources(ContainerResources("", "", "1", "", "")))
	observed := rules.Private{ObservedResources: []string{"alice/"}}
	if got := rules.CompareParties(empty, asking, observed); len(got.Replace) != 1 || got.Replace[0].Attribute != "resources" || got.TouchesResources() {
		t.Errorf("%+v", got)
	}
	if got := rules.CompareParties(empty, asking, rules.Private{}); len(got.Replace) > 0 || !got.FirstResources {
		t.Errorf("nothing was read: %+v", got)
	}
	if got := rules.CompareParties(empty, empty, observed); got.Any() {
		t.Errorf("no resources configured: %+v", got)
	}
}
