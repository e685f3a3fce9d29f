package serving

import (
	"slices"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// entry is an entry of an answer.
func entry(name, minCPU, maxCPU, minMemory, maxMemory string) kuscia.Resource {
	return kuscia.Resource{ContainerName: name, MinCPU: minCPU, MaxCPU: maxCPU, MinMemory: minMemory, MaxMemory: maxMemory}
}

func listOf(items ...containerResources) resourceList { return resourceList{items: items} }

// TestExpansion: what a list means for a container.
func TestExpansion(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		list resourceList
		main amounts
		side amounts
		asks bool
	}{
		"none":            {listOf(), amounts{}, amounts{}, false},
		"all":             {listOf(of("", "1", "2", "3", "4")), amounts{"1", "2", "3", "4"}, amounts{"1", "2", "3", "4"}, true},
		"named":           {listOf(of("main", "1", "", "", "4")), amounts{"1", "", "", "4"}, amounts{}, true},
		"both":            {listOf(of("", "1", "2", "", ""), of("main", "", "5", "6", "")), amounts{"1", "5", "6", ""}, amounts{"1", "2", "", ""}, true},
		"both, reversed":  {listOf(of("main", "", "5", "6", ""), of("", "1", "2", "", "")), amounts{"1", "5", "6", ""}, amounts{"1", "2", "", ""}, true},
		"two for all":     {listOf(of("", "1", "", "", ""), of("", "", "2", "", "")), amounts{"", "2", "", ""}, amounts{"", "2", "", ""}, true},
		"two by name":     {listOf(of("main", "1", "", "", ""), of("main", "", "2", "", "")), amounts{"", "2", "", ""}, amounts{}, true},
		"zero is a value": {listOf(of("main", "0", "", "", "")), amounts{"0", "", "", ""}, amounts{}, true},
		"empty entries":   {listOf(of("", "", "", "", ""), of("main", "", "", "", "")), amounts{}, amounts{}, false},
	} {
		f := test.list.form()
		if got := f.of("main"); got != test.main {
			t.Errorf("%s: main gets %v, want %v", name, got, test.main)
		}
		if got := f.of("side"); got != test.side {
			t.Errorf("%s: side gets %v, want %v", name, got, test.side)
		}
		if f.asks() != test.asks {
			t.Errorf("%s: asks is %v", name, f.asks())
		}
	}
}

// TestSameResources: two lists mean the same when every container gets the
// same, of those that Kuscia stores resources for or that a list names.
func TestSameResources(t *testing.T) {
	t.Parallel()
	both := []string{"main", "side"}
	for name, test := range map[string]struct {
		a, b   resourceList
		stored []string
		want   bool
	}{
		"none":                       {listOf(), listOf(), nil, true},
		"all by name":                {listOf(of("", "1", "", "", "")), listOf(of("main", "1", "", "", ""), of("side", "1000m", "", "", "")), both, true},
		"all by name, not known":     {listOf(of("", "1", "", "", "")), listOf(of("main", "1", "", "", ""), of("side", "1", "", "", "")), nil, false},
		"one of two":                 {listOf(of("", "1", "", "", "")), listOf(of("main", "1", "", "", "")), both, false},
		"one of one":                 {listOf(of("", "1", "", "", "")), listOf(of("main", "1", "", "", "")), []string{"main"}, true},
		"order":                      {listOf(of("main", "1", "", "", ""), of("side", "2", "", "", "")), listOf(of("side", "2", "", "", ""), of("main", "1", "", "", "")), nil, true},
		"zero is not nothing":        {listOf(of("main", "0", "", "", "")), listOf(), []string{"main"}, false},
		"named where nothing stored": {listOf(of("", "1", "", "", "")), listOf(of("", "1", "", "", ""), of("extra", "2", "", "", "")), both, false},
		"hidden general value":       {listOf(of("", "1", "", "", ""), of("main", "2", "", "", "")), listOf(of("main", "2", "", "", "")), []string{"main"}, true},
	} {
		if got := sameResources(test.a, test.b, test.stored); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
		if got := sameResources(test.b, test.a, test.stored); got != test.want {
			t.Errorf("%s, reversed: %v, want %v", name, got, test.want)
		}
	}
}

// TestProjection: what the state shows of an answer that has one entry a
// container, in canonical quantities.
func TestProjection(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		state  resourceList
		answer []kuscia.Resource
		stored []string
		// shown is nil where the state stays to the letter.
		shown *resourceList
	}{
		"common": {
			listOf(of("", "0.1", "1000m", "1024Mi", "1.5Gi")),
			[]kuscia.Resource{entry("main", "100m", "1", "1Gi", "1536Mi"), entry("side", "100m", "1", "1Gi", "1536Mi")}, nil, nil,
		},
		"named": {
			listOf(of("side", "0.5", "", "", ""), of("main", "", "1.50", "", "128974848000m")),
			[]kuscia.Resource{entry("main", "", "1500m", "", "128974848"), entry("side", "500m", "", "", "")}, nil, nil,
		},
		"both": {
			listOf(of("", "0.0001", "", "1024Ki", ""), of("side", "1e3", "", "", "+1")),
			[]kuscia.Resource{entry("main", "100u", "", "1Mi", ""), entry("side", "1e3", "", "1Mi", "1")}, nil, nil,
		},
		"zero": {
			listOf(of("", "0", "0.0", "0Gi", "0")),
			[]kuscia.Resource{entry("main", "0", "0", "0", "0")}, nil, nil,
		},
		"not asked for, the app image has its own": {
			listOf(), []kuscia.Resource{entry("main", "1", "", "", ""), entry("side", "", "", "", "")}, nil, nil,
		},
		"a newer app image has another container with values of its own": {
			listOf(of("", "1", "", "", "")),
			[]kuscia.Resource{entry("main", "1", "", "", ""), entry("extra", "7", "", "", "")}, []string{"main"}, nil,
		},
		"the list of the old app image stays in the answer": {
			listOf(of("", "1", "", "", "")),
			[]kuscia.Resource{entry("old", "1", "", "", ""), entry("new", "", "", "", "")}, []string{"old"}, nil,
		},
		"drift of one value": {
			listOf(of("", "1", "2", "", "")),
			[]kuscia.Resource{entry("main", "1", "2", "", ""), entry("side", "1", "3", "", "")}, []string{"main", "side"},
			&resourceList{items: []containerResources{of("main", "1", "2", "", ""), of("side", "1", "3", "", "")}},
		},
		"a value more": {
			listOf(of("main", "1", "", "", "")),
			[]kuscia.Resource{entry("main", "1", "2", "", "")}, []string{"main"},
			&resourceList{items: []containerResources{of("main", "1", "2", "", "")}},
		},
		"all gone": {
			listOf(of("main", "1", "", "", "")), []kuscia.Resource{entry("main", "", "", "", "")}, []string{"main"},
			&resourceList{},
		},
		"container gone": {
			listOf(of("main", "1", "", "", ""), of("side", "1", "", "", "")), []kuscia.Resource{entry("main", "1", "", "", "")}, nil,
			&resourceList{items: []containerResources{of("main", "1", "", "", "")}},
		},
		"no answer at all": {listOf(of("main", "1", "", "", "")), nil, []string{"main"}, &resourceList{}},
	} {
		old := partyOf("alice", role(""), asks(test.state.items...))
		private := privateData{}
		if test.stored != nil {
			private = private.withContainers(old.key(), test.stored)
		}
		want := test.state
		if test.shown != nil {
			want = *test.shown
		}
		got := refreshResources(old, test.answer, private)
		if !got.encode().Equal(want.encode()) {
			t.Errorf("%s: shown is %s, want %s", name, got.encode(), want.encode())
		}
	}
}

func TestObservedResources(t *testing.T) {
	t.Parallel()
	answer := []kuscia.Resource{entry("main", "1", "", "", ""), entry("side", "", "", "", ""), entry("third", "", "", "", "0")}
	want := listOf(of("main", "1", "", "", ""), of("third", "", "", "", "0"))
	if got := observedResources(answer); !got.encode().Equal(want.encode()) {
		t.Errorf("observed is %s", got.encode())
	}
	if got := answerContainers(answer); !slices.Equal(got, []string{"main", "side", "third"}) {
		t.Errorf("containers are %v", got)
	}
	if got := observedResources(nil); got.null || len(got.items) > 0 {
		t.Errorf("no answer is %v", got)
	}
}
