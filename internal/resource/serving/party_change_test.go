package serving

import (
	"slices"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// TestCompareParties: what is told to differ, which is what an update sends.
func TestCompareParties(t *testing.T) {
	t.Parallel()
	base := partyOf("alice", role(""), replicas(2), prefix("p"), rolling("25%", "1"), asks(of("", "0.5", "1", "", ""), of("side", "0.1", "", "", "")))
	for name, test := range map[string]struct {
		edit       func(*party)
		app        bool
		replicas   bool
		strategy   bool
		containers []string
		why        string
	}{
		"nothing": {edit: func(*party) {}},
		"spelling": {edit: func(p *party) {
			rolling("25%", "01")(p)
			asks(of("side", "100m", "", "", ""), of("", "500m", "1000m", "", ""))(p)
		}},
		"app_image":        {edit: image("other"), app: true},
		"replicas":         {edit: replicas(3), replicas: true},
		"surge":            {edit: rolling("1", "1"), strategy: true},
		"unavailable":      {edit: rolling("25%", "1%"), strategy: true},
		"type":             {edit: recreate, strategy: true},
		"prefix":           {edit: prefix("q"), why: "service_name_prefix"},
		"general value":    {edit: asks(of("", "0.5", "2", "", ""), of("side", "0.1", "", "", "")), containers: []string{"main", "side"}},
		"hidden value":     {edit: asks(of("", "0.6", "1", "", ""), of("side", "0.1", "", "", "")), containers: []string{"main"}},
		"named value":      {edit: asks(of("", "0.5", "1", "", ""), of("side", "0.2", "", "", "")), containers: []string{"side"}},
		"named over":       {edit: asks(of("", "0.5", "1", "", ""), of("side", "0.1", "", "", ""), of("main", "0.4", "", "", "")), containers: []string{"main"}},
		"second request":   {edit: asks(of("", "0.5", "1", "1Gi", ""), of("side", "0.1", "", "", "")), containers: []string{"main", "side"}},
		"second limit":     {edit: asks(of("", "0.5", "1", "", ""), of("side", "0.1", "", "", "1Gi")), containers: []string{"side"}},
		"cleared":          {edit: asks(of("", "0.5", "", "", ""), of("side", "0.1", "", "", "")), why: "max_cpu is taken away"},
		"cleared to named": {edit: asks(of("main", "0.5", "1", "", "")), why: `container "side"`},
		"unknown name":     {edit: asks(of("", "0.5", "1", "", ""), of("side", "0.1", "", "", ""), of("extra", "2", "", "", "")), why: `container "extra"`},
		"all":              {edit: noResources, why: "taken away"},
		"everything": {edit: func(p *party) {
			image("other")(p)
			replicas(9)(p)
			recreate(p)
			asks(of("", "0.6", "1", "", ""), of("side", "0.1", "", "", ""))(p)
		}, app: true, replicas: true, strategy: true, containers: []string{"main"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			private := privateData{Containers: map[string][]string{"alice/": {"main", "side"}}}
			got := compareParties(base, with(base, test.edit), private)
			if got.appImage != test.app || got.replicas != test.replicas || got.strategy != test.strategy || got.firstResources {
				t.Errorf("change is %+v", got)
			}
			if !slices.Equal(got.containers, test.containers) {
				t.Errorf("containers are %v, want %v", got.containers, test.containers)
			}
			if (test.why == "") != (len(got.replace) == 0) {
				t.Fatalf("reasons are %v", got.replace)
			}
			if test.why != "" && !strings.Contains(got.replace[0].attribute+": "+got.replace[0].why, test.why) {
				t.Errorf("reason is %v, want %q", got.replace, test.why)
			}
			if want := name != "nothing" && name != "spelling"; got.any() != want {
				t.Errorf("any is %v", got.any())
			}
		})
	}
}

func TestCompareFirstResources(t *testing.T) {
	t.Parallel()
	none := partyOf("alice", role(""), replicas(1), prefix(""), rolling("1", "1"), asks())
	for name, test := range map[string]struct {
		edit func(*party)
		want bool
	}{
		"none":           {asks(), false},
		"left out":       {noResources, false},
		"one":            {asks(of("", "1", "", "", "")), true},
		"unknown":        {func(p *party) { p.resources = resourceList{unknown: true} }, true},
		"unknown amount": {asks(containerResources{minCPU: tfvalue.NewQuantityUnknown()}), true},
	} {
		got := compareParties(none, with(none, test.edit), privateData{})
		if got.firstResources != test.want || got.touchesResources() != test.want || len(got.replace) > 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestCompareAmounts is each of the four values in each of the cases that
// Kuscia's merge knows, on containers with one side, both, or one value.
func TestCompareAmounts(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		before, after amounts
		changed       bool
		why           string
	}{
		"equal":                     {amounts{"1", "2", "", ""}, amounts{"1000m", "2", "", ""}, false, ""},
		"request":                   {amounts{"1", "", "", ""}, amounts{"2", "", "", ""}, true, ""},
		"limit":                     {amounts{"", "1", "", ""}, amounts{"", "2", "", ""}, true, ""},
		"memory request":            {amounts{"", "", "1Gi", ""}, amounts{"", "", "2Gi", ""}, true, ""},
		"memory limit":              {amounts{"", "", "", "1Gi"}, amounts{"", "", "", "2Gi"}, true, ""},
		"second request":            {amounts{"1", "", "", ""}, amounts{"1", "", "1Gi", ""}, true, ""},
		"second limit":              {amounts{"", "1", "", ""}, amounts{"", "1", "", "1Gi"}, true, ""},
		"first request":             {amounts{"", "1", "", ""}, amounts{"1", "1", "", ""}, true, "min_cpu would be its first request"},
		"first memory request":      {amounts{"", "1", "", ""}, amounts{"", "1", "1Gi", ""}, true, "min_memory would be its first request"},
		"first limit":               {amounts{"1", "", "", ""}, amounts{"1", "1", "", ""}, true, "max_cpu would be its first limit"},
		"first memory limit":        {amounts{"1", "", "", ""}, amounts{"1", "", "", "1Gi"}, true, "max_memory would be its first limit"},
		"clear request":             {amounts{"1", "1", "", ""}, amounts{"", "1", "", ""}, true, "min_cpu is taken away"},
		"clear limit":               {amounts{"1", "1", "", ""}, amounts{"1", "", "", ""}, true, "max_cpu is taken away"},
		"clear memory request":      {amounts{"1", "", "1", ""}, amounts{"1", "", "", ""}, true, "min_memory is taken away"},
		"clear memory limit":        {amounts{"", "1", "", "1"}, amounts{"", "1", "", ""}, true, "max_memory is taken away"},
		"to zero":                   {amounts{"1", "", "", ""}, amounts{"0", "", "", ""}, true, ""},
		"from zero":                 {amounts{"0", "", "", ""}, amounts{"1", "", "", ""}, true, ""},
		"zero cleared":              {amounts{"0", "1", "", ""}, amounts{"", "1", "", ""}, true, "min_cpu is taken away"},
		"zero beside":               {amounts{"1", "", "", ""}, amounts{"1", "", "0", ""}, true, "min_memory is set to zero"},
		"zero beside, with unit":    {amounts{"", "1", "", ""}, amounts{"", "1", "", "0Gi"}, true, "max_memory is set to zero"},
		"zero as the first request": {amounts{"", "1", "", ""}, amounts{"0", "1", "", ""}, true, "min_cpu would be its first request"},
		"change and clear":          {amounts{"1", "1", "", "1Gi"}, amounts{"2", "1", "", ""}, true, "max_memory is taken away"},
	} {
		changed, why := compareAmounts(test.before, test.after, nil)
		if changed != test.changed || (why == "") != (test.why == "") || !strings.Contains(why, test.why) {
			t.Errorf("%s: changed %v, why %q; want %v, %q", name, changed, why, test.changed, test.why)
		}
	}
}

// TestSameStrategy: numbers and percentages by value.
func TestSameStrategy(t *testing.T) {
	t.Parallel()
	strategies := func(edits ...func(*party)) (all []strategy) {
		for _, edit := range edits {
			all = append(all, partyOf("a", edit).withDefaults().strategy)
		}
		return all
	}
	for _, group := range [][]strategy{
		strategies(func(*party) {}, rolling("", ""), rolling("25%", ""), rolling("", "025%"), rolling("25%", "25%")),
		strategies(rolling("1", "0"), rolling("01", "00")),
		strategies(rolling("1%", "0")),
		strategies(rolling("0", "1")),
		strategies(rolling("1", "0%")),
		strategies(recreate),
		{{unknown: true}},
	} {
		for i, a := range group {
			for j, b := range group {
				if want := !a.unknown; sameStrategy(a, b) != want {
					t.Errorf("%d and %d of %v: %v", i, j, group, !want)
				}
			}
			if other := strategies(rolling("7", "7"))[0]; sameStrategy(a, other) || sameStrategy(other, a) {
				t.Errorf("%v is %v", a, other)
			}
		}
	}
	first, second := strategies(rolling("1", "0")), strategies(rolling("1%", "0"))
	if sameStrategy(first[0], second[0]) {
		t.Error("1 is 1%")
	}
}

// TestComparePartiesLostObserved: an imported serving whose empty list was
// applied may have resources that the state no longer shows; more are not added
// to them in place. Where nothing was read they are the first ones.
func TestComparePartiesLostObserved(t *testing.T) {
	t.Parallel()
	empty := partyOf("alice", noResources)
	asking := with(empty, asks(of("", "", "1", "", "")))
	observed := privateData{Observed: []string{"alice/"}}
	if got := compareParties(empty, asking, observed); len(got.replace) != 1 || got.replace[0].attribute != "resources" || got.touchesResources() {
		t.Errorf("%+v", got)
	}
	if got := compareParties(empty, asking, privateData{}); len(got.replace) > 0 || !got.firstResources {
		t.Errorf("nothing was read: %+v", got)
	}
	if got := compareParties(empty, empty, observed); got.any() {
		t.Errorf("nothing is asked for: %+v", got)
	}
}
