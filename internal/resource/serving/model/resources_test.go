package model_test

import (
	"slices"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/model"
	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// TestExpansion: the values that a list has for a container.
func TestExpansion(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		list      model.ResourceList
		main      model.Amounts
		side      model.Amounts
		Resources bool
	}{
		"none":            {ResourceList(), model.Amounts{}, model.Amounts{}, false},
		"all":             {ResourceList(ContainerResources("", "1", "2", "3", "4")), model.Amounts{MinCPU: "1", MaxCPU: "2", MinMemory: "3", MaxMemory: "4"}, model.Amounts{MinCPU: "1", MaxCPU: "2", MinMemory: "3", MaxMemory: "4"}, true},
		"named":           {ResourceList(ContainerResources("main", "1", "", "", "4")), model.Amounts{MinCPU: "1", MaxCPU: "", MinMemory: "", MaxMemory: "4"}, model.Amounts{}, true},
		"both":            {ResourceList(ContainerResources("", "1", "2", "", ""), ContainerResources("main", "", "5", "6", "")), model.Amounts{MinCPU: "1", MaxCPU: "5", MinMemory: "6", MaxMemory: ""}, model.Amounts{MinCPU: "1", MaxCPU: "2", MinMemory: "", MaxMemory: ""}, true},
		"both, reversed":  {ResourceList(ContainerResources("main", "", "5", "6", ""), ContainerResources("", "1", "2", "", "")), model.Amounts{MinCPU: "1", MaxCPU: "5", MinMemory: "6", MaxMemory: ""}, model.Amounts{MinCPU: "1", MaxCPU: "2", MinMemory: "", MaxMemory: ""}, true},
		"two for all":     {ResourceList(ContainerResources("", "1", "", "", ""), ContainerResources("", "", "2", "", "")), model.Amounts{MinCPU: "", MaxCPU: "2", MinMemory: "", MaxMemory: ""}, model.Amounts{MinCPU: "", MaxCPU: "2", MinMemory: "", MaxMemory: ""}, true},
		"two by name":     {ResourceList(ContainerResources("main", "1", "", "", ""), ContainerResources("main", "", "2", "", "")), model.Amounts{MinCPU: "", MaxCPU: "2", MinMemory: "", MaxMemory: ""}, model.Amounts{}, true},
		"zero is a value": {ResourceList(ContainerResources("main", "0", "", "", "")), model.Amounts{MinCPU: "0", MaxCPU: "", MinMemory: "", MaxMemory: ""}, model.Amounts{}, true},
		"empty entries":   {ResourceList(ContainerResources("", "", "", "", ""), ContainerResources("main", "", "", "", "")), model.Amounts{}, model.Amounts{}, false},
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

// TestSameResources: two lists are equivalent if every container gets the same
// values, of the containers with stored resources and those that a list names.
func TestSameResources(t *testing.T) {
	t.Parallel()
	both := []string{"main", "side"}
	for name, test := range map[string]struct {
		a, b   model.ResourceList
		stored []string
		want   bool
	}{
		"none":                       {ResourceList(), ResourceList(), nil, true},
		"all by name":                {ResourceList(ContainerResources("", "1", "", "", "")), ResourceList(ContainerResources("main", "1", "", "", ""), ContainerResources("side", "1000m", "", "", "")), both, true},
		"all by name, not known":     {ResourceList(ContainerResources("", "1", "", "", "")), ResourceList(ContainerResources("main", "1", "", "", ""), ContainerResources("side", "1", "", "", "")), nil, false},
		"one of two":                 {ResourceList(ContainerResources("", "1", "", "", "")), ResourceList(ContainerResources("main", "1", "", "", "")), both, false},
		"one of one":                 {ResourceList(ContainerResources("", "1", "", "", "")), ResourceList(ContainerResources("main", "1", "", "", "")), []string{"main"}, true},
		"order":                      {ResourceList(ContainerResources("main", "1", "", "", ""), ContainerResources("side", "2", "", "", "")), ResourceList(ContainerResources("side", "2", "", "", ""), ContainerResources("main", "1", "", "", "")), nil, true},
		"zero is not nothing":        {ResourceList(ContainerResources("main", "0", "", "", "")), ResourceList(), []string{"main"}, false},
		"named where nothing stored": {ResourceList(ContainerResources("", "1", "", "", "")), ResourceList(ContainerResources("", "1", "", "", ""), ContainerResources("extra", "2", "", "", "")), both, false},
		"hidden general value":       {ResourceList(ContainerResources("", "1", "", "", ""), ContainerResources("main", "2", "", "", "")), ResourceList(ContainerResources("main", "2", "", "", "")), []string{"main"}, true},
	} {
		if got := model.SameResources(test.a, test.b, test.stored); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
		if got := model.SameResources(test.b, test.a, test.stored); got != test.want {
			t.Errorf("%s, reversed: %v, want %v", name, got, test.want)
		}
	}
}

func TestObservedResources(t *testing.T) {
	t.Parallel()
	response := []kuscia.Resource{WireResource("main", "1", "", "", ""), WireResource("side", "", "", "", ""), WireResource("third", "", "", "", "0")}
	want := ResourceList(ContainerResources("main", "1", "", "", ""), ContainerResources("third", "", "", "", "0"))
	if got := model.ObservedResources(response); !got.Encode().Equal(want.Encode()) {
		t.Errorf("observed is %s", got.Encode())
	}
	if got := model.ResponseContainers(response); !slices.Equal(got, []string{"main", "side", "third"}) {
		t.Errorf("containers are %v", got)
	}
	if got := model.ObservedResources(nil); got.Null || len(got.Items) > 0 {
		t.Errorf("no answer is %v", got)
	}
}
