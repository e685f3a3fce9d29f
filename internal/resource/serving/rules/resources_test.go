package rules_test

import (
	"slices"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// TestExpansion: the values that a container gets.
func TestExpansion(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		list      rules.Resources
		main      rules.Amounts
		side      rules.Amounts
		Resources bool
	}{
		"none":            {ResourcesOf(), rules.Amounts{}, rules.Amounts{}, false},
		"all":             {ResourcesOf(ContainerResources("", "1", "2", "3", "4")), rules.Amounts{MinCPU: "1", MaxCPU: "2", MinMemory: "3", MaxMemory: "4"}, rules.Amounts{MinCPU: "1", MaxCPU: "2", MinMemory: "3", MaxMemory: "4"}, true},
		"named":           {ResourcesOf(ContainerResources("main", "1", "", "", "4")), rules.Amounts{MinCPU: "1", MaxCPU: "", MinMemory: "", MaxMemory: "4"}, rules.Amounts{}, true},
		"both":            {ResourcesOf(ContainerResources("", "1", "2", "", ""), ContainerResources("main", "", "5", "6", "")), rules.Amounts{MinCPU: "1", MaxCPU: "5", MinMemory: "6", MaxMemory: ""}, rules.Amounts{MinCPU: "1", MaxCPU: "2", MinMemory: "", MaxMemory: ""}, true},
		"zero is a value": {ResourcesOf(ContainerResources("main", "0", "", "", "")), rules.Amounts{MinCPU: "0", MaxCPU: "", MinMemory: "", MaxMemory: ""}, rules.Amounts{}, true},
		"empty entries":   {ResourcesOf(ContainerResources("", "", "", "", ""), ContainerResources("main", "", "", "", "")), rules.Amounts{}, rules.Amounts{}, false},
	} {
		f := test.list.Spec()
		if got := f.ForContainer("main"); got != test.main {
			t.Errorf("%s: main gets %v, want %v", name, got, test.main)
		}
		if got := f.ForContainer("side"); got != test.side {
			t.Errorf("%s: side gets %v, want %v", name, got, test.side)
		}
		if f.IsSet() != test.Resources {
			t.Errorf("%s: asks is %v", name, f.IsSet())
		}
	}
}

// TestSameResources: resources are equivalent if every container gets the same
// values, of the containers with stored resources and those that have a name.
func TestSameResources(t *testing.T) {
	t.Parallel()
	both := []string{"main", "side"}
	for name, test := range map[string]struct {
		a, b   rules.Resources
		stored []string
		want   bool
	}{
		"none":                       {ResourcesOf(), ResourcesOf(), nil, true},
		"all by name":                {ResourcesOf(ContainerResources("", "1", "", "", "")), ResourcesOf(ContainerResources("main", "1", "", "", ""), ContainerResources("side", "1000m", "", "", "")), both, true},
		"all by name, not known":     {ResourcesOf(ContainerResources("", "1", "", "", "")), ResourcesOf(ContainerResources("main", "1", "", "", ""), ContainerResources("side", "1", "", "", "")), nil, false},
		"one of two":                 {ResourcesOf(ContainerResources("", "1", "", "", "")), ResourcesOf(ContainerResources("main", "1", "", "", "")), both, false},
		"one of one":                 {ResourcesOf(ContainerResources("", "1", "", "", "")), ResourcesOf(ContainerResources("main", "1", "", "", "")), []string{"main"}, true},
		"zero is not nothing":        {ResourcesOf(ContainerResources("main", "0", "", "", "")), ResourcesOf(), []string{"main"}, false},
		"named where nothing stored": {ResourcesOf(ContainerResources("", "1", "", "", "")), ResourcesOf(ContainerResources("", "1", "", "", ""), ContainerResources("extra", "2", "", "", "")), both, false},
		"hidden general value":       {ResourcesOf(ContainerResources("", "1", "", "", ""), ContainerResources("main", "2", "", "", "")), ResourcesOf(ContainerResources("main", "2", "", "", "")), []string{"main"}, true},
	} {
		if got := rules.SameResources(test.a, test.b, test.stored); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
		if got := rules.SameResources(test.b, test.a, test.stored); got != test.want {
			t.Errorf("%s, reversed: %v, want %v", name, got, test.want)
		}
	}
}

func TestObservedResources(t *testing.T) {
	t.Parallel()
	response := []kuscia.Resource{WireResource("main", "1", "", "", ""), WireResource("side", "", "", "", ""), WireResource("third", "", "", "", "0")}
	want := ResourcesOf(ContainerResources("main", "1", "", "", ""), ContainerResources("third", "", "", "", "0"))
	if got := rules.ObservedResources(response); !got.Equal(want) {
		t.Errorf("observed is %v", got)
	}
	if got := rules.ResponseContainers(response); !slices.Equal(got, []string{"main", "side", "third"}) {
		t.Errorf("containers are %v", got)
	}
	if got := rules.ObservedResources(nil); !got.Equal(rules.Resources{}) {
		t.Errorf("no answer is %v", got)
	}
}

// TestObservedLike: resources that another client has changed keep the form of the
// state, so that a plan shows the difference where the configuration has the value.
func TestObservedLike(t *testing.T) {
	t.Parallel()
	common := ResourcesOf(ContainerResources("", "1000m", "", "", "2Gi"))
	for name, test := range map[string]struct {
		form     rules.Resources
		response []kuscia.Resource
		want     rules.Resources
	}{
		"for all containers": {common, []kuscia.Resource{WireResource("main", "1", "", "", "3Gi"), WireResource("side", "1", "", "", "3Gi")},
			ResourcesOf(ContainerResources("", "1000m", "", "", "3Gi"))},
		"one of them": {common, []kuscia.Resource{WireResource("main", "1", "", "", "2Gi"), WireResource("side", "2", "", "", "2Gi")},
			ResourcesOf(ContainerResources("main", "1", "", "", "2Gi"), ContainerResources("side", "2", "", "", "2Gi"))},
		"by name": {ResourcesOf(ContainerResources("main", "1000m", "", "", "")), []kuscia.Resource{WireResource("main", "2", "", "", "")},
			ResourcesOf(ContainerResources("main", "2", "", "", ""))},
		"nothing stored": {common, []kuscia.Resource{WireResource("main", "", "", "", "")}, rules.Resources{}},
		"no response":    {common, nil, rules.Resources{}},
	} {
		if got := rules.ObservedLike(test.form, test.response); !got.Equal(test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}
