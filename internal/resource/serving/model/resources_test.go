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
		"all":             {ResourceList(For("", "1", "2", "3", "4")), model.Amounts{MinCPU: "1", MaxCPU: "2", MinMemory: "3", MaxMemory: "4"}, model.Amounts{MinCPU: "1", MaxCPU: "2", MinMemory: "3", MaxMemory: "4"}, true},
		"named":           {ResourceList(For("main", "1", "", "", "4")), model.Amounts{MinCPU: "1", MaxCPU: "", MinMemory: "", MaxMemory: "4"}, model.Amounts{}, true},
		"both":            {ResourceList(For("", "1", "2", "", ""), For("main", "", "5", "6", "")), model.Amounts{MinCPU: "1", MaxCPU: "5", MinMemory: "6", MaxMemory: ""}, model.Amounts{MinCPU: "1", MaxCPU: "2", MinMemory: "", MaxMemory: ""}, true},
		"both, reversed":  {ResourceList(For("main", "", "5", "6", ""), For("", "1", "2", "", "")), model.Amounts{MinCPU: "1", MaxCPU: "5", MinMemory: "6", MaxMemory: ""}, model.Amounts{MinCPU: "1", MaxCPU: "2", MinMemory: "", MaxMemory: ""}, true},
		"two for all":     {ResourceList(For("", "1", "", "", ""), For("", "", "2", "", "")), model.Amounts{MinCPU: "", MaxCPU: "2", MinMemory: "", MaxMemory: ""}, model.Amounts{MinCPU: "", MaxCPU: "2", MinMemory: "", MaxMemory: ""}, true},
		"two by name":     {ResourceList(For("main", "1", "", "", ""), For("main", "", "2", "", "")), model.Amounts{MinCPU: "", MaxCPU: "2", MinMemory: "", MaxMemory: ""}, model.Amounts{}, true},
		"zero is a value": {ResourceList(For("main", "0", "", "", "")), model.Amounts{MinCPU: "0", MaxCPU: "", MinMemory: "", MaxMemory: ""}, model.Amounts{}, true},
		"empty entries":   {ResourceList(For("", "", "", "", ""), For("main", "", "", "", "")), model.Amounts{}, model.Amounts{}, false},
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
		"all by name":                {ResourceList(For("", "1", "", "", "")), ResourceList(For("main", "1", "", "", ""), For("side", "1000m", "", "", "")), both, true},
		"all by name, not known":     {ResourceList(For("", "1", "", "", "")), ResourceList(For("main", "1", "", "", ""), For("side", "1", "", "", "")), nil, false},
		"one of two":                 {ResourceList(For("", "1", "", "", "")), ResourceList(For("main", "1", "", "", "")), both, false},
		"one of one":                 {ResourceList(For("", "1", "", "", "")), ResourceList(For("main", "1", "", "", "")), []string{"main"}, true},
		"order":                      {ResourceList(For("main", "1", "", "", ""), For("side", "2", "", "", "")), ResourceList(For("side", "2", "", "", ""), For("main", "1", "", "", "")), nil, true},
		"zero is not nothing":        {ResourceList(For("main", "0", "", "", "")), ResourceList(), []string{"main"}, false},
		"named where nothing stored": {ResourceList(For("", "1", "", "", "")), ResourceList(For("", "1", "", "", ""), For("extra", "2", "", "", "")), both, false},
		"hidden general value":       {ResourceList(For("", "1", "", "", ""), For("main", "2", "", "", "")), ResourceList(For("main", "2", "", "", "")), []string{"main"}, true},
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
	want := ResourceList(For("main", "1", "", "", ""), For("third", "", "", "", "0"))
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
